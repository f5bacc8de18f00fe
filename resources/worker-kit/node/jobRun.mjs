/** Runs jobs through the handler, one after the other: value or chunks, progress, cancel, failure. */
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

/** `alone()`: whether this worker has no more than this one job. */
export function createJobRun({ service, handler, aggregate, alone }) {
  let current = null;

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

    /** Aborts the running job, if there is one. */
    stop() {
      current?.abort.abort(new Error('The job was cancelled.'));
    },

    /**
     * Runs one job and hands in its result. `wantsNext` is asked whether that may bring the next job with its answer: `next`,
     * or null. `stopped`: nobody waits for the result of a job that was cancelled.
     */
    async run(job, wantsNext) {
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
      const next = wantsNext();
      current = null;
      if (signal.aborted) return { next: null, stopped: true };
      return { next: await service.finish(job.id, body, { isStream, next, alone: alone() }), stopped: false };
    },

    /** Fails the running job for something that was thrown outside of the handler's own call. */
    async fail(error) {
      if (current === null) return;
      const { id } = current;
      current = null;
      await service.finish(id, errorBody(error, service.workerId), { isStream: false, next: false, alone: true });
    },
  };
}
