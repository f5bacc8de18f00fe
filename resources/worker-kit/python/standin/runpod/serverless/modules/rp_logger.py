"""The SDK's logger: one line a message on standard output, with its level and, where it is known, its job."""

import os

_LEVELS = ["NOTSET", "TRACE", "DEBUG", "INFO", "WARN", "ERROR"]


class RunPodLogger:
    def __init__(self):
        self.set_level(os.environ.get("RUNPOD_LOG_LEVEL") or os.environ.get("RUNPOD_DEBUG_LEVEL") or "DEBUG")

    def set_level(self, new_level):
        name = str(new_level).upper()
        self.level = name if name in _LEVELS else "DEBUG"

    def log(self, message, message_level="INFO", job_id=None):
        if _LEVELS.index(message_level) >= _LEVELS.index(self.level):
            job = f"{job_id} | " if job_id else ""
            print(f"{message_level.ljust(7)}| {job}{message}", flush=True)

    def trace(self, message, request_id=None):
        self.log(message, "TRACE", request_id)

    def debug(self, message, request_id=None):
        self.log(message, "DEBUG", request_id)

    def info(self, message, request_id=None):
        self.log(message, "INFO", request_id)

    def warn(self, message, request_id=None):
        self.log(message, "WARN", request_id)

    def error(self, message, request_id=None):
        self.log(message, "ERROR", request_id)
