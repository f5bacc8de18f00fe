"""Streams a greeting word by word. Change the function to what your endpoint does."""

import time

import runpod


def handler(job):
    name = job["input"].get("name", "world")
    # What you print is in the log of the job.
    print(f"Greeting {name}")
    for word in f"Hello, {name}! Each word is one chunk.".split(" "):
        time.sleep(0.2)
        # It reaches the reader while the job still runs.
        yield f"{word} "


runpod.serverless.start({"handler": handler, "return_aggregate_stream": True})
