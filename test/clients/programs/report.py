"""Tries calls of a client one after the other, and writes a line with what became of each."""
import json
import os
import time
import traceback


def report(calls):
    """What raises did not pass. Calls that the variable LEFT_OUT lists are not made."""
    left_out = json.loads(os.environ.get("LEFT_OUT", "[]"))
    for name, make in calls.items():
        if name in left_out:
            continue
        try:
            make()
            outcome = {"call": name, "passed": True, "detail": ""}
        except Exception:
            outcome = {"call": name, "passed": False, "detail": traceback.format_exc()}
        # Without spaces, as programs in JavaScript write them.
        print(json.dumps(outcome, separators=(",", ":")), flush=True)


def until(read, is_right):
    while True:
        value = read()
        if is_right(value):
            return value
        time.sleep(0.05)


def equal(actual, expected):
    assert actual == expected, f"{actual!r} is not {expected!r}"
