"""The worker's side of the worker protocol: its addresses, keep-alive requests, and patience while the service is away."""

import http.client
import json
import os
import socket
import sys
import time
from urllib.parse import quote, urlsplit

# Longer than any long poll is held, so that a connection that died silently is noticed.
POLL_TIMEOUT_S = 90
POST_TIMEOUT_S = 60
# How long a result is kept and offered again while the service cannot be reached.
RESULT_PATIENCE_S = 300
FIRST_PAUSE_S = 0.02
LONGEST_PAUSE_S = 1.0
# What a full service asks its workers to wait.
BUSY_PAUSE_S = 5

# What http.client raises when there was no answer.
NO_ANSWER = (OSError, http.client.HTTPException)


class NotWanted(Exception):
    """The service answered that this worker has no business here: there is nothing to wait for."""


class JobGone(Exception):
    """The service no longer wants this job's chunks: it was cancelled, or it has ended."""


class BackOff:
    """Grows with each failure and starts over after a success."""

    def __init__(self):
        self.reset()

    def reset(self):
        self._next = FIRST_PAUSE_S

    def wait(self):
        time.sleep(self._next)
        self._next = min(self._next * 2, LONGEST_PAUSE_S)


class Link:
    """One keep-alive connection, used by one thread at a time."""

    def __init__(self, origin, authorization):
        self._origin = origin
        self._headers = {"Authorization": authorization}
        self._connection = None

    def send(self, method, path, body=None, timeout=POST_TIMEOUT_S):
        """One request and its whole answer: (status, bytes). Raises one of NO_ANSWER when there was none."""
        if self._connection is None:
            self._connection = http.client.HTTPConnection(self._origin.hostname, self._origin.port or 80)
        connection = self._connection
        connection.timeout = timeout
        if connection.sock is not None:
            connection.sock.settimeout(timeout)
        headers = self._headers if body is None else {**self._headers, "Content-Type": "application/json"}
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response.status, response.read()
        except NO_ANSWER:
            connection.close()
            raise

    def send_patiently(self, method, path, body):
        """Sends until the service has answered for good, as it may be restarting."""
        give_up_at = time.monotonic() + RESULT_PATIENCE_S
        back_off = BackOff()
        while True:
            try:
                status, answer = self.send(method, path, body)
                if status < 500 and status != 429:
                    return status, answer
                failure = ConnectionError(f"The service answered {status}.")
            except NO_ANSWER as error:
                failure = error
            if time.monotonic() > give_up_at:
                raise failure
            back_off.wait()

    def interrupt(self):
        """Makes a request that another thread waits for fail now."""
        sock = self._connection.sock if self._connection else None
        if sock is not None:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # It was closed already: nobody waits for it any more.


def with_query(path, query):
    return path + ("" if path[-1] in "?&" else "&") + query


class Lane:
    """Where one job after the other comes from: takes a job, hands in its result. Belongs to one thread."""

    def __init__(self, link, take_path, done_path):
        self._jobs = link
        self._take_path = take_path
        self._done_path = done_path

    def take(self, stopping, alone):
        """The next job, or None when `stopping()` has become true (see `interrupt`).

        `alone`: this worker has no job, and asks nowhere else for one.
        """
        path = with_query(self._take_path, "job_in_progress=" + ("0" if alone else "1"))
        back_off = BackOff()
        while not stopping():
            try:
                status, answer = self._jobs.send("GET", path, timeout=POLL_TIMEOUT_S)
            except NO_ANSWER:
                if not stopping():
                    back_off.wait()
                continue
            if status == 200 and answer:
                return json.loads(answer)
            if status in (401, 403, 404):
                raise NotWanted(f"The service no longer knows this worker ({status}).")
            if status == 429:
                time.sleep(BUSY_PAUSE_S)
            elif status in (204, 400):
                back_off.reset()
            else:
                back_off.wait()
        return None

    def interrupt(self):
        """Makes a `take` that another thread waits for look again whether it is to go on. Safe from any thread."""
        self._jobs.interrupt()

    def finish(self, job_id, body, is_stream, ask_next, alone):
        """Hands in a result. Returns the next job when one was asked for and was waiting, otherwise None."""
        path = self._done_path.replace("$ID", quote(job_id, safe=""))
        query = "isStream=" + ("true" if is_stream else "false") + ("&next=1" if ask_next else "")
        query += "" if alone else "&job_in_progress=1"
        status, answer = self._jobs.send_patiently("POST", with_query(path, query), body)
        if status in (400, 413):
            reason = f"The service refused the result ({status}): {answer[:2000].decode('utf-8', 'replace')}"
            refusal = json.dumps({"error": reason}).encode()
            self._jobs.send_patiently("POST", with_query(path, "isStream=false"), refusal)
            return None
        if status >= 300:
            print(f"[hangar] The result of job {job_id} was not taken ({status}).", file=sys.stderr)
        if status != 200 or not ask_next:
            return None
        job = json.loads(answer or b"{}")
        return job if "id" in job else None


