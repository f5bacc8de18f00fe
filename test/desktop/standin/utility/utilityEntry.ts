/** Loaded first in every utility process: gives it a parentPort, and takes away what Electron's does not have. */
import { createCodec } from '../codec.ts';
import { Emitter } from '../chromium/represented.ts';

const codec = createCodec();
const send = process.send?.bind(process);
const queue: unknown[] = [];
let started = false;

class ParentPort extends Emitter {
  constructor() {
    super(['message']);
  }

  // A listener starts the port, as in Electron.
  override on(event: string | symbol, listener: (...args: never[]) => void): this {
    super.on(event, listener);
    this.start();
    return this;
  }

  start(): void {
    started = true;
    for (const data of queue.splice(0)) this.emit('message', { data, ports: [] });
  }

  pause(): void {
    started = false;
  }

  postMessage(message: unknown): void {
    // The callback takes the error of a main process that has just ended.
    send?.(codec.encode(message), undefined, undefined, () => undefined);
  }
}

const parentPort = new ParentPort();
process.on('message', (coded) => {
  const data = codec.decode(coded);
  if (started) parentPort.emit('message', { data, ports: [] });
  else queue.push(data);
});
// Electron ends its utility processes when the main process is gone.
process.on('disconnect', () => process.exit(1));

const { on } = process;
Object.assign(process, {
  parentPort,
  type: 'utility',
  send: undefined,
  disconnect: undefined,
  // Neither the channel nor its messages exist for the program.
  on(this: NodeJS.Process, event: string, listener: () => void) {
    return event === 'message' || event === 'disconnect' ? this : on.call(this, event, listener);
  },
});
const executable = process.env['HANGAR_STANDIN_EXECUTABLE'];
delete process.env['HANGAR_STANDIN_EXECUTABLE'];
if (executable) process.execPath = executable;
Object.assign(process.versions, { electron: '45' });
