"""Tries calls of a client one after the other, and writes a line with what became of each."""
import json
import time
import traceback


def report(calls):
    """What raises did not pass."""
    for name, make in calls.items():
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
