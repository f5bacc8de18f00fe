/** Rules of supervising the engine, with a child and a clock that the spec drives. */
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import type { EngineStart } from '#contract/local/engine.ts';
import { createFakeClock } from '../../../test/support/core/fakeClock.ts';
import { createEngineProcess, type EngineChild, type EngineExit } from './engineProcess.ts';

const dataKeys = () => ({ dataKey: Buffer.alloc(32).toString('base64') });
const start: Omit<EngineStart, 'dataKey'> = {
  type: 'start',
  dataDir: '/data',
  host: '127.0.0.1',
  port: 0,
  version: '1.2.3',
  workerKitDir: '/kit',
  runKey: 'rpa_run',
  allowedHosts: [],
  logLevel: 'info',
};
const ready = { type: 'ready', address: 'http://127.0.0.1:4711', port: 4711, pid: 7, firstKey: null, notices: [] };

class HandChild implements EngineChild {
  readonly pid = 7;
  readonly sent: unknown[] = [];
  readonly kills: string[] = [];
  /** What it does with `{type: 'stop'}`: a graceful end, unless a spec says otherwise. */
  heedsStop = true;
  #messages: ((message: unknown) => void)[] = [];
  #exits: ((exit: EngineExit) => void)[] = [];

  send(message: unknown): void {
    this.sent.push(message);
    if (this.heedsStop && (message as { type: string }).type === 'stop') this.exit({ code: 0, signal: null });
  }
  onMessage(listener: (message: unknown) => void): void {
    this.#messages.push(listener);
  }
  onExit(listener: (exit: EngineExit) => void): void {
    this.#exits.push(listener);
  }
  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.kills.push(signal);
    this.exit({ code: null, signal });
  }
  says(message: unknown): void {
    for (const listener of this.#messages) listener(message);
  }
  exit(exit: EngineExit): void {
    for (const listener of this.#exits.splice(0)) listener(exit);
  }
}

/** Lets promise callbacks run; nothing here takes real time. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function supervise() {
  const clock = createFakeClock(0);
  const children: HandChild[] = [];
  const crashes: string[] = [];
  const engine = createEngineProcess({
    fork() {
      const child = new HandChild();
      children.push(child);
      return child;
    },
    start,
    dataKeys,
    clock,
    onCrash: (_exit, cause) => crashes.push(cause),
    logger: pino({ level: 'silent' }),
  });
  const states: string[] = [];
  engine.onStatus(({ state }) => states.push(state));
  return {
    clock,
    children,
    crashes,
    engine,
    states,
    newest: () => children.at(-1) ?? expect.fail('no child was forked'),
  };
}

async function supervisedReady() {
  const supervised = supervise();
  const started = supervised.engine.start();
  supervised.newest().says(ready);
  await started;
  return supervised;
}

async function dieAndComeBack(
  { clock, engine, newest }: ReturnType<typeof supervise>,
  exit: EngineExit,
): Promise<void> {
  newest().exit(exit);
  await settled();
  clock.advance(engine.status.nextTryAt! - clock.now());
  newest().says(ready);
  await settled();
}

describe('the engine process', () => {
  it('hands the start message over the pipe and is ready when the engine says so', async () => {
    const { engine, newest, states } = supervise();
    const started = engine.start();
    expect(newest().sent).toEqual([{ ...start, ...dataKeys() }]);
    newest().says(ready);
    expect(await started).toEqual(ready);
    expect(engine.status).toMatchObject({ state: 'ready', address: ready.address, restarts: 0 });
    expect(states).toEqual(['starting', 'ready']);
  });

  it('rejects a first start that fails, with the reason the engine gave, and does not try again', async () => {
    const { engine, children, newest, clock } = supervise();
    const started = engine.start();
    newest().says({ type: 'failed', failure: 'port-taken', message: 'Port 1 is taken.' });
    await expect(started).rejects.toMatchObject({ failure: 'port-taken', message: 'Port 1 is taken.' });
    clock.advance(600_000);
    expect(children).toHaveLength(1);
    expect(engine.status.state).toBe('failed');
  });

  it('kills an engine that is not ready in time', async () => {
    const { engine, newest, clock } = supervise();
    const started = engine.start();
    clock.advance(30_000);
    await expect(started).rejects.toMatchObject({ failure: 'failed', message: expect.stringContaining('30 s') });
    expect(newest().kills).toEqual(['SIGKILL']);
  });

  it('starts a dead engine again on the port it had, with the same keys', async () => {
    const { engine, newest, children, clock } = await supervisedReady();
    newest().exit({ code: null, signal: 'SIGKILL' });
    await settled();
    expect(engine.status).toMatchObject({ state: 'restarting', nextTryAt: 150 });
    clock.advance(149);
    expect(children).toHaveLength(1);
    clock.advance(1);
    expect(children).toHaveLength(2);
    expect(newest().sent).toEqual([{ ...start, ...dataKeys(), port: 4711 }]);
    newest().says(ready);
    await settled();
    expect(engine.status).toMatchObject({ state: 'ready', restarts: 1, nextTryAt: null, reason: null });
  });

  it('says so and stops trying after five crashes within ten minutes, until it is restarted by hand', async () => {
    const supervised = await supervisedReady();
    const { engine, newest, children, clock } = supervised;
    for (let i = 0; i < 4; i += 1) await dieAndComeBack(supervised, { code: 1, signal: null });
    newest().exit({ code: 1, signal: null });
    await settled();
    expect(engine.status).toMatchObject({ state: 'failed', reason: expect.stringContaining('5 times') });
    clock.advance(600_000);
    expect(children).toHaveLength(5);
    const restarted = engine.restart();
    await settled();
    newest().says(ready);
    expect(await restarted).toMatchObject({ state: 'ready' });
  });

  it('does not count kills from outside as crashes', async () => {
    const supervised = await supervisedReady();
    for (let i = 0; i < 20; i += 1) await dieAndComeBack(supervised, { code: null, signal: 'SIGKILL' });
    expect(supervised.engine.status).toMatchObject({ state: 'ready', restarts: 20 });
  });

  it('reports each end that nobody requested once, also one during a start, and no requested one', async () => {
    const { engine, newest, crashes, clock } = await supervisedReady();
    newest().exit({ code: null, signal: 'SIGKILL' });
    await settled();
    expect(crashes).toEqual(['The engine ended unexpectedly (signal SIGKILL).']);
    clock.advance(150);
    newest().says({ type: 'ending', message: 'A write failed.' });
    newest().exit({ code: 1, signal: null });
    await settled();
    expect(crashes.slice(1)).toEqual(['The engine ended unexpectedly (exit code 1). A write failed.']);
    clock.advance(1000);
    newest().says({ type: 'failed', failure: 'port-taken', message: 'Port 4711 is taken.' });
    await settled();
    clock.advance(60_000);
    newest().says(ready);
    await settled();
    await engine.stop();
    expect(crashes).toHaveLength(2);
  });

  it('tries again when a restart itself fails', async () => {
    const { newest, children, clock, engine } = await supervisedReady();
    newest().exit({ code: null, signal: 'SIGKILL' });
    await settled();
    clock.advance(150);
    newest().says({ type: 'failed', failure: 'port-taken', message: 'Port 4711 is taken.' });
    await settled();
    expect(engine.status).toMatchObject({ state: 'restarting', reason: 'Port 4711 is taken.' });
    clock.advance(1000);
    expect(children).toHaveLength(3);
  });

  it('restarts by hand at once, ending the running engine in order', async () => {
    const { engine, newest, children } = await supervisedReady();
    const restarted = engine.restart();
    expect(newest().sent).toContainEqual({ type: 'stop' });
    await settled();
    expect(children).toHaveLength(2);
    newest().says(ready);
    expect(await restarted).toMatchObject({ state: 'ready', restarts: 1 });
  });

  it('stops in order, and kills an engine that does not', async () => {
    const { engine, newest, clock, children } = await supervisedReady();
    newest().heedsStop = false;
    const stopped = engine.stop();
    expect(newest().kills).toEqual([]);
    clock.advance(limits.stop.engineMs);
    await stopped;
    expect(newest().kills).toEqual(['SIGKILL']);
    expect(engine.status.state).toBe('stopped');
    clock.advance(600_000);
    expect(children).toHaveLength(1);
  });

  it('stops while it waits for its next try', async () => {
    const { engine, newest, clock, children } = await supervisedReady();
    newest().exit({ code: 1, signal: null });
    await settled();
    await engine.stop();
    clock.advance(600_000);
    expect(children).toHaveLength(1);
  });

  const pingCount = ({ sent }: HandChild): number =>
    sent.filter((message) => (message as { type: string }).type === 'ping').length;

  it('is said not to answer after signs of life that did not come, and to answer with the next one', async () => {
    const { engine, clock, newest } = await supervisedReady();
    const { askMs, unanswered } = limits.engineLife;
    engine.watchLife();
    expect(pingCount(newest())).toBe(1);
    clock.advance(askMs);
    expect(pingCount(newest())).toBe(2);
    newest().says({ type: 'pong' });
    const lastPing = clock.now() + askMs;
    for (let missed = 0; missed < unanswered; missed++) clock.advance(askMs);
    expect(engine.status).toMatchObject({ state: 'ready', silentSince: null });
    clock.advance(askMs);
    expect(engine.status).toMatchObject({ state: 'ready', silentSince: lastPing });
    newest().says({ type: 'pong' });
    expect(engine.status.silentSince).toBeNull();
    for (let missed = 0; missed <= unanswered; missed++) clock.advance(askMs);
    expect(engine.status.silentSince).not.toBeNull();
    // One that was started in its place is another.
    const again = engine.restart();
    await settled();
    newest().says(ready);
    expect(await again).toMatchObject({ state: 'ready', silentSince: null });
    expect(pingCount(newest())).toBe(1);
    await engine.stop();
    clock.advance(10 * askMs);
    expect(pingCount(newest())).toBe(1);
  });

  it('is asked for signs of life only while somebody looks', async () => {
    const { engine, clock, newest } = supervise();
    const leaveEarly = engine.watchLife();
    const started = engine.start();
    expect(pingCount(newest())).toBe(0);
    newest().says(ready);
    await started;
    expect(pingCount(newest())).toBe(1);
    const leave = engine.watchLife();
    leaveEarly();
    // Leaving twice is leaving once.
    leaveEarly();
    clock.advance(limits.engineLife.askMs);
    expect(pingCount(newest())).toBe(2);
    leave();
    clock.advance(100 * limits.engineLife.askMs);
    expect(pingCount(newest())).toBe(2);
    expect(engine.status.silentSince).toBeNull();
    engine.watchLife();
    expect(pingCount(newest())).toBe(3);
  });
});
