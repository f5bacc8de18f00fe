import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkerService } from './service.ts';

const kit = fileURLToPath(new URL('../../../resources/worker-kit/', import.meta.url));

const python = process.env['HANGAR_PYTHON'] ?? 'python3';
export const hasPython = spawnSync(python, ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0;

const commands = {
  node: { program: process.execPath, harness: path.join(kit, 'node', 'harness.mjs'), file: 'handler.mjs' },
  python: { program: python, harness: path.join(kit, 'python', 'harness.py'), file: 'handler.py' },
};
export type Runtime = keyof typeof commands;

export interface HarnessRun {
  readonly child: ChildProcess;
  /** Standard output and error so far. */
  output(): string;
  /** Makes an empty file in the handler's folder: what a handler of the tests waits for. */
  open(gate: string): void;
  /** Code or signal, once it has ended. */
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
  /** Ends it, if it has not ended, and removes its folder. */
  dispose(): Promise<void>;
}

export interface HarnessOptions {
  env?: Record<string, string>;
  /** The handler's file name, where it is not the usual one. */
  file?: string;
  /** Further files of the handler's folder, by their path in it. */
  files?: Record<string, string>;
  /** Of the harness: the handler's file, and what is passed to it. */
  args?: string[];
}

/** Starts a worker of our kit on a handler, the way the engine does. */
export function startHarness(
  runtime: Runtime,
  handler: string,
  service: WorkerService,
  { env = {}, file, files = {}, args = [] }: HarnessOptions = {},
): HarnessRun {
  const command = commands[runtime];
  const folder = mkdtempSync(path.join(tmpdir(), 'hangar-handler-'));
  for (const [name, text] of Object.entries({ [file ?? command.file]: handler, ...files })) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  const child = spawn(command.program, [command.harness, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PYTHONUNBUFFERED: '1', ...service.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => (output += text));
  }
  const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  return {
    child,
    output: () => output,
    open: (gate) => writeFileSync(path.join(folder, gate), ''),
    ended,
    async dispose() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether a process runs. One that has ended and waits for its parent to notice does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    // There is no such process any more.
    return false;
  }
}
