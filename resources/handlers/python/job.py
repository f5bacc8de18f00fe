"""Answers with a greeting. Change the function to what your endpoint does."""

import runpod


def handler(job):
    name = job["input"].get("name", "world")
    # What you print is in the log of the job.
    print(f"Greeting {name}")
    return {"greeting": f"Hello, {name}!"}


runpod.serverless.start({"handler": handler})
