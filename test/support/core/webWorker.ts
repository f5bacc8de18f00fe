/** A setup file of component specs: `Worker` of the browser, which jsdom lacks, as a real thread of Node. */
import { Worker as Thread } from 'node:worker_threads';

/** Runs first in the thread: what a module of a web worker finds there. */
const PRELUDE = `
const { parentPort, workerData } = require('node:worker_threads');
globalThis.postMessage = (data) => parentPort.postMessage(data);
globalThis.addEventListener = (type, listener) =>
  parentPort.on(type, (data) => listener(new MessageEvent(type, { data })));
import(workerData);
`;

/** What the page uses of a worker of the browser. Its module is a file of the sources. */
class WebWorker extends EventTarget implements Worker {
  onmessage = null;
  onmessageerror = null;
  onerror = null;
  readonly #thread: Thread;

  constructor(address: URL | string) {
    super();
    // Vitest writes the path from the root of the repository.
    const module = `file://${process.cwd()}${new URL(address).pathname}`;
    this.#thread = new Thread(PRELUDE, { eval: true, workerData: module });
    this.#thread.on('message', (data: unknown) => this.dispatchEvent(new MessageEvent('message', { data })));
    this.#thread.on('error', () => this.dispatchEvent(new Event('error')));
  }

  postMessage(message: unknown): void {
    this.#thread.postMessage(message);
  }

  terminate(): void {
    void this.#thread.terminate();
  }
}

globalThis.Worker = WebWorker;
