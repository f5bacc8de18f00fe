/** The parts of node-pty that Hangar uses. The package is optional: the program must compile without it. */
declare module '@lydell/node-pty' {
  /** The module is CommonJS: an import may have all of it under `default`. */
  const module: typeof import('@lydell/node-pty') | undefined;
  export default module;

  export interface Pty {
    readonly pid: number;
    /** Bytes on Linux and macOS, where the encoding is null; text on Windows. */
    onData(listener: (data: Uint8Array | string) => void): void;
    /** Called once, after the last output. `signal`: its number, 0 or undefined if there was none. */
    onExit(listener: (end: { exitCode: number; signal?: number }) => void): void;
    write(data: string): void;
    /** Throws if the terminal has ended. */
    resize(columns: number, rows: number): void;
    pause(): void;
    resume(): void;
    /** On Windows without a signal. */
    kill(signal?: string): void;
  }

  export interface PtyOptions {
    name: string;
    cols: number;
    rows: number;
    cwd: string;
    env: Record<string, string>;
    encoding?: null;
  }

  /** Throws if the system gives no terminal. */
  export function spawn(file: string, args: string[], options: PtyOptions): Pty;
}
