"""What a handler returned, yielded or raised, as the JSON bytes the worker protocol wants."""

import json
import socket
import traceback

from .frames import leave_out_own_frames


def to_json(value, what):
    """JSON bytes of a handler's value. Raises TypeError or ValueError that says what cannot be sent."""
    try:
        return _encode(value)
    except ValueError as error:
        # NaN and the infinities are not JSON; other programs could not read the result.
        raise ValueError(f"{what} cannot be sent as JSON: {error}") from error
    except (TypeError, RecursionError) as error:
        raise TypeError(f"{what} cannot be sent as JSON: {error}") from error


def _encode(value):
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        # Half of a surrogate pair has no UTF-8, but it can be written as an escape.
        return json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii")


def reports_error(value):
    """Whether the handler reports a failure of its own by {"error": ...}."""
    return isinstance(value, dict) and bool(value.get("error"))


def result_body(value, refresh=False):
    """The body of a result. `error` and `refresh_worker` of a returned dict go to the top level, as the public SDK does it."""
    fields = []
    error = None
    if isinstance(value, dict) and ("error" in value or "refresh_worker" in value):
        value = dict(value)
        error = value.pop("error", None)
        refresh = bool(value.pop("refresh_worker", None)) or refresh
    if value != {} or not error:
        fields.append(b'"output":' + to_json(value, "The result"))
    if error:
        text = error if isinstance(error, str) else to_json(error, "The error").decode()
        fields.append(b'"error":' + _encode(text))
    if refresh:
        fields.append(b'"stopPod":true')
    return b"{" + b",".join(fields) + b"}"


def error_body(error, worker_id):
    """The body that says how a handler failed; frames of our own are left out of its traceback."""
    leave_out_own_frames(error)
    facts = {
        "error_type": str(type(error)),
        "error_message": str(error),
        "error_traceback": "".join(traceback.format_exception(type(error), error, error.__traceback__)),
        "hostname": socket.gethostname(),
        "worker_id": worker_id,
    }
    return _encode({"error": _encode(facts).decode()})
