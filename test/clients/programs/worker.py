"""A handler on the public Python SDK, as people write them."""
import asyncio
import os

import runpod


async def handler(job):
    given = job["input"]
    if "hang" in given:
        await asyncio.sleep(3600)
    if "fail" in given:
        raise ValueError("the handler refused")
    if "refresh" in given:
        return {"refresh_worker": True, "pid": os.getpid()}
    if "progress" in given:
        runpod.serverless.progress_update(job, "half")
        while not os.path.exists(given["until"]):
            await asyncio.sleep(0.05)
    return {"sum": given.get("a", 0) + given.get("b", 0), "pid": os.getpid()}


async def words(job):
    for word in job["input"]["text"].split(" "):
        yield word


CHOSEN = {"plain": {"handler": handler}, "stream": {"handler": words}}
CHOSEN["aggregated"] = {"handler": words, "return_aggregate_stream": True}
CHOSEN["concurrent"] = {"handler": handler, "concurrency_modifier": lambda current: 3}
runpod.serverless.start(CHOSEN[os.environ["KIND"]])
