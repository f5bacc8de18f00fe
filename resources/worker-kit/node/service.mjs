/** The worker's side of the worker protocol: its addresses, keep-alive requests, and patience while the service is away. */
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';

// An import also loads the part of Node that fetches, which takes longer than the rest of the start of a worker.
const http = createRequire(import.meta.url)('node:http');

/** Longer than any long poll is held, so that a connection that died silently is noticed. */
const POLL_TIMEOUT_MS = 90_000;
const POST_TIMEOUT_MS = 60_000;
/** How long a result is kept and offered again while the service cannot be reached. */
const RESULT_PATIENCE_MS = 5 * 60_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1000;
/** What a full service asks its workers to wait. */
const BUSY_PAUSE_MS = 5000;

const isTemporary = (status) => status >= 500 || status === 429;

/** Grows with each failure and starts over after a success. */
export function createBackOff() {
  let nextMs = FIRST_PAUSE_MS;
  return {
    reset: () => (nextMs = FIRST_PAUSE_MS),
    async wait(signal) {
      const ms = nextMs;
      nextMs = Math.min(nextMs * 2, LONGEST_PAUSE_MS);
      // An aborted pause is a pause that is over: whoever aborted it looks at why.
      await pause(ms, undefined, { signal }).catch(() => undefined);
    },
  };
}

/** An address of the protocol as node:http wants it; `$ID` is filled in per job. */
function parseAddress(template, workerId) {
  const url = new URL(template.replaceAll('$RUNPOD_POD_ID', encodeURIComponent(workerId)));
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port || 80, path: url.pathname + url.search };
}

const fill = (address, id) => ({ ...address, path: address.path.replaceAll('$ID', () => encodeURIComponent(id)) });
const withQuery = (address, query) => ({
  ...address,
  path: `${address.path}${/[?&]$/.test(address.path) ? '' : '&'}${query}`,
});

