"""Threads beside the handler: the end of the parent, the ping, and the stop channel."""

import os
import signal
import stat
import threading
import time


def _in_background(name, run):
    threading.Thread(target=run, name=name, daemon=True).start()


def _end_all():
    """Ends this process at once and, where it leads a process group, everything it started."""
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def watch_parent(on_stop):
    """Standard input is a pipe that the parent never closes: its end is the parent's end.

    `stop` on a line of its own asks what SIGTERM asks, for systems without signals.
    """
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
        return  # Started by hand: there is no parent to watch.

    # A descriptor of its own, and nothing to read on the usual one: a program the handler starts must not eat the end.
    pipe = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)

    def watch():
        while True:
            try:
                data = os.read(pipe, 4096)
            except OSError:
                data = b""
            if not data:
                _end_all()
            if b"stop" in data:
                on_stop()

    _in_background("hangar-parent", watch)


def watch_service(service, job_ids, on_stop):
    """Pings the service with the jobs that `job_ids()` names, and hands the ids of cancelled jobs to `on_stop`."""

    def ping():
        while True:
            service.ping(job_ids())
            time.sleep(service.ping_interval)

    _in_background("hangar-ping", ping)
    _in_background("hangar-stop", lambda: service.watch_stops(on_stop))
