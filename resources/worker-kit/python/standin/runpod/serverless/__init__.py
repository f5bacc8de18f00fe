"""runpod.serverless: runs the handler in Hangar's own worker loop."""

import sys

from hangar_worker.worker import Worker

__all__ = ["progress_update", "start"]

_KNOWN = {"handler", "return_aggregate_stream", "refresh_worker", "concurrency_modifier", "rp_args"}


def start(config):
    """Takes jobs and runs them through config["handler"], until the worker is told to stop."""
    for name in sorted(set(config) - _KNOWN):
        print(f"[hangar] {name} is not used by the stand-in for the SDK.", file=sys.stderr)
    Worker(
        config["handler"],
        aggregate=bool(config.get("return_aggregate_stream")),
        refresh=bool(config.get("refresh_worker")),
        slots=config.get("concurrency_modifier"),
    ).run()


def progress_update(job, progress):
    """Reports how far a running job is; it becomes the job's output until the result is there."""
    if Worker.current is not None:
        Worker.current.progress(job, progress)
