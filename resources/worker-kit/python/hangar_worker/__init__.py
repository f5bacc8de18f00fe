"""Hangar's Python worker: speaks the worker protocol for a handler, with the standard library alone."""
