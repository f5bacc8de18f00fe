/** Runs a program of Hangar as a utility process, behind the interface that the app supervises. */
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { app, utilityProcess } from 'electron';
import type { EngineChild, EngineExit } from '../../app/compose.ts';
import type { LogFile } from '../../app/platform/log.ts';

/** `modulePath` is its bundle; the system lists it as `serviceName`; its output goes to `log`. Call after `ready`. */
export function forkProgram(modulePath: string, serviceName: string, log: LogFile): EngineChild {
  const child = utilityProcess.fork(modulePath, [], { serviceName, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', (line) => log.write(line));
  }
  let killedBy: 'SIGKILL' | 'SIGTERM' | null = null;
  // The exit event has only a number. This event reports a kill from outside.
  function onGone(_event: unknown, details: Electron.Details): void {
    if (details.type !== 'Utility' || details.name !== serviceName || details.reason !== 'killed') return;
    // The number of the signal is in the lowest bits.
    killedBy = (details.exitCode & 0x7f) === constants.signals.SIGTERM ? 'SIGTERM' : 'SIGKILL';
  }
  app.on('child-process-gone', onGone);
  const exited = new Promise<EngineExit>((resolve) => {
    child.once('exit', (code) => {
      // The two events have no fixed order, so the exit is reported one turn later.
      setImmediate(() => {
        app.removeListener('child-process-gone', onGone);
        resolve(killedBy === null ? { code, signal: null } : { code: null, signal: killedBy });
      });
    });
  });

  return {
    get pid() {
      return child.pid;
    },
    send: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void exited.then(listener),
    kill(signal) {
      if (signal === 'SIGTERM') return void child.kill();
      // The kill of a utility process can be ignored, so a signal is used. Without a pid it has already ended.
      if (child.pid !== undefined) process.kill(child.pid, signal);
    },
  };
}