class Service:
    """All requests of one worker, but for those of its lanes. Each stream belongs to one thread, the other calls may come from any."""

    def __init__(self, env=os.environ):
        self.worker_id = env["RUNPOD_POD_ID"]
        self._authorization = env.get("RUNPOD_AI_API_KEY", "")
        self._take_path = self._path(env["RUNPOD_WEBHOOK_GET_JOB"].replace("$ID", quote(self.worker_id, safe="")))
        self._done_path = self._path(env["RUNPOD_WEBHOOK_POST_OUTPUT"])
        self._stream_path = self._path(env["RUNPOD_WEBHOOK_POST_STREAM"])
        self._ping_path = self._path(env["RUNPOD_WEBHOOK_PING"]) if "RUNPOD_WEBHOOK_PING" in env else None
        self.ping_interval = int(env.get("RUNPOD_PING_INTERVAL") or 10000) / 1000
        self._origin = urlsplit(env["RUNPOD_WEBHOOK_GET_JOB"])
        self._progress, self._pings, self._stops = (self._link() for _ in range(3))

    def _link(self):
        return Link(self._origin, self._authorization)

    def _path(self, template):
        parts = urlsplit(template.replace("$RUNPOD_POD_ID", quote(self.worker_id, safe="")))
        return f"{parts.path}?{parts.query}"

    def lane(self):
        return Lane(self._link(), self._take_path, self._done_path)

    def progress(self, job_id, body):
        """Tells how far a job is. Not repeated when it fails: the next report replaces it anyway."""
        path = with_query(self._done_path.replace("$ID", quote(job_id, safe="")), "isStream=false")
        try:
            self._progress.send("POST", path, body, timeout=5)
        except NO_ANSWER:
            pass

    def ping(self, job_ids):
        if self._ping_path is None:
            return
        names = ",".join(quote(job_id, safe="") for job_id in job_ids)
        path = with_query(self._ping_path, f"job_id={names}") if names else self._ping_path
        try:
            self._pings.send("GET", path, timeout=2 * self.ping_interval)
        except NO_ANSWER:
            pass  # The service is away; the next ping tells.

    def watch_stops(self, on_stop):
        """Calls `on_stop` with the ids of jobs that shall end, for as long as the process lives."""
        path = self._take_path.replace("/job-take/", "/job-stop/")
        back_off = BackOff()
        while True:
            try:
                status, answer = self._stops.send("GET", path, timeout=POLL_TIMEOUT_S)
            except NO_ANSWER:
                back_off.wait()
                continue
            if status in (404, 405):
                return
            if status not in (200, 204):
                back_off.wait()
                continue
            back_off.reset()
            ids = json.loads(answer).get("jobsToStop") if status == 200 and answer else None
            if ids:
                on_stop(ids)

    def stream(self, job_id):
        path = with_query(self._stream_path.replace("$ID", quote(job_id, safe="")), "isStream=false&ndjson=1")
        return ChunkStream(self._origin, path, self._authorization)


class ChunkStream:
    """One open POST that carries a job's chunks, one JSON line each, as the handler yields them."""

    def __init__(self, origin, path, authorization):
        self._origin = origin
        self._path = path
        self._authorization = authorization
        self._connection = None
        self._count = 0

    def _open(self):
        """Up to the first chunk nothing can have been lost, so connecting is tried again while the service is away."""
        give_up_at = time.monotonic() + RESULT_PATIENCE_S
        back_off = BackOff()
        while True:
            connection = http.client.HTTPConnection(self._origin.hostname, self._origin.port or 80, timeout=POST_TIMEOUT_S)
            try:
                connection.connect()
                break
            except OSError:
                if time.monotonic() > give_up_at:
                    raise
                back_off.wait()
        connection.putrequest("POST", self._path)
        connection.putheader("Authorization", self._authorization)
        connection.putheader("Content-Type", "application/x-ndjson")
        connection.putheader("Transfer-Encoding", "chunked")
        connection.endheaders()
        self._connection = connection

    def push(self, line):
        """Sends one chunk, a line of JSON as bytes; waits while the service is behind."""
        if self._connection is None:
            self._open()
        try:
            self._connection.send(b"%x\r\n%b\r\n" % (len(line), line))
            self._count += 1
        except OSError as error:
            self._explain(error)

    def end(self):
        """Returns when the service has every chunk."""
        if self._connection is None:
            return
        try:
            self._connection.send(b"0\r\n\r\n")
        except OSError as error:
            self._explain(error)
        self._read_answer()
        self._connection.close()

    def abandon(self):
        """Lets go of a job that was cancelled; what was sent has been sent."""
        if self._connection is None:
            return
        try:
            self._connection.send(b"0\r\n\r\n")
        except OSError:
            pass  # The service has let go of it first.
        self._connection.close()

    def _read_answer(self):
        try:
            response = self._connection.getresponse()
            response.read()
        except NO_ANSWER as error:
            raise ConnectionError(f"The connection broke after {self._count} chunks were sent: {error}") from error
        if response.status in (404, 409, 410):
            raise JobGone(f"The service no longer takes chunks of this job ({response.status}).")
        if response.status >= 300:
            raise ConnectionError(f"The service refused a chunk ({response.status}).")

    def _explain(self, error):
        """A write failed: the answer that came too early says why, where there is one."""
        self._read_answer()
        raise ConnectionError(f"The service stopped reading after {self._count} chunks were sent.") from error
