/** A child program of Hangar: a plain child process, or a utility process of the desktop program. */

export interface ChildExit {
  code: number | null;
  signal: string | null;
}

/** Messages are structured and travel through a pipe, never on a command line. */
export interface ChildProgram {
  readonly pid: number | undefined;
  send(message: object): void;
  onMessage(listener: (message: unknown) => void): void;
  onExit(listener: (exit: ChildExit) => void): void;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}
