/** A program of ours as a child, as its host made it: a plain child process, or a utility process of the desktop's. */

export interface ChildExit {
  code: number | null;
  signal: string | null;
}

/** Messages are structured and travel over a pipe, never as text on a command line. */
export interface ChildProgram {
  readonly pid: number | undefined;
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  onExit(listener: (exit: ChildExit) => void): void;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}
