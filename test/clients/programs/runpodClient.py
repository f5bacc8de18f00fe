"""The job API and GraphQL through `runpod`, the public Python SDK."""
import asyncio
import inspect
import os

ADDRESS = os.environ["ADDRESS"]
# Versions that know these read them when they are imported.
os.environ["RUNPOD_ENDPOINT_BASE_URL"] = f"{ADDRESS}/v2"
os.environ["RUNPOD_API_BASE_URL"] = ADDRESS

import runpod  # noqa: E402
from report import equal, report, until  # noqa: E402

runpod.api_key = os.environ["KEY"]
# Older versions are given the address so.
runpod.endpoint_url_base = f"{ADDRESS}/v2"
JOBS = os.environ["JOBS"]
# Seconds; it would wait three of them for an answer to some calls.
DEADLINE = int(os.environ["DEADLINE_MS"]) // 1000
endpoint = runpod.Endpoint(JOBS)
# Names are unique, and each version makes its own.
NAME = f"from Python {runpod.__version__}"


def run():
    job = endpoint.run({"input": {"a": 1, "b": 2}})
    assert job.job_id


def status():
    job = endpoint.run({"input": {"a": 1, "b": 2}})
    until(job.status, lambda value: value == "COMPLETED")


def output():
    equal(endpoint.run({"input": {"a": 1, "b": 2}}).output(timeout=DEADLINE), {"sum": 3})


def stream():
    job = endpoint.run({"input": {"text": "a b c"}})
    equal(list(job.stream()), ["a", "b", "c"])


def cancel():
    job = endpoint.run({"input": {"hang": True}})
    until(job.status, lambda value: value == "IN_PROGRESS")
    equal(job.cancel(timeout=DEADLINE)["status"], "CANCELLED")


def run_sync():
    equal(endpoint.run_sync({"input": {"a": 20, "b": 22}}), {"sum": 42})


def health():
    assert endpoint.health(timeout=DEADLINE)["jobs"]["completed"] >= 1


def purge_queue():
    equal(endpoint.purge_queue(timeout=DEADLINE)["status"], "completed")


def refused_key():
    right, runpod.api_key = runpod.api_key, "rpa_wrong"
    try:
        runpod.Endpoint(JOBS).run({"input": {"a": 1, "b": 2}})
    except RuntimeError as error:
        assert "401" in str(error), error
        return
    finally:
        runpod.api_key = right
    raise AssertionError("a wrong key was not refused")


# A stream that polls more often than this after the end of its job has no end.
POLLS_AFTER_THE_END = 5


def polls_after_the_end():
    """Lets a session of aiohttp fail the stream that it reads once it has polled too often."""
    import aiohttp

    polls = []

    async def count(_session, _context, request):
        if "/stream/" not in request.url.path or (await request.response.json())["status"] != "COMPLETED":
            return
        polls.append(request.url)
        assert len(polls) <= POLLS_AFTER_THE_END, "the stream goes on after the end of the job"

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(count)
    return trace


def in_asyncio(calls):
    """Makes calls of the asynchronous client."""

    async def within_session():
        import aiohttp

        async with aiohttp.ClientSession(trace_configs=[polls_after_the_end()]) as session:
            await calls(runpod.AsyncioEndpoint(JOBS, session))

    return lambda: asyncio.run(within_session())


async def asyncio_output(asynchronous):
    job = await asynchronous.run({"a": 1, "b": 2})
    while await job.status() != "COMPLETED":
        await asyncio.sleep(0.05)
    equal(await job.output(), {"sum": 3})


async def asyncio_stream(asynchronous):
    job = await asynchronous.run({"text": "a b c"})
    equal([chunk async for chunk in job.stream()], ["a", "b", "c"])


async def asyncio_cancel(asynchronous):
    job = await asynchronous.run({"hang": True})
    while await job.status() != "IN_PROGRESS":
        await asyncio.sleep(0.05)
    equal((await job.cancel())["status"], "CANCELLED")


def graphql(calls):
    """Refuses to reach another service than the one under test."""

    def checked():
        from runpod.api import graphql as module

        if "RUNPOD_API_BASE_URL" not in inspect.getsource(module):
            raise AssertionError("its address of GraphQL cannot be changed")
        calls()

    return checked


def get_gpus():
    assert isinstance(runpod.get_gpus(), list)


def get_user():
    assert runpod.get_user()["id"]


def get_pods():
    equal(runpod.get_pods(), [])


def create_template():
    made = runpod.create_template(NAME, "busybox:latest", is_serverless=True)
    assert made["id"]


def create_endpoint():
    template = runpod.create_template(f"first {NAME}", "busybox:latest", is_serverless=True)
    made = runpod.create_endpoint(NAME, template["id"], workers_min=0, workers_max=0)
    other = runpod.create_template(f"second {NAME}", "busybox:latest", is_serverless=True)
    changed = runpod.update_endpoint_template(made["id"], other["id"])
    equal(changed["templateId"], other["id"])


def get_endpoints():
    assert JOBS in [one["id"] for one in runpod.get_endpoints()]


def registry_auth():
    made = runpod.create_container_registry_auth(NAME, "person", "password")
    runpod.update_container_registry_auth(made["id"], "person", "changed")
    runpod.delete_container_registry_auth(made["id"])


report(
    {
        "run": run,
        "status": status,
        "output": output,
        "stream": stream,
        "cancel": cancel,
        "run_sync": run_sync,
        "health": health,
        "purge_queue": purge_queue,
        "RuntimeError for a wrong key": refused_key,
        "asyncio: run, status, output": in_asyncio(asyncio_output),
        "asyncio: stream": in_asyncio(asyncio_stream),
        "asyncio: cancel": in_asyncio(asyncio_cancel),
        "get_user": graphql(get_user),
        "get_gpus": graphql(get_gpus),
        "get_pods": graphql(get_pods),
        "create_template": graphql(create_template),
        "create_endpoint, update_endpoint_template": graphql(create_endpoint),
        "get_endpoints": graphql(get_endpoints),
        "create, update, delete_container_registry_auth": graphql(registry_auth),
    }
)
