/** What the parts of one launch share: its Chromium and what the process is called. */
import type { Chromium } from './chromium.ts';
import type { Processes } from './processes.ts';

interface Runtime {
  chromium: Chromium | undefined;
  processes: Processes | undefined;
  /** True once `ready` was emitted: much of Electron may not be used before. */
  ready: boolean;
  readonly versions: { electron: string; chrome: string };
}

export const runtime: Runtime = {
  chromium: undefined,
  processes: undefined,
  ready: false,
  versions: { electron: '', chrome: '' },
};

export function chromium(): Chromium {
  if (!runtime.chromium) throw new Error('no window can be made before Chromium was started');
  return runtime.chromium;
}

export function afterReady(what: string): void {
  if (!runtime.ready) throw new Error(`${what} can only be used after the app's 'ready' event`);
}
