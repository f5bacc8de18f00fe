/** What the container of a Pod writes: in pages, followed over its restarts, and as REST v2 tells it. */
import { writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { logLineSchema, logPageSchema, type LogLine, type LogPage } from '#contract/local/log.ts';
import { whyNoContainers } from '../../support/containers/engine.ts';
import { skipFor } from '../../support/core/skip.ts';
import { until } from '../../support/core/until.ts';
import { openEvents, type Events } from '../../support/logs/events.ts';
import { startPodEngine, type PodEngine } from '../../support/pods/podEngine.ts';
import { stays, volumeOf, wrote } from '../../support/pods/pods.ts';
import { accepted } from '../../support/resources/resources.ts';

describe('the log of a Pod', skipFor(whyNoContainers()), () => {
  let own: PodEngine;
  beforeAll(async () => {
    own = await startPodEngine();
  });
  afterEach(() => own.pods.deleteAll());
  afterAll(() => own.close());

  const page = async (id: string, query = ''): Promise<LogPage> =>
    logPageSchema.parse(accepted(await own.engine.http.get(`/local/v1/pods/${id}/logs${query}`)));
  const textsOf = ({ lines }: LogPage): string[] => lines.map(({ text }) => text);
  const written = (id: string, last: string): Promise<LogPage> =>
    until(
      `${last} to be in the log`,
      () => page(id, '?limit=1000'),
      ({ lines }) => lines.some(({ text }) => text === last),
    );
  const follow = (id: string, query = '', headers: Record<string, string> = {}): Promise<Events> =>
    openEvents(own.engine, `/local/v1/pods/${id}/logs/events${query}`, headers);
  const nextLine = async (events: Events): Promise<LogLine> =>
    logLineSchema.parse(JSON.parse((await events.next()).data));

  test('has both streams with their levels, in pages whose lines are found by text and by level', async () => {
    const long = 'x'.repeat(40_000);
    const script = `echo one; echo "ERROR: two" >&2; for n in 3 4 5; do echo "line $n"; done; echo ${long}; echo six`;
    const { id } = await own.pods.make({ dockerStartCmd: stays(script) });
    // The container engine reads the two streams side by side.
    await written(id, 'ERROR: two');
    const whole = await written(id, 'six');
    expect(whole).toMatchObject({ more: false, next: null });
    const shortTexts = textsOf(whole).map((text) => text.replace(/^x{8000}/, 'x'));
    expect(shortTexts.toSorted()).toEqual([
      'ERROR: two',
      'line 3',
      'line 4',
      'line 5',
      'one',
      'six',
      'x… [32000 more characters were cut]',
    ]);
    expect(whole.lines.find(({ text }) => text === 'ERROR: two')).toMatchObject({ stream: 'stderr', level: 'error' });
    expect(whole.lines.find(({ text }) => text === 'one')).toMatchObject({ stream: 'stdout', level: null });
    const numbers = whole.lines.map(({ n }) => n);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));

    const last = await page(id, '?limit=2');
    expect(last).toMatchObject({ more: true, next: last.lines[0]?.n });
    expect(last.lines).toEqual(whole.lines.slice(-2));
    const before = await page(id, `?limit=1000&before=${last.next}`);
    expect([...before.lines, ...last.lines]).toEqual(whole.lines);
    expect(textsOf(await page(id, '?text=LINE%204'))).toEqual(['line 4']);
    expect(textsOf(await page(id, '?level=error'))).toEqual(['ERROR: two']);
  });

  test('is followed over a stop and a start, and goes on after the last line that a reader has', async () => {
    const { id } = await own.pods.make({
      volumeInGb: 1,
      dockerStartCmd: stays('echo began; while [ ! -e /workspace/go ]; do sleep 0.05; done; echo went on'),
    });
    const [first] = (await written(id, 'began')).lines;
    await using events = await follow(id, `?after=${first!.n}`);
    await writeFile(volumeOf(own.engine, id, 'go'), '');
    const second = await nextLine(events);
    expect(second.text).toBe('went on');
    await own.pods.act(id, 'stop');
    await own.pods.act(id, 'start');
    expect([(await nextLine(events)).text, (await nextLine(events)).text]).toEqual(['began', 'went on']);
    await using again = await follow(id, '', { 'last-event-id': String(first!.n) });
    expect((await nextLine(again)).n).toBe(second.n);
    // What it wrote before the stop is kept.
    expect(textsOf(await page(id))).toEqual(['began', 'went on', 'began', 'went on']);
  });

  test('goes on with the next line wherever a reader stopped among lines of both outputs', async () => {
    const script = 'i=0; while [ $i -lt 450 ]; do echo "out $i"; echo "err $i" >&2; i=$((i + 1)); done; echo over';
    const { id } = await own.pods.make({ dockerStartCmd: stays(script) });
    const { lines } = await until(
      'all lines to be in the log',
      () => page(id, '?limit=1000'),
      (whole) => whole.lines.length === 901,
    );
    // Numbers without a gap belong to lines that came at once, or behind a later one.
    const close = lines.filter(({ n }, place) => lines[place + 1]?.n === n + 1);
    for (const { n } of [...close.slice(0, 40), ...lines.slice(-10, -1)]) {
      await using events = await follow(id, `?after=${n}`);
      expect(await nextLine(events)).toEqual(lines[lines.findIndex((line) => line.n === n) + 1]);
    }
  });

  test('has what was written while the engine was away', async () => {
    const { engine, pods, close } = await startPodEngine();
    try {
      const { id } = await pods.make({
        volumeInGb: 1,
        dockerStartCmd: stays('while [ ! -e /workspace/go ]; do sleep 0.05; done; echo alone; touch /workspace/done'),
      });
      await pods.running(id);
      await engine.stop();
      await writeFile(volumeOf(engine, id, 'go'), '');
      await wrote(engine, id, 'done', '');
      await engine.restart();
      // The container engine reads what was written a moment later.
      const whole = await until(
        'the line to be in the log',
        async () => logPageSchema.parse(accepted(await engine.http.get(`/local/v1/pods/${id}/logs`))),
        ({ lines }) => lines.length > 0,
      );
      expect(textsOf(whole)).toEqual(['alone']);
      await pods.deleteAll();
    } finally {
      await close();
    }
  });

  test('is told by REST v2 with a time of its own for each line, from its last lines on or from a time', async () => {
    const { id } = await own.pods.make({ dockerStartCmd: stays('for n in 1 2 3; do echo "line $n"; done') });
    await written(id, 'line 3');
    const open = (query: string, headers = {}): Promise<Events> =>
      openEvents(own.engine, `/rest/v2/pods/${id}/logs${query}`, headers);
    await using tail = await open('?tail=2');
    const two = [await tail.next(), await tail.next()];
    expect(two.map(({ data }) => JSON.parse(data) as object)).toEqual(
      ['line 2', 'line 3'].map((line, index) => ({ source: 'container', line, ts: two[index]!.id })),
    );
    expect(two[0]!.id < two[1]!.id).toBe(true);
    await using fromNow = await open('?tail=0');
    expect(fromNow.status).toBe(200);
    await using after = await open('', { 'last-event-id': two[0]!.id });
    expect(await after.next()).toEqual(two[1]);
    await using since = await open(`?since=${two[0]!.id}`);
    expect(await since.next()).toEqual(two[0]);
    expect((await own.engine.http.get(`/rest/v2/pods/nobody/logs`)).status).toBe(404);
  });

  test('ends for a reader whose key is deleted', async () => {
    const { id } = await own.pods.make({ dockerStartCmd: stays('echo began') });
    await written(id, 'began');
    const made = accepted(await own.engine.http.post('/local/v1/api-keys', { name: 'reader', scope: 'read' }));
    const { id: keyId, key } = made as { id: string; key: string };
    await using events = await follow(id, '?after=0', { authorization: `Bearer ${key}` });
    expect((await nextLine(events)).text).toBe('began');
    await own.engine.http.send('DELETE', `/local/v1/api-keys/${keyId}`);
    await expect(events.next()).rejects.toThrow('The events ended.');
  });

  test('of a Pod that is unknown is refused, and so is a wrong number', async () => {
    expect((await own.engine.http.get('/local/v1/pods/nobody/logs')).status).toBe(404);
    const { id } = await own.pods.make();
    expect((await own.engine.http.get(`/local/v1/pods/${id}/logs?limit=0`)).status).toBe(400);
    expect((await own.engine.http.get(`/local/v1/pods/${id}/logs/events?after=x`)).status).toBe(400);
  });
});
