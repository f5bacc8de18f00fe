/** Runs nvidia-smi in a loop: starts it, restarts it with another pace, and kills it when it is silent. */
import { spawn, type ChildProcess } from 'node:child_process';
import type { Cancel, Clock } from '../../../domain/core/ports.ts';
import { inherited } from '../../process/envAllowlist.ts';
import { firstLine } from '../runTool.ts';
import { loadParts } from './loads.ts';

/** nvidia-smi writes a whole report at once: a pause of this length marks its end, milliseconds. */
const REPORT_ENDS_MS = 150;
/** A driver that hangs writes nothing. nvidia-smi is killed when a report is this late, milliseconds. */
const SILENCE_MS = 20_000;
const LONGEST_REPORT = 2 ** 20;
const KILL_PATIENCE_MS = 2000;

export interface ReportLoop {
  /** Seconds between two reports of the running program; null while none runs. */
  pace(): number | null;
  /** Starts the program. It replaces a running one. */
  start(seconds: number): void;
  /** Resolves once no program runs. */
  stop(): Promise<void>;
}

export interface ReportLoopOptions {
  clock: Clock;
  program: string;
  /** The environment of the engine. */
  env: NodeJS.ProcessEnv;
  /** `count`: the number of reports since the start of the program, including this one. */
  onReport(report: string, count: number): void;
  /** Called when the program ends by itself, or cannot start. */
  onFailure(reason: string): void;
}

export function createReportLoop({ clock, program, env, onReport, onFailure }: ReportLoopOptions): ReportLoop {
  let current: { child: ChildProcess; seconds: number } | null = null;
  /** The programs that have not ended: the current one, and those that are being stopped. */
  const alive = new Map<ChildProcess, Promise<void>>();

  function start(seconds: number): void {
    void current?.child.kill();
    const child = spawn(program, ['-q', '-d', loadParts, '-l', String(seconds)], {
      env: inherited(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let report = '';
    let complaint = '';
    let count = 0;
    let cancelReportEnd: Cancel | null = null;
    let cancelSilence: Cancel | null = null;
    const awaitReport = (): void => {
      cancelSilence?.();
      cancelSilence = clock.after(seconds * 1000 + SILENCE_MS, () => {
        complaint = `nvidia-smi has not answered for ${seconds + SILENCE_MS / 1000} s`;
        child.kill('SIGKILL');
      });
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      report = (report + text).slice(-LONGEST_REPORT);
      awaitReport();
      cancelReportEnd?.();
      cancelReportEnd = clock.after(REPORT_ENDS_MS, () => {
        cancelReportEnd = null;
        const whole = report;
        report = '';
        if (current?.child === child) onReport(whole, ++count);
      });
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint = (complaint + text).slice(-2000)));
    const exited = new Promise<void>((resolve) => {
      const end = (reason: string): void => {
        cancelReportEnd?.();
        cancelSilence?.();
        alive.delete(child);
        if (current?.child === child) {
          current = null;
          onFailure(`nvidia-smi: ${reason}`);
        }
        resolve();
      };
      child.once('error', (error) => end(error.message));
      child.once('close', (code, signal) =>
        end(firstLine(`${complaint}\n${report}`) ?? `it ended by itself (${signal ?? `exit code ${code}`})`),
      );
    });
    alive.set(child, exited);
    current = { child, seconds };
    awaitReport();
  }

  return {
    pace: () => current?.seconds ?? null,
    start,
    async stop() {
      current = null;
      for (const child of alive.keys()) child.kill();
      const cancelForce = clock.after(KILL_PATIENCE_MS, () => {
        for (const child of alive.keys()) child.kill('SIGKILL');
      });
      await Promise.all(alive.values());
      cancelForce();
    },
  };
}