export function createService(env) {
  const workerId = env.RUNPOD_POD_ID;
  const agent = new http.Agent({ keepAlive: true });
  const authorization = env.RUNPOD_AI_API_KEY ?? '';
  const takeAddress = fill(parseAddress(env.RUNPOD_WEBHOOK_GET_JOB, workerId), workerId);
  const stopAddress = { ...takeAddress, path: takeAddress.path.replace('/job-take/', '/job-stop/') };
  const doneAddress = parseAddress(env.RUNPOD_WEBHOOK_POST_OUTPUT, workerId);
  const streamAddress = parseAddress(env.RUNPOD_WEBHOOK_POST_STREAM, workerId);

  /** One request and its whole answer. Rejects only when there was no answer. */
  function send(address, { method = 'GET', body, timeoutMs = POST_TIMEOUT_MS, signal } = {}) {
    return new Promise((resolve, reject) => {
      const headers = { authorization };
      if (body !== undefined) {
        headers['content-type'] = 'application/json';
        headers['content-length'] = Buffer.byteLength(body);
      }
      const request = http.request({ ...address, agent, method, headers, signal }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part) => (text += part));
        response.on('end', () => resolve({ status: response.statusCode, text }));
        response.on('error', reject);
      });
      request.setTimeout(timeoutMs, () => request.destroy(new Error('The service did not answer in time.')));
      request.on('error', reject);
      request.end(body);
    });
  }

  /** Sends until the service has answered for good, as it may be restarting. */
  async function sendPatiently(address, options) {
    const giveUpAt = performance.now() + RESULT_PATIENCE_MS;
    const backOff = createBackOff();
    for (;;) {
      let failure;
      try {
        const answer = await send(address, options);
        if (!isTemporary(answer.status)) return answer;
        failure = new Error(`The service answered ${answer.status}.`);
      } catch (error) {
        failure = error;
      }
      if (performance.now() > giveUpAt) throw failure;
      await backOff.wait();
    }
  }

  return {
    workerId,

    /** The next job, or null when `signal` aborted the wait. `alone`: this worker has no job, and asks nowhere else for one. */
    async take(signal, { alone }) {
      const backOff = createBackOff();
      while (!signal.aborted) {
        try {
          const address = withQuery(takeAddress, `job_in_progress=${alone ? 0 : 1}`);
          const { status, text } = await send(address, { timeoutMs: POLL_TIMEOUT_MS, signal });
          if (status === 200 && text !== '') return JSON.parse(text);
          if (status === 401 || status === 403 || status === 404) {
            throw new NotWantedError(`The service no longer knows this worker (${status}).`);
          }
          if (status === 429) await pause(BUSY_PAUSE_MS, undefined, { signal });
          else if (status === 204 || status === 400) backOff.reset();
          else await backOff.wait(signal);
        } catch (error) {
          if (error instanceof NotWantedError) throw error;
          await backOff.wait(signal);
        }
      }
      return null;
    },

    /** Hands in a result. Answers the next job when `next` asked for one and one was waiting, otherwise null. */
    async finish(jobId, body, { isStream, next, alone }) {
      const more = `${next ? '&next=1' : ''}${alone ? '' : '&job_in_progress=1'}`;
      const address = withQuery(fill(doneAddress, jobId), `isStream=${isStream}${more}`);
      const { status, text } = await sendPatiently(address, { method: 'POST', body });
      if (status === 400 || status === 413) {
        const error = `The service refused the result (${status}): ${text.slice(0, 2000)}`;
        await sendPatiently(withQuery(fill(doneAddress, jobId), 'isStream=false'), {
          method: 'POST',
          body: JSON.stringify({ error }),
        });
        return null;
      }
      if (status >= 300) console.error(`[hangar] The result of job ${jobId} was not taken (${status}).`);
      if (status !== 200 || !next) return null;
      const job = JSON.parse(text || '{}');
      return typeof job.id === 'string' ? job : null;
    },

    /** Tells how far a job is. Not repeated when it fails: the next report replaces it anyway. */
    async progress(jobId, body) {
      await send(withQuery(fill(doneAddress, jobId), 'isStream=false'), { method: 'POST', body });
    },

    /**
     * Opens the request that carries a job's chunks, and answers once it is connected. Up to then nothing can have
     * been lost, so it is tried again; it has a connection of its own, as an idle one may just be going away.
     */
    async openStream(jobId, signal) {
      const address = withQuery(fill(streamAddress, jobId), 'isStream=false&ndjson=1');
      const giveUpAt = performance.now() + RESULT_PATIENCE_MS;
      const backOff = createBackOff();
      for (;;) {
        const request = http.request({
          ...address,
          agent: false,
          method: 'POST',
          headers: { authorization, 'content-type': 'application/x-ndjson' },
        });
        try {
          await new Promise((resolve, reject) => {
            request.once('error', reject);
            request.once('socket', (socket) => socket.once('connect', resolve));
            request.flushHeaders();
          });
          request.removeAllListeners('error');
          return request;
        } catch (error) {
          if (signal.aborted || performance.now() > giveUpAt) throw error;
          await backOff.wait(signal);
        }
      }
    },

    /** Calls `onStop` with the ids of jobs that shall end, for as long as the process lives. */
    async watchStops(onStop) {
      const backOff = createBackOff();
      for (;;) {
        try {
          const { status, text } = await send(stopAddress, { timeoutMs: POLL_TIMEOUT_MS });
          if (status === 404 || status === 405) return;
          if (status !== 200 && status !== 204) await backOff.wait();
          else backOff.reset();
          const ids = status === 200 && text !== '' ? JSON.parse(text).jobsToStop : [];
          if (Array.isArray(ids) && ids.length > 0) onStop(ids);
        } catch {
          // The service is away; jobs cannot be cancelled until it is back.
          await backOff.wait();
        }
      }
    },
  };
}

/** The service answered that this worker has no business here: there is nothing to wait for. */
export class NotWantedError extends Error {
  name = 'NotWantedError';
}
