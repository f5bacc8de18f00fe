/** A thread beside the handler: tells the service that this worker lives, and ends it when its parent has died. */
import { createRequire } from 'node:module';
import net from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

// As in service.mjs: an import also loads the part of Node that fetches.
const http = createRequire(import.meta.url)('node:http');

const { pingUrl, authorization, intervalMs, jobIdsMemory } = workerData;
const header = new Int32Array(jobIdsMemory, 0, 1);
const bytes = new Uint8Array(jobIdsMemory, 4);
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

function ping() {
  const jobIds = new TextDecoder().decode(bytes.slice(0, Atomics.load(header, 0)));
  const busy = jobIds === '' ? '' : `&job_id=${jobIds}`;
  const request = http.get(`${pingUrl}${busy}`, { agent, headers: { authorization }, timeout: 2 * intervalMs });
  request.on('response', (response) => response.resume());
  request.on('timeout', () => request.destroy());
  // The service is away; the next ping tells.
  request.on('error', () => undefined);
}

/** Ends this process at once and, where it leads a process group, everything it started. */
function endAll() {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    // It leads no group, or the system has none.
  }
  process.kill(process.pid, 'SIGKILL');
}

/** Standard input is a pipe that the parent never closes: its end is the parent's end. */
function watchParent() {
  let input;
  try {
    input = new net.Socket({ fd: 0, readable: true, writable: false });
  } catch {
    // Not a pipe: started by hand, there is no parent to watch.
    return;
  }
  // `stop` on a line of its own asks what SIGTERM asks, for systems without signals.
  input.on('data', (data) => {
    if (data.toString().includes('stop')) parentPort.postMessage('stop');
  });
  input.on('error', endAll);
  input.on('close', endAll);
}

watchParent();
if (pingUrl !== undefined && authorization !== '') {
  ping();
  setInterval(ping, intervalMs);
  // A job was let go of: the service waits to hear that.
  parentPort.on('message', ping);
}
