/**
 * A browser that is measured without Playwright. Playwright listens to the exceptions of each page, and V8 then looks up
 * the source position of each error that is made: React makes four while it loads, which cost a third of the start.
 * A person has a browser that nobody inspects.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { chromiumFlags, findChromium } from '../../../scripts/chromium.mjs';

const POLL_MS = 50;
const START_MS = 60_000;
const READY_MS = 60_000;

export interface PlainBrowser extends AsyncDisposable {
  /**
   * Milliseconds from the navigation to `address`, with empty caches, until an element fits `selector`, on a processor
   * that is `throttle` times slower.
   */
  msUntilReady(address: string, selector: string, throttle: number): Promise<number>;
}

type Result = Record<string, unknown>;
type Send = (method: string, params?: object, sessionId?: string) => Promise<Result>;

/** A connection to the debugging address of a browser. */
async function connect(address: string): Promise<{ send: Send; close: () => void }> {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const waiting = new Map<number, PromiseWithResolvers<Result>>();
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data)) as { id?: number; result?: Result; error?: Error };
    const answer = waiting.get(id ?? 0);
    if (error === undefined) answer?.resolve(result ?? {});
    else answer?.reject(new Error(error.message));
  });
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('The browser closed its connection.'));
  });
  let last = 0;
  const send: Send = (method, params = {}, sessionId?: string) => {
    const answer = Promise.withResolvers<Result>();
    waiting.set(++last, answer);
    socket.send(JSON.stringify({ id: last, method, params, sessionId }));
    return answer.promise;
  };
  return { send, close: () => socket.close() };
}

/** Calls `read` until it answers something. */
async function until<T>(what: string, ms: number, read: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + ms; Date.now() < end; await pause(POLL_MS)) {
    const value = await read();
    if (value !== undefined) return value;
  }
  throw new Error(`${what} did not happen within ${ms} ms.`);
}

/** Runs in the page, before anything of it. */
const noteReady = (selector: string): string => `{
  const check = () => {
    if (document.querySelector(${JSON.stringify(selector)}) === null) setTimeout(check, 1);
    else window.readyMs = performance.now();
  };
  check();
}`;

/** Starts the browser, and opens `link` in it, whose session it keeps. */
export async function startPlainBrowser(link: string, selector: string): Promise<PlainBrowser> {
  await using cleanup = new AsyncDisposableStack();
  const profile = mkdtempSync(join(tmpdir(), 'hangar-bench-browser-'));
  cleanup.defer(() => rmSync(profile, { recursive: true, force: true }));
  const program = findChromium() ?? chromium.executablePath();
  const flags = ['--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--window-size=1280,800'];
  const running = spawn(program, [...chromiumFlags, ...flags, 'about:blank'], { stdio: 'ignore' });
  cleanup.defer(async () => {
    if (running.exitCode === null && running.kill()) await once(running, 'exit');
  });
  const port = await until('The start of the browser', START_MS, async () => {
    const lines = await readFile(join(profile, 'DevToolsActivePort'), 'utf8').catch(() => '');
    return /^(\d+)\n(\S+)/.exec(lines)?.slice(1);
  });
  const { send, close } = await connect(`ws://127.0.0.1:${port.join('')}`);
  cleanup.defer(close);

  const open: PlainBrowser['msUntilReady'] = async (address, wanted, throttle) => {
    const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
    const inPage = (method: string, params?: object) => send(method, params, String(sessionId));
    await inPage('Page.enable');
    await inPage('Network.clearBrowserCache');
    await inPage('Page.addScriptToEvaluateOnNewDocument', { source: noteReady(wanted) });
    await inPage('Emulation.setCPUThrottlingRate', { rate: throttle });
    await inPage('Page.navigate', { url: address });
    const ms = await until(`"${wanted}" in ${address}`, READY_MS, async () => {
      const { result } = await inPage('Runtime.evaluate', { expression: 'window.readyMs' });
      return (result as { value?: number }).value;
    });
    await send('Target.closeTarget', { targetId });
    return ms;
  };
  await open(link, selector, 1);
  const stack = cleanup.move();
  return { msUntilReady: open, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
