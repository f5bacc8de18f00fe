/**
 * Fails a test that leaves a timer, child process, socket, listener or port behind. A Vitest setup file of every
 * project.
 */

import { createHook } from 'node:async_hooks';
import { ChildProcess } from 'node:child_process';
import { Server, Socket } from 'node:net';
import { setTimeout as later } from 'node:timers/promises';
import { afterEach, beforeEach } from 'vitest';

/**
 * Closing is asynchronous: a test has this long for what it closed to be gone. Nothing left means no waiting at all.
 */
const SETTLE_MS = 30_000;
const LOOK_AGAIN_MS = 20;

interface Timer {
  readonly resource: { hasRef?(): boolean };
  /** Formatted only when the timer turns out to be left. */
  readonly setAt: Error;
}

function followTimers(): Map<number, Timer> {
  const set = new Map<number, Timer>();
  createHook({
    init(id, kind, _trigger, resource) {
      if (kind === 'Timeout' || kind === 'Immediate') set.set(id, { resource, setAt: new Error('set') });
    },
    destroy(id) {
      set.delete(id);
    },
    // Without promises the hook costs nothing that could be measured.
    trackPromises: false,
  }).enable();
  return set;
}

/**
 * Vitest runs this file anew for each spec, also where the specs of a process share its modules. One hook for each of
 * them would make every timer of the last specs some hundred times as slow.
 */
const ofProcess = globalThis as { hangarTestTimers?: Map<number, Timer> };
const timers = (ofProcess.hangarTestTimers ??= followTimers());

/** The line of code that set the timer: the first frame outside Node and outside the hook above. */
function setBy({ setAt }: Timer): string {
  const frames = (setAt.stack ?? '').split('\n').slice(2);
  return frames.find((frame) => !frame.includes('node:'))?.trim() ?? '';
}

/** Ours counts even when unref'd; a package's own only when it keeps the process alive; the test runner's never. */
function isLeft(timer: Timer): boolean {
  const frame = setBy(timer);
  if (/node_modules[\\/]@?vitest\b|leakCheck\.ts/.test(frame)) return false;
  const ours = frame !== '' && !/[\\/]node_modules[\\/]/.test(frame);
  return ours || (timer.resource.hasRef?.() ?? true);
}

// Node documents no other way to get at the open handles themselves; `getActiveResourcesInfo` tells only their kinds.
const openHandles = (process as unknown as { _getActiveHandles(): object[] })._getActiveHandles.bind(process);

interface Open {
  readonly handles: ReadonlySet<object>;
  readonly timers: ReadonlySet<number>;
}

const openNow = (): Open => ({ handles: new Set(openHandles()), timers: new Set(timers.keys()) });

/**
 * True for what the test does not own: standard streams, and connections a server from before the test has accepted.
 */
function isForeign(handle: object, before: Open): boolean {
  if (handle === process.stdin || handle === process.stdout || handle === process.stderr) return true;
  const server = (handle as { server?: object | null }).server;
  return handle instanceof Socket && server != null && before.handles.has(server);
}

function describe(handle: object): string {
  if (handle instanceof ChildProcess) return `child process ${handle.pid} (${handle.spawnargs.join(' ')})`;
  if (handle instanceof Server) return `listener on ${JSON.stringify(handle.address())}`;
  if (handle instanceof Socket) {
    return handle.remotePort === undefined
      ? 'pipe'
      : `socket from port ${handle.localPort} to ${handle.remoteAddress}:${handle.remotePort}`;
  }
  return handle.constructor.name;
}

function leaksSince(before: Open): string[] {
  const handles = openHandles().filter((handle) => !before.handles.has(handle) && !isForeign(handle, before));
  const left = [...timers].filter(([id, timer]) => !before.timers.has(id) && isLeft(timer));
  return [...handles.map(describe), ...left.map(([, timer]) => `timer ${setBy(timer)}`)];
}

let before: Open = openNow();

// Hooks of a setup file run first before a test and last after it, so whatever a spec opens in beforeAll is already
// there.
beforeEach(() => {
  before = openNow();
});

afterEach(async () => {
  const giveUpAt = performance.now() + SETTLE_MS;
  let leaks = leaksSince(before);
  while (leaks.length > 0 && performance.now() < giveUpAt) {
    await later(LOOK_AGAIN_MS);
    leaks = leaksSince(before);
  }
  if (leaks.length > 0) throw new Error(`The test left open:\n${leaks.map((leak) => `  - ${leak}`).join('\n')}`);
});
