/** Forks a program of Hangar as a plain child process and writes its output to a log. */
import { fork, type ChildProcess } from 'node:child_process';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import type { EngineChild, EngineExit } from '../../app/compose.ts';
import type { LogFile } from '../../app/platform/log.ts';

export interface ForkOptions {
  /** Its bundle, or its source entry. */
  program: string;
  nodeFlags: readonly string[];
  log: LogFile;
  /** Called with every line, for hosts that show the output. */
  onLine: (line: string) => void;
  /** A process of the program that runs already; absent or null: one is started. */
  running?: ChildProcess | null;
}

const startProgram = (program: string, nodeFlags: readonly string[], env: NodeJS.ProcessEnv): ChildProcess =>
  fork(program, [], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [...nodeFlags],
    // A separate process group: Ctrl+C reaches only this program, which then stops its children in order.
    detached: process.platform !== 'win32',
  });

/**
 * Starts a program before its messages and output have a reader: both are kept until `forkProgram` gets the process.
 * Returns a function that answers the process once; null after that, and if the process has ended.
 */
export function startAhead(
  program: string,
  nodeFlags: readonly string[],
  env: NodeJS.ProcessEnv,
): () => ChildProcess | null {
  let child: ChildProcess | null = startProgram(program, nodeFlags, env);
  const forget = (): void => {
    child = null;
  };
  child.on('exit', forget).on('error', forget);
  return () => {
    const taken = child;
    taken?.off('exit', forget).off('error', forget);
    child = null;
    return taken;
  };
}

/** Forks a program, or takes the process that runs already. */
export function forkProgram({ program, nodeFlags, log, onLine, running }: ForkOptions): EngineChild {
  const child = running ?? startProgram(program, nodeFlags, process.env);
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on('line', (line) => {
      log.write(line);
      onLine(line);
    });
  }
  return {
    get pid() {
      return child.pid;
    },
    send(message) {
      child.send(message, (error) => {
        if (error) log.write(`a message did not reach ${basename(program)}: ${error.message}`);
      });
    },
    onMessage: (listener) => void child.on('message', listener),
    onExit(listener) {
      const once = (exit: EngineExit): void => {
        child.off('exit', ended);
        listener(exit);
      };
      const ended = (code: number | null, signal: string | null): void => once({ code, signal });
      child.on('exit', ended);
      child.on('error', (error) => {
        log.write(`${basename(program)}: ${error.message}`);
        // Without a process id it never started, so no exit event follows.
        if (child.pid === undefined) once({ code: null, signal: null });
      });
    },
    kill: (signal) => void child.kill(signal),
  };
}
