/** The processes of Chromium: their list, and the news that the process that draws has ended. */
import type { Connection } from './cdp.ts';

interface ChromiumProcess {
  /** As the protocol names it: browser, renderer, GPU, or the name of a service. */
  readonly type: string;
  readonly id: number;
}

/** Chromium reports no end of a process, so its list is compared. */
const EVERY_MS = 100;

export interface Processes {
  /** The last list; empty before the first window. */
  list(): readonly ChromiumProcess[];
  stop(): void;
}

/** Calls `onGpuGone` after the GPU process was replaced by another one. */
export function watchProcesses({ browser }: Connection, onGpuGone: () => void): Processes {
  let last: readonly ChromiumProcess[] = [];
  let gpuId: number | undefined;
  async function read(): Promise<void> {
    const { processInfo } = await browser.send<{ processInfo: ChromiumProcess[] }>('SystemInfo.getProcessInfo');
    last = processInfo;
    const current = processInfo.find(({ type }) => type === 'GPU')?.id;
    if (current === undefined || current === gpuId) return;
    if (gpuId !== undefined) onGpuGone();
    gpuId = current;
  }
  // Chromium may have ended with the app.
  const timer = setInterval(() => void read().catch(() => undefined), EVERY_MS).unref();
  return { list: () => last, stop: () => clearInterval(timer) };
}
