"""Tries calls of a client one after the other, and writes a line with what became of each."""
import json
import os
import time
import traceback
import uuid


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


def read_stream(stream):
    """Streams the answer to a message. The handler sends its second part once the first was read, so an answer that comes in
    one piece never comes."""
    message = f"read-{uuid.uuid4()}"
    text = ""
    for part in stream(message):
        text += part
        if text:
            open(os.path.join(os.environ["OPENAI_FOLDER"], message), "w").close()
    equal(text, f"You wrote: {message}")


def until(read, is_right):
    while True:
        value = read()
        if is_right(value):
            return value
        time.sleep(0.05)


def equal(actual, expected):
    assert actual == expected, f"{actual!r} is not {expected!r}"
