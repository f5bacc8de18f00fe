/**
 * A worker that calls as the public Python SDK calls, one for one: the same addresses made in the same way, headers, bodies, order,
 * waits and repetitions. The SDK itself cannot be had everywhere; this can. Writes each call to the file that CALLS names.
 *
 * Its handler does what the input says: {echo}, {chunks}, {fail}, {hang}, {progress}, {refresh}, {until: file}.
 */
import { appendFileSync, existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

// An import also loads the part of Node that fetches, which takes longer than the rest of the start.
const http = process.getBuiltinModule('node:http');

const { env } = process;
const workerId = env.RUNPOD_POD_ID;
const concurrency = Number(env.CONCURRENCY ?? 1);
const VERSION = '1.12.0';
const AGENT = `RunPod-Python-SDK/${VERSION}(Linux 5.15; x86_64) Language/Python 3.11`;
/** Waits between the three attempts at a result, seconds; a second is longer where the machine is slow. */
const FIBONACCI = [1, 1, 2];
const SECOND_MS = 3000;
const GIVE_UP_TAKE_MS = 90_000;

const running = new Map();
let leaving = false;

const note = (call) => appendFileSync(env.CALLS, `${JSON.stringify({ at: Date.now(), ...call })}\n`);

/** One call; status 0 where there was no answer. */
function call(name, method, url, { body, headers = {}, timeoutMs, signal } = {}) {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const finish = (answer) => {
      note({
        name,
        url,
        status: answer.status,
        tookMs: Math.round(performance.now() - startedAt),
        ...(body && { body }),
      });
      resolve(answer);
    };
    const request = http.request(
      url,
      {
        method,
        signal,
        headers: {
          authorization: env.RUNPOD_AI_API_KEY,
          'user-agent': AGENT,
          'accept-encoding': 'gzip, deflate',
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part) => (text += part));
        response.on('end', () =>
          finish({ status: response.statusCode, text, type: response.headers['content-type'] ?? '' }),
        );
        response.on('error', () => finish({ status: 0, text: '', type: '' }));
      },
    );
    request.setTimeout(timeoutMs ?? 60_000, () => request.destroy(new Error('time-out')));
    request.on('error', () => finish({ status: 0, text: '', type: '' }));
    request.end(body);
  });
}

/** Only what the SDK replaces, and just there. */
const takeUrl = env.RUNPOD_WEBHOOK_GET_JOB.replace('$ID', workerId);
const stopUrl = takeUrl.replace('/job-take/', '/job-stop/');
const forJob = (template, jobId) => template.replace('$RUNPOD_POD_ID', workerId).replace('$ID', jobId);

async function post(name, template, jobId, payload, isStream) {
  const url = `${forJob(template, jobId)}&isStream=${isStream}`;
  const headers = {
    charset: 'utf-8',
    'content-type': 'application/x-www-form-urlencoded',
    'x-request-id': jobId,
  };
  for (const seconds of FIBONACCI) {
    const { status } = await call(name, 'POST', url, { body: JSON.stringify(payload), headers });
    if (status >= 200 && status < 300) return;
    if (seconds !== FIBONACCI.at(-1)) await pause(seconds * SECOND_MS);
  }
}

const result = (jobId, payload, isStream) => post('job-done', env.RUNPOD_WEBHOOK_POST_OUTPUT, jobId, payload, isStream);

async function perform(job, signal) {
  const { input } = job;
  if (input.progress !== undefined) {
    // From a thread of its own: nobody waits for it.
    void result(job.id, { status: 'IN_PROGRESS', output: input.progress }, false);
  }
  if (input.until !== undefined) while (!existsSync(input.until)) await pause(5, undefined, { signal });
  if (input.hang) await pause(2 ** 31 - 1, undefined, { signal });
  if (input.fail !== undefined) {
    const error = { error_type: "<class 'ValueError'>", error_message: input.fail, worker_id: workerId };
    return [
      { error: JSON.stringify({ ...error, error_traceback: '…', hostname: 'h', runpod_version: VERSION }) },
      false,
    ];
  }
  if (input.chunks !== undefined) {
    for (let n = 0; n < input.chunks; n++) {
      await post('job-stream', env.RUNPOD_WEBHOOK_POST_STREAM, job.id, { output: { n } }, false);
    }
    return [{ output: [] }, true];
  }
  if (input.refresh) return [{ output: 'fresh', stopPod: true }, false];
  return [{ output: input.echo ?? null }, false];
}

async function run(job) {
  const stop = new AbortController();
  running.set(job.id, stop);
  try {
    const [payload, isStream] = await perform(job, stop.signal);
    await result(job.id, payload, isStream);
    if (payload.stopPod) leaving = true;
  } catch (error) {
    // The task was cancelled: nothing is sent for it.
    if (error.name !== 'AbortError') throw error;
  } finally {
    running.delete(job.id);
  }
}

async function takeJobs() {
  while (!leaving) {
    const free = concurrency - running.size;
    if (free <= 0) {
      await pause(Number(env.FULL_SLEEP_MS ?? 1000));
      continue;
    }
    const base = free > 1 ? takeUrl.replace('/job-take/', '/job-take-batch/') : takeUrl;
    const url = `${base}&job_in_progress=${running.size > 0 ? 1 : 0}${free > 1 ? `&batch_size=${free}` : ''}`;
    const { status, text, type } = await call('job-take', 'GET', url, {
      headers: { 'content-type': 'application/json' },
      timeoutMs: GIVE_UP_TAKE_MS,
    });
    if (status === 429) await pause(5000);
    if (status !== 200 || !type.startsWith('application/json') || text === '') continue;
    const taken = JSON.parse(text);
    for (const job of Array.isArray(taken) ? taken : [taken]) void run(job);
  }
  while (running.size > 0) await pause(5);
}

async function watchStops() {
  while (!leaving) {
    const { status, text } = await call('job-stop', 'GET', stopUrl, { timeoutMs: GIVE_UP_TAKE_MS });
    const ids = status === 200 ? (JSON.parse(text).jobsToStop ?? []) : [];
    for (const id of ids) running.get(id)?.abort();
    if (ids.length === 0) await pause(1000);
  }
}

async function ping() {
  const interval = Math.floor(Number(env.RUNPOD_PING_INTERVAL ?? 10_000) / 1000);
  const template = env.RUNPOD_WEBHOOK_PING.replace('$RUNPOD_POD_ID', workerId);
  for (;;) {
    const busy = running.size > 0 ? `&job_id=${[...running.keys()].join(',')}` : '';
    await call('ping', 'GET', `${template}${busy}&runpod_version=${VERSION}`, { timeoutMs: 2000 * interval });
    await pause(interval * 1000);
  }
}

// Only noted: an ask that is held goes on, and both loops look at it between two asks.
process.on('SIGTERM', () => (leaving = true));
void ping();
await Promise.all([takeJobs(), watchStops()]);
process.exit(0);
