/** Runs jobs through the handler, one at a time: value or chunks, progress, cancel, failure. */
import { createChunkStream, JobGoneError } from './chunkStream.mjs';
import { errorBody, reportsError, resultBody, toJson } from './result.mjs';

const isGenerator = (value) =>
  typeof value === 'object' &&
  value !== null &&
  (Symbol.asyncIterator in value || Object.prototype.toString.call(value) === '[object Generator]');

/** Sends reports one after another; one that is overtaken while it waits is never sent. */
function createProgress(send) {
  let newest = null;
  let sending = null;
  async function sendAll() {
    while (newest !== null) {
      const body = newest;
      newest = null;
      // A report that is lost costs nothing: the next one, or the result, says more.
      await send(body).catch(() => undefined);
    }
    sending = null;
  }
  return {
    report(value) {
      newest = `{"status":"IN_PROGRESS","output":${toJson(value, 'The progress')}}`;
      sending ??= sendAll();
      return sending;
    },
    sent: () => sending,
  };
}

/** Stops for jobs that are not known here, remembered at most. */
const STOPS_KEPT = 64;

/** `shouldContinue` is asked whether a result may bring the next job with its answer. */
export function createJobRun({ service, handler, aggregate, shouldContinue }) {
  let current = null;
  const stoppedEarly = new Set();

  async function runGenerator(chunks, stream, signal) {
    const kept = [];
    let count = 0;
    for await (const chunk of chunks) {
      if (signal.aborted) break;
      if (reportsError(chunk)) return resultBody(chunk);
      const text = toJson(chunk, `Chunk ${count}`);
      count += 1;
      if (aggregate) kept.push(text);
      await stream.push(text);
    }
    return `{"output":[${kept.join(',')}]}`;
  }

  return {
    get jobId() {
      return current?.id ?? null;
    },

    /** Aborts the running job when it is one of `ids`. The others may be on their way: a job and its stop travel apart. */
    stop(ids) {
      for (const id of ids) {
        if (current?.id === id) current.abort.abort(new Error('The job was cancelled.'));
        else stoppedEarly.add(id);
      }
      for (const id of stoppedEarly) if (stoppedEarly.size > STOPS_KEPT) stoppedEarly.delete(id);
    },

    /** Runs one job and hands in its result. Answers the job to go on with, or null. */
    async run(job) {
      if (stoppedEarly.delete(job.id)) return null;
      const abort = new AbortController();
      const { signal } = abort;
      const progress = createProgress((body) => service.progress(job.id, body));
      const stream = createChunkStream({ open: () => service.openStream(job.id, signal) });
      let isStream = false;
      let body;
      current = { id: job.id, abort };
      try {
        const returned = handler(job, { signal, progress: progress.report });
        const result = isGenerator(returned) ? returned : await returned;
        if (isGenerator(result)) {
          isStream = true;
          body = await runGenerator(result, stream, signal);
        } else {
          body = resultBody(result);
        }
      } catch (error) {
        if (error instanceof JobGoneError) abort.abort(error);
        body = errorBody(error, service.workerId);
      }
      if (signal.aborted) stream.abandon();
      else await stream.end().catch((error) => (body = errorBody(error, service.workerId)));
      await progress.sent();
      current = null;
      // Nobody waits for the result of a job that was cancelled.
      if (signal.aborted) return null;
      return service.finish(job.id, body, { isStream, next: shouldContinue() });
    },

    /** Fails the running job for something that was thrown outside of the handler's own call. */
    async fail(error) {
      if (current === null) return;
      const { id } = current;
      current = null;
      await service.finish(id, errorBody(error, service.workerId), { isStream: false, next: false });
    },
  };
}
