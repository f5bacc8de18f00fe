/** A program of ours as a utility process, in the form the app supervises. */
import { createInterface } from 'node:readline';
import { app, utilityProcess } from 'electron';
import type { EngineChild } from '../../app/compose.ts';
import type { LogFile } from '../../app/platform/log.ts';

/** `modulePath` is its bundle, `serviceName` what the system lists it as; what it prints goes to `log`. Call after `ready`. */
export function forkProgram(modulePath: string, serviceName: string, log: LogFile): EngineChild {
  const child = utilityProcess.fork(modulePath, [], { serviceName, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', (line) => log.write(line));
  }
  let killed = false;
  // The exit event carries a number only; that somebody killed it is said here.
  app.on('child-process-gone', function onGone(_event, details) {
    if (details.type === 'Utility' && details.name === serviceName) killed = details.reason === 'killed';
    child.once('exit', () => app.removeListener('child-process-gone', onGone));
  });

  return {
    get pid() {
      return child.pid;
    },
    send: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) =>
      void child.once('exit', (code) => {
        // The two events have no fixed order, so the exit is reported one turn later.
        setImmediate(() => listener(killed ? { code: null, signal: 'SIGKILL' } : { code, signal: null }));
      }),
    kill(signal) {
      if (signal === 'SIGTERM') return void child.kill();
      // A utility process has no kill that cannot be ignored; without a pid it has ended already.
      if (child.pid !== undefined) process.kill(child.pid, signal);
    },
  };
}
