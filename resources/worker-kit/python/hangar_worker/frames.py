"""Leaves the frames of this worker out of tracebacks, so that they show the handler and its libraries only."""

import ast
import importlib
import json
import os
import runpy

KIT_DIR = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Modules of Python through which the worker loads a handler and reads what it returns.
CALLED = (runpy.__file__, ast.__file__, os.path.dirname(importlib.__file__), os.path.dirname(json.__file__))


def _is_within(name, places):
    return any(name == place or name.startswith(place + os.sep) for place in places)


def _frames(error):
    """The frames of an exception, outermost first, each with its file."""
    link = error.__traceback__
    while link is not None:
        name = link.tb_frame.f_code.co_filename
        yield link, name if name.startswith("<") else os.path.abspath(name)
        link = link.tb_next


def _others(error):
    """The frames of others: what the worker called itself is left out with it, up to the first frame of the handler."""
    kept = []
    is_ours = False
    for link, name in _frames(error):
        if _is_within(name, (KIT_DIR,)):
            is_ours = not kept
        elif not is_ours or not (name.startswith("<frozen ") or _is_within(name, CALLED)):
            is_ours = False
            kept.append(link)
    return kept


def leave_out_own_frames(error):
    """Changes the traceback of an exception and of those it came from. Returns the exception."""
    seen = set()
    left = [error]
    while left:
        one = left.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        left += [one.__cause__, one.__context__, *getattr(one, "exceptions", ())]
        kept = _others(one)
        for link, following in zip(kept, kept[1:] + [None]):
            link.tb_next = following
        one.__traceback__ = kept[0] if kept else None
    return error
