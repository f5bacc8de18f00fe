"""Runs jobs through a handler, as many at once as it says: value or chunks, progress, cancel, failure."""

import asyncio
import inspect
import signal
import sys
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor

from .result import error_body, reports_error, result_body, to_json
from .service import JobGone, NotWanted, Service
from .watch import watch_service


def is_async(handler):
    """Whether calling the handler gives something to await."""
    return any(
        inspect.iscoroutinefunction(call) or inspect.isasyncgenfunction(call)
        for call in (handler, getattr(handler, "__call__", None))
    )


class Job:
    """A job while it runs."""

    def __init__(self, job, service):
        self.job = job
        self.id = job["id"]
        self.stopped = False
        self.is_stream = False
        self.cancel = None  # Interrupts an asynchronous handler; None for one that cannot be interrupted.
        self.stream = service.stream(self.id)
        self.kept = []
        self.count = 0

    def encode(self, chunk, keep):
        text = to_json(chunk, f"Chunk {self.count}")
        self.count += 1
        if keep:
            self.kept.append(text)
        return b'{"output":' + text + b"}\n"

    def stream_body(self):
        return b'{"output":[' + b",".join(self.kept) + b"]}"


class Worker:
    """`aggregate`: a generator's chunks are also its result. `refresh`: the process ends after each job.

    `slots(now)`: how many jobs an asynchronous handler has at once, asked at the start and after each job with the number
    there is. Any other handler keeps its process to itself: it has one.
    """

    current = None  # The worker of this process, for progress_update of the stand-in.

    def __init__(self, handler, aggregate=False, refresh=False, slots=None):
        self._handler = handler
        self._aggregate = aggregate
        self._refresh = refresh
        self._slots = slots or (lambda now: now)
        self._service = Service()
        self._running = {}
        self._waiting = set()  # The lanes that have no job.
        self._many = False  # Whether it has ever had more than one lane: what one says then is not true of the others.
        self._stopped_early = deque(maxlen=64)
        self._lock = threading.Lock()
        self._stopping = False

    def run(self):
        """Takes and runs jobs until SIGTERM; the jobs that run then are finished."""
        Worker.current = self
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda *_: self.terminate())
        watch_service(self._service, lambda: list(self._running), self._stop)
        try:
            if is_async(self._handler):
                asyncio.run(self._run_async())
            else:
                self._run_plain()
        except NotWanted as error:
            sys.exit(f"[hangar] {error}")

    def progress(self, job, value):
        """Reports how far `job` is; a job that is not running any more is left alone."""
        body = b'{"status":"IN_PROGRESS","output":' + to_json(value, "The progress") + b"}"
        with self._lock:
            if job["id"] in self._running:
                self._service.progress(job["id"], body)

    def terminate(self):
        """Lets the running jobs finish, takes no other one, and then `run` returns."""
        self._stopping = True
        for lane in list(self._waiting):
            lane.interrupt()

    def _take(self, lane):
        self._waiting.add(lane)
        try:
            return lane.take(lambda: self._stopping, not self._many)
        finally:
            self._waiting.discard(lane)

    def _begin(self, taken):
        job = Job(taken, self._service)
        self._running[job.id] = job
        if job.id in self._stopped_early:
            job.stopped = True
        return job

    def _stop(self, ids):
        # A job and its stop travel apart: the stop may come first.
        self._stopped_early.extend(ids)
        for job_id in ids:
            job = self._running.get(job_id)
            if job is None:
                continue
            job.stopped = True
            if job.cancel is not None:
                try:
                    job.cancel()
                except RuntimeError:
                    pass  # Its event loop has just ended, and the handler with it.

    def _run_plain(self):
        lane = self._service.lane()
        waiting = None
        while True:
            waiting = waiting or self._take(lane)
            if waiting is None:
                return
            job = self._begin(waiting)
            body = None if job.stopped else self._perform_plain(job)
            waiting = self._finish(lane, job, body)

    async def _run_async(self):
        """Each slot is a lane: it takes a job, runs it, hands in the result, and takes the next."""
        self._lanes = set()
        self._fit_lanes()
        while self._lanes:
            ended, _ = await asyncio.wait(set(self._lanes), return_when=asyncio.FIRST_COMPLETED)
            self._lanes -= ended
            for task in ended:
                task.result()

    def _fit_lanes(self):
        """Starts what lanes are missing. Returns whether there is one too many."""
        wanted = max(1, int(self._slots(len(self._lanes) or 1)))
        self._many = self._many or wanted > 1
        while len(self._lanes) < wanted and not self._stopping:
            self._lanes.add(asyncio.get_running_loop().create_task(self._run_lane()))
        return len(self._lanes) > wanted

    async def _run_lane(self):
        """The same as `_run_plain`, but the event loop goes on while the service is waited for."""
        loop = asyncio.get_running_loop()
        lane = self._service.lane()
        with ThreadPoolExecutor(1, "hangar-service") as service_thread:

            def in_thread(run, *args):
                return loop.run_in_executor(service_thread, run, *args)

            waiting = None
            while True:
                waiting = waiting or await in_thread(self._take, lane)
                if waiting is None:
                    return
                job = self._begin(waiting)
                body = None if job.stopped else await self._perform_async(job, self._handler, in_thread)
                is_surplus = self._fit_lanes()
                if is_surplus:
                    # Now, so that another lane that ends with this one does not go for the same reason.
                    self._lanes.discard(asyncio.current_task())
                waiting = await in_thread(self._finish, lane, job, body, not is_surplus)
                if is_surplus:
                    return

    def _finish(self, lane, job, body, ask_next=True):
        if job.stopped:
            job.stream.abandon()
        else:
            try:
                job.stream.end()
            except JobGone:
                job.stopped = True
            except Exception as error:  # The reason belongs to the job.
                body = error_body(error, self._service.worker_id)
        # Whoever reports progress now is done first: a report must not overtake the result.
        with self._lock:
            self._running.pop(job.id, None)
        if self._refresh:
            self.terminate()
        if job.stopped:
            # Nobody waits for the result of a job that was cancelled, only for it to be let go of.
            if self._many:
                self._service.ping(list(self._running))
            return None
        return lane.finish(job.id, body, job.is_stream, ask_next and not self._stopping, not self._many)

    def _perform_plain(self, job):
        try:
            result = self._handler(job.job)
            if inspect.isawaitable(result) or hasattr(result, "__aiter__"):
                return asyncio.run(self._perform_returned(job, result))
            if not inspect.isgenerator(result):
                return result_body(result, self._refresh)
            job.is_stream = True
            for chunk in result:
                if job.stopped:
                    break
                if reports_error(chunk):
                    return result_body(chunk, self._refresh)
                job.stream.push(job.encode(chunk, self._aggregate))
            result.close()
            return job.stream_body()
        except JobGone:
            job.stopped = True
        except Exception as error:  # Whatever a handler raises is the job's own failure.
            return error_body(error, self._service.worker_id)

    async def _perform_returned(self, job, result):
        """For a plain function that returned something to await."""
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1, "hangar-service") as service_thread:
            return await self._perform_async(
                job, lambda _: result, lambda run, *args: loop.run_in_executor(service_thread, run, *args)
            )

    async def _perform_async(self, job, handler, in_thread):
        loop = asyncio.get_running_loop()
        task = loop.create_task(self._consume(job, handler, in_thread))
        job.cancel = lambda: loop.call_soon_threadsafe(task.cancel)
        if job.stopped:
            task.cancel()
        try:
            return await task
        except JobGone:
            job.stopped = True
        except asyncio.CancelledError as error:
            if not job.stopped:
                return error_body(error, self._service.worker_id)
        except Exception as error:  # Whatever a handler raises is the job's own failure.
            return error_body(error, self._service.worker_id)

    async def _consume(self, job, handler, in_thread):
        result = handler(job.job)
        if inspect.isawaitable(result):
            result = await result
        if not hasattr(result, "__aiter__"):
            return result_body(result, self._refresh)
        job.is_stream = True
        try:
            async for chunk in result:
                if reports_error(chunk):
                    return result_body(chunk, self._refresh)
                await in_thread(job.stream.push, job.encode(chunk, self._aggregate))
        finally:
            if hasattr(result, "aclose"):
                await result.aclose()
        return job.stream_body()
