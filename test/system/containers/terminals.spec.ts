/** Terminals into containers: coming back, what is seen, several viewers, floods, and every way in which they end. */
import serialize from '@xterm/addon-serialize';
import headless from '@xterm/headless';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { workerSchema } from '#contract/local/engine.ts';
import { terminalProgramsSchema, terminalSessionSchema } from '#contract/local/terminal.ts';
import { whyNoContainers } from '../../support/containers/engine.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import { podsOf, stays } from '../../support/pods/pods.ts';
import { accepted } from '../../support/resources/resources.ts';
import { openTerminal, type AttachOptions } from '../../support/terminals/viewer.ts';
import { standsStill, until } from '../../support/core/until.ts';
import { makeContainerEndpoint, shellTemplate, useContainers } from './containerWorkers.ts';
import { skipFor } from '../../support/core/skip.ts';

const none = whyNoContainers();
/** A third more bytes than a terminal keeps for whoever comes back. */
const LINES = 700_000;

describe('terminals', skipFor(none), () => {
  const { containers, start } = useContainers(['shell']);
  let engine: TestEngine;
  let workerId: string;
  beforeAll(async () => {
    engine = await start();
    await makeContainerEndpoint(engine, shellTemplate('echo 1'), { workersMin: 1, workersMax: 1 });
    workerId = await until('a worker to run', runningWorker);
  });
  afterAll(() => engine.close());

  async function runningWorker(): Promise<string | null> {
    const workers = workerSchema.array().parse(accepted(await engine.http.get('/local/v1/workers')));
    const [running] = workers.filter(({ preparing }) => preparing === null);
    const there = (await containers().ours()).some(({ State: state }) => state === 'running');
    return there ? (running?.id ?? null) : null;
  }
  const open = (options?: AttachOptions) => openTerminal(engine, `/local/v1/workers/${workerId}/terminal`, options);
  const sessions = async () =>
    terminalSessionSchema.array().parse(accepted(await engine.http.get('/local/v1/terminals')));
  const sessionOf = async (id: string) => (await sessions()).find((one) => one.id === id);
  const untilGone = (id: string) =>
    until(
      'it to be off the list',
      () => sessionOf(id),
      (now) => now === undefined,
    );
  const close = (id: string) => engine.http.send('DELETE', `/local/v1/terminals/${id}`);
  const container = async () => containers().docker.getContainer((await containers().ours())[0]!.Id);
  const processes = async (): Promise<string> => JSON.stringify(await (await container()).top());

  /** What a terminal of this size shows, with what has scrolled out of it. */
  async function drawn(columns: number, rows: number, ...output: (string | Uint8Array)[]): Promise<string> {
    const { scrollback } = limits.terminal;
    const terminal = new headless.Terminal({ cols: columns, rows, scrollback, allowProposedApi: true });
    const serializer = new serialize.SerializeAddon();
    terminal.loadAddon(serializer);
    for (const bytes of output) await new Promise<void>((resolve) => terminal.write(bytes, resolve));
    const text = serializer.serialize({ scrollback });
    terminal.dispose();
    return text;
  }

  test('a shell begins in the size that was asked for, takes what is typed, and tells its exit code', async () => {
    await using terminal = await open({ columns: 101, rows: 33 });
    expect(terminal.attached).toMatchObject({ from: 0, snapshot: null, columns: 101, rows: 33, command: ['sh'] });
    terminal.type('busybox stty size; echo "$TERM"\n');
    await terminal.sees('33 101');
    await terminal.sees('xterm-256color');
    terminal.send({ type: 'resize', columns: 90, rows: 20 });
    terminal.type('busybox stty size\n');
    await terminal.sees('20 90');
    terminal.type('exit 7\n');
    expect(await terminal.hears('ended')).toMatchObject({ exitCode: 7, reason: 'The shell exited with code 7.' });
    await untilGone(terminal.attached.session);
  });

  test('who comes back gets what came meanwhile, from the byte on that it names', async () => {
    const first = await open({
      command: ['sh', '-c', 'i=0; while :; do i=$((i+1)); echo "line $i"; sleep 0.02; done'],
    });
    await first.sees('line 5\r\n');
    const { session } = first.attached;
    await first.leave();
    await until('it to be unwatched', async () => (await sessionOf(session))?.viewers, 0);
    expect(await sessionOf(session)).toMatchObject({ kind: 'worker', targetId: workerId });
    await using second = await open({ session, from: first.place() });
    expect(second.attached).toMatchObject({ session, from: first.place(), snapshot: null });
    await second.sees('line 40\r\n');
    const lines = (first.text() + second.text()).split('\r\n').slice(0, 40);
    expect(lines).toEqual(Array.from({ length: 40 }, (_, n) => `line ${n + 1}`));
    expect((await close(session)).status).toBe(204);
    await second.hears('ended');
    await expect(open({ session })).rejects.toThrow('This shell has ended');
  });

  test('who comes back for what is no longer kept gets the screen and its scrollback as they are', async () => {
    const script = `seq 1 ${LINES} > /tmp/lines; cat /tmp/lines; printf "\\033[31mr\\303\\266t\\033[0m end"; exec sleep 1000`;
    await using first = await open({ command: ['sh', '-c', script], columns: 60, rows: 20 });
    await first.sees(' end');
    const { session } = first.attached;
    const expected = await drawn(60, 20, first.bytes());
    await using second = await open({ session, from: 5, columns: 60, rows: 20 });
    expect(second.attached.from).toBe(first.place());
    expect(await drawn(60, 20, second.attached.snapshot!)).toBe(expected);
    expect(expected).toContain(`${LINES - 1}`);
    await close(session);
  });

  test("several viewers see the same, and are told of each other's size", async () => {
    await using one = await open();
    const { session } = one.attached;
    await using other = await open({ session, from: 0 });
    one.type('echo "a$((1+1))c"\n');
    await Promise.all([one.sees('a2c'), other.sees('a2c')]);
    other.send({ type: 'resize', columns: 70, rows: 10 });
    expect(await one.hears('resized')).toMatchObject({ columns: 70, rows: 10 });
    expect(await sessionOf(session)).toMatchObject({ viewers: 2 });
    other.send({ type: 'close' });
    await Promise.all([one.hears('ended'), other.hears('ended')]);
    expect(await sessionOf(session)).toBeUndefined();
  });

  test('more lines than are kept arrive, every one of them', async () => {
    await using terminal = await open({ command: ['seq', '1', `${LINES}`] });
    expect(await terminal.hears('ended')).toMatchObject({ exitCode: 0 });
    expect(terminal.place()).toBeGreaterThan(limits.terminal.storedBytes);
    const lines = Array.from({ length: LINES }, (_, n) => `${n + 1}\r\n`);
    // Not the lines themselves: a difference would be printed with all of them.
    expect(terminal.bytes().equals(Buffer.from(lines.join('')))).toBe(true);
  });

  test('a flood is interrupted by Ctrl-C while it comes', async () => {
    await using terminal = await open();
    terminal.type(`seq 1 ${LINES * 100}\n`);
    await until(
      'the flood',
      () => terminal.place(),
      (now) => now > 2_000_000,
    );
    terminal.type('\x03');
    terminal.type('echo "still $((40+2))"\n');
    await terminal.sees('still 42');
    // Of the 700 million bytes that it would be.
    expect(terminal.place()).toBeLessThan(200_000_000);
    await close(terminal.attached.session);
  });

  test('a viewer that shows nothing holds the shell back, and nothing is lost for it', async () => {
    // A shell that ended before the next viewer comes would leave no more than its last screen.
    await using slow = await open({
      command: ['sh', '-c', 'seq 1 400000 > /tmp/few; cat /tmp/few; exec sleep 1000'],
      shows: false,
    });
    const { aheadBytes } = limits.terminal;
    await until(
      'as much as is sent ahead',
      () => slow.place(),
      (now) => now > aheadBytes,
    );
    const place = await standsStill('the output', () => slow.place());
    expect(place).toBeLessThan(aheadBytes + 128 * 1024);
    slow.shownAll();
    await until(
      'more to come',
      () => slow.place(),
      (now) => now > place + aheadBytes / 2,
    );
    const { session } = slow.attached;
    const had = slow.place();
    await slow.leave();
    await using next = await open({ session, from: had });
    await next.sees('\r\n400000\r\n');
    expect(next.attached).toMatchObject({ from: had, snapshot: null });
    await close(session);
  });

  test('what runs in a terminal that is closed is gone with it, and so is a shell that does not want to', async () => {
    await using terminal = await open();
    terminal.type('sleep 4321 & echo "begun $((1+1))"; sleep 4322\n');
    await terminal.sees('begun 2');
    await using stubborn = await open({ command: ['sh', '-c', 'trap "" HUP; echo up; while :; do sleep 4323; done'] });
    await stubborn.sees('up');
    await until('both to run', async () => /sleep 4321.*sleep 4323/.test(await processes()));
    for (const one of [terminal, stubborn]) {
      expect((await close(one.attached.session)).status).toBe(204);
      await one.hears('ended');
    }
    await until('all that ran in them to be gone', async () => !/432[123]/.test(await processes()));
    expect((await close(terminal.attached.session)).status).toBe(404);
  });

  test('what runs in a terminal is listed, and a shell that waits is nothing', async () => {
    await using terminal = await open();
    await using other = await open();
    const { session } = terminal.attached;
    const programs = async () =>
      terminalProgramsSchema.parse(accepted(await engine.http.get(`/local/v1/terminals/${session}/programs`))).programs;
    other.type('sleep 4401\n');
    await until('what runs in the other one', async () => (await processes()).includes('4401'));
    expect(await programs()).toEqual([]);
    terminal.type('sleep 4402 & sleep 4403\n');
    // A program that is just begun has the name of the shell for a moment.
    await until('both programs', async () => (await programs())?.join(', '), 'sleep 4402, sleep 4403');
    await close(session);
    expect((await engine.http.get(`/local/v1/terminals/${session}/programs`)).status).toBe(404);
  });

  test('a command that is not there, and a message that is none, are told in words', async () => {
    await using terminal = await open();
    terminal.send({ type: 'resize', columns: 0, rows: 5 });
    expect((await terminal.hears('error')).message).toContain('columns');
    await close(terminal.attached.session);
    const missing = await open({ command: ['/not/there'] }).then(
      async (there) => (await there.hears('ended')).reason + there.text(),
      (error: unknown) => (error as Error).message,
    );
    expect(missing).toMatch(/\/not\/there/);
  });

  test('a Pod has terminals as well, which see what it sees, and end when it is stopped', async () => {
    const pods = podsOf(engine);
    const pod = await pods.make({ name: 'shells', dockerStartCmd: stays('true') });
    await pods.running(pod.id);
    await using terminal = await openTerminal(engine, `/local/v1/pods/${pod.id}/terminal`);
    terminal.type('echo "in $RUNPOD_POD_ID"\n');
    await terminal.sees(`in ${pod.id}`);
    expect(await sessionOf(terminal.attached.session)).toMatchObject({ kind: 'pod', targetId: pod.id, viewers: 1 });
    accepted(await engine.http.post(`/v1/pods/${pod.id}/stop`));
    expect((await terminal.hears('ended')).reason).toBe('The container has ended.');
    await pods.deleteAll();
  });

  test('a terminal into a Pod that is just made waits for its container', async () => {
    const pods = podsOf(engine);
    const pod = await pods.make({ name: 'early', dockerStartCmd: stays('true') });
    await using terminal = await openTerminal(engine, `/local/v1/pods/${pod.id}/terminal`);
    expect(terminal.attached).toMatchObject({ from: 0, command: ['sh'] });
    terminal.type('echo "in $RUNPOD_POD_ID"\n');
    await terminal.sees(`in ${pod.id}`);
    expect(terminal.text()).not.toMatch(/^sh/);
    await pods.deleteAll();
  });

  test('an image without a shell is told in words', async () => {
    const pods = podsOf(engine);
    const pod = await pods.make({ name: 'bare', dockerStartCmd: ['busybox', 'sleep', '1000'] });
    await pods.running(pod.id);
    const all = await containers().docker.listContainers();
    const { Id: id } = all.find(({ Names: [name] }) => name?.includes(pod.id))!;
    const removal = await containers()
      .docker.getContainer(id)
      .exec({ Cmd: ['busybox', 'rm', '/bin/sh'], AttachStdout: true });
    for await (const _ of await removal.start({})) void _;
    const path = `/local/v1/pods/${pod.id}/terminal`;
    await expect(openTerminal(engine, path)).rejects.toThrow('The image has no shell. Name a command of it');
    expect(await sessions()).toEqual(expect.not.arrayContaining([expect.objectContaining({ targetId: pod.id })]));
    await using other = await openTerminal(engine, path, { command: ['busybox', 'echo', 'without a shell'] });
    await other.sees('without a shell');
    // As the first process, it ignores the signal to end.
    await containers().docker.getContainer(id).kill();
    await pods.deleteAll();
  });

  test('a terminal ends with its container, and says so', async () => {
    await using terminal = await open();
    const killed = workerId;
    await (await container()).kill();
    expect((await terminal.hears('ended')).reason).toMatch(/^The container (has ended|is gone)\.$/);
    await untilGone(terminal.attached.session);
    workerId = await until(
      'the next worker',
      runningWorker,
      (running): running is string => running !== null && running !== killed,
    );
  });

  test('a terminal ends with the engine, and what ran in it too', async () => {
    await using terminal = await open({ command: ['sleep', '5432'] });
    const stopped = engine.stop();
    expect((await terminal.hears('ended')).reason).toBe('The engine has stopped.');
    expect(await stopped).toBe(0);
  });
});
