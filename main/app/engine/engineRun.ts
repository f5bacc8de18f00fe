/** One run of the engine's process, from its fork to its end. */
import { exitText } from '../crashes/restartPolicy.ts';
import type { ChildExit, ChildProgram } from '../platform/childProgram.ts';

export interface Run {
  child: ChildProgram;
  ready: boolean;
  exited: Promise<ChildExit>;
  /** True after a requested stop, which must not count as a crash. */
  ending: boolean;
  /** The engine's last message about its end; null if there was none. */
  lastWord: string | null;
  /** How many pings it has not answered since its last answer. */
  unanswered: number;
  /** When the first of them was sent, in milliseconds since the epoch. */
  unansweredSince: number;
}

/** A sentence for a person about an end that nobody requested. */
export const causeOf = ({ lastWord }: Run, exit: ChildExit): string =>
  `The engine ended unexpectedly (${exitText(exit)}).${lastWord === null ? '' : ` ${lastWord}`}`;

/** `onCrash` gets an end that nobody requested, and its cause for a person. */
export function createRun(child: ChildProgram, onCrash: ((exit: ChildExit, cause: string) => void) | undefined): Run {
  const exited = new Promise<ChildExit>((resolve) => child.onExit(resolve));
  const run: Run = { child, ready: false, exited, ending: false, lastWord: null, unanswered: 0, unansweredSince: 0 };
  // Registered before everything else that waits for the end: a failed start counts as requested afterwards.
  void exited.then((exit) => {
    if (!run.ending) onCrash?.(exit, causeOf(run, exit));
  });
  return run;
}

/** Ends a run at once. It does not count as a crash. */
export function killRun(run: Run): void {
  run.ending = true;
  run.child.kill('SIGKILL');
}
