/** One open POST per job that carries its chunks, one JSON line each, as the handler yields them. */
import { once } from 'node:events';

/** More than this waiting to be written is written at once, and the handler waits until it is on its way. */
const WRITE_AT_CHARACTERS = 64 * 1024;
/** A handler that computes without pause is interrupted this often, so that its chunks leave and a stop arrives. */
const TURN_AFTER_MS = 4;
const ANSWER_TIMEOUT_MS = 60_000;

/** The service no longer wants this job's chunks: it was cancelled, or it has ended. */
export class JobGoneError extends Error {
  name = 'JobGoneError';
}

export function createChunkStream({ open }) {
  let request = null;
  let answer = null;
  let failure = null;
  let waiting = '';
  let scheduled = null;
  let turnedAt = performance.now();
  let count = 0;
  let ended = false;

  async function connect() {
    request = await open();
    answer = new Promise((resolve) => {
      request.once('response', (response) => {
        response.resume();
        const { statusCode } = response;
        if (statusCode === 404 || statusCode === 409 || statusCode === 410) {
          failure = new JobGoneError(`The service no longer takes chunks of this job (${statusCode}).`);
        } else if (statusCode >= 300) {
          failure = new Error(`The service refused a chunk (${statusCode}).`);
        } else if (!ended) {
          failure = new Error(`The service stopped reading after ${count} chunks were sent.`);
        }
        response.once('close', resolve);
      });
      request.on('error', (error) => {
        failure ??= new Error(`The connection broke after ${count} chunks were sent: ${error.message}`);
        resolve();
      });
    });
  }

  function write() {
    clearImmediate(scheduled);
    scheduled = null;
    turnedAt = performance.now();
    if (failure === null && waiting !== '') request.write(waiting);
    waiting = '';
  }

  return {
    /** Takes one chunk, already JSON. Settles when the handler may go on. */
    async push(text) {
      if (request === null) await connect();
      if (failure !== null) throw failure;
      waiting += `{"output":${text}}\n`;
      count += 1;
      // Chunks of one turn of the event loop leave together.
      scheduled ??= setImmediate(write);
      if (waiting.length < WRITE_AT_CHARACTERS && performance.now() - turnedAt < TURN_AFTER_MS) return;
      await new Promise((resolve) => setImmediate(resolve));
      while (failure === null && request.writableNeedDrain) {
        await Promise.race([once(request, 'drain').catch(() => undefined), answer]);
      }
    },

    /** Settles when the service has every chunk. */
    async end() {
      if (request === null) return;
      write();
      ended = true;
      request.setTimeout(ANSWER_TIMEOUT_MS, () => request.destroy(new Error('The service did not answer in time.')));
      request.end();
      await answer;
      if (failure !== null) throw failure;
    },

    /** Lets go of a job that was cancelled: what was yielded is sent, and nobody waits for the answer. */
    abandon() {
      if (request === null) return;
      write();
      ended = true;
      request.end();
    },
  };
}
