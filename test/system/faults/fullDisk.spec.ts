/**
 * The disk is full: new jobs are refused in words, everything else goes on, and it is over by itself when there is room
 * again.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { engineFactsSchema, type EngineFacts } from '#contract/local/engine.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { raiseRates } from '../../support/engine/settings.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { createOutsideWorker } from '../../support/workers/outsideWorker.ts';
import { accepted, makeIdleEndpoint } from '../../support/resources/resources.ts';
import { mountSmallDisk, whyNoSmallDisk } from '../../support/disk/smallDisk.ts';
import { until } from '../../support/core/until.ts';
import { skipFor } from '../../support/core/skip.ts';

const noDisk = whyNoSmallDisk();
const DISK_MB = 96;
const SMALL_DISK_MB = 24;
/** Jobs that end while no new one is accepted. */
const ENDED = 200;
const WORDS_OF_TEN_KB = 'word '.repeat(2000);

const factsOf = async (engine: TestEngine): Promise<EngineFacts> =>
  engineFactsSchema.parse(accepted(await engine.http.get('/local/v1/engine')));

describe('a full disk', skipFor(noDisk), () => {
  test('fault 9: on a disk that is small from the start, the queue leaves room for the ends of its jobs', async () => {
    using disk = mountSmallDisk(SMALL_DISK_MB);
    const dataDir = join(disk.folder, 'data');
    await using engine = await startEngine({ dataDir });
    await raiseRates(engine);
    const endpoint = await makeIdleEndpoint(engine);
    const jobs = jobsOf(engine, endpoint.id);
    const worker = createOutsideWorker(engine, endpoint.id);
    await until(
      'room to be reserved',
      async () => (await factsOf(engine)).disk.reserveBytes,
      (reserveBytes) => reserveBytes > 0,
    );
    let accepted = 0;
    // The disk holds fewer than this.
    for (; accepted < DISK_MB * 100; accepted++) {
      const { status } = await engine.http.post(`${jobs.path}/run`, { input: { text: WORDS_OF_TEN_KB } });
      if (status === 507) break;
      expect(status).toBe(200);
    }
    expect((await factsOf(engine)).disk.full).toBe(true);
    expect(accepted).toBeGreaterThan(ENDED);
    for (let n = 0; n < ENDED; n++) {
      const taken = await worker.take();
      const answer = await worker.done(taken!.id, { output: { text: WORDS_OF_TEN_KB } });
      expect(answer.status, `the end of job ${n}`).toBe(200);
    }
    expect(await engine.stop()).toBe(0);
  });

  test('fault 9: on a full disk new jobs are refused, running ones end, nothing is lost, and it recovers by itself', async () => {
    using disk = mountSmallDisk(DISK_MB);
    const dataDir = join(disk.folder, 'data');
    await using engine = await startEngine({ dataDir });
    const endpoint = await makeIdleEndpoint(engine);
    const jobs = jobsOf(engine, endpoint.id);
    const worker = createOutsideWorker(engine, endpoint.id);
    const submit = (n: number) => engine.http.post(`${jobs.path}/run`, { input: { n, text: WORDS_OF_TEN_KB } });

    const running = [await jobs.run({ n: 'first' }), await jobs.run({ n: 'second' })];
    await worker.takeBatch(2);
    const waiting = await jobs.run({ n: 'waiting' });
    await until(
      'room to be reserved',
      async () => (await factsOf(engine)).disk.reserveBytes,
      (reserveBytes) => reserveBytes > 0,
    );

    await disk.fill();
    const acknowledged: string[] = [];
    const refusal = await until('a job to be refused', async () => {
      const answer = await submit(acknowledged.length);
      if (answer.status === 200) acknowledged.push((answer.json as { id: string }).id);
      else return answer;
    });
    expect(refusal.status).toBe(507);
    expect(refusal.json).toMatchObject({ status: 507, error: expect.stringMatching(/disk.*full.*free some space/) });
    expect((await factsOf(engine)).disk).toMatchObject({ full: true });

    // Reads, ends and cancellations go on in what was reserved; new jobs do not take it up.
    expect((await engine.http.get('/health')).status).toBe(200);
    for (let n = 0; n < 20; n++) expect((await submit(n)).status).toBe(507);
    expect((await worker.stream(running[0]!, { output: 'a chunk' })).status).toBe(200);
    expect((await worker.done(running[0]!, { output: { text: WORDS_OF_TEN_KB } })).status).toBe(200);
    expect((await worker.done(running[1]!, { error: 'it did not work' })).status).toBe(200);
    expect((await jobs.cancel(waiting)).status).toBe('CANCELLED');
    expect(await jobs.status(running[0]!)).toMatchObject({ status: 'COMPLETED', output: { text: WORDS_OF_TEN_KB } });
    expect(await jobs.status(running[1]!)).toMatchObject({ status: 'FAILED' });

    // A full disk is survived by a kill as well.
    await engine.kill9();
    await engine.restart();
    expect(engine.notices).toEqual([]);
    for (const id of acknowledged) expect((await jobs.status(id)).status).toBe('IN_QUEUE');
    expect(await jobs.status(running[0]!)).toMatchObject({ status: 'COMPLETED', output: { text: WORDS_OF_TEN_KB } });
    expect((await jobs.status(waiting)).status).toBe('CANCELLED');

    await disk.fill();
    await until('jobs to be refused again', async () => (await submit(0)).status, 507);
    disk.makeRoom();
    await until('new jobs to be accepted', async () => (await submit(1)).status, 200);
    await until(
      'room to be reserved anew',
      async () => (await factsOf(engine)).disk.reserveBytes,
      (reserveBytes) => reserveBytes > 0,
    );
    expect((await factsOf(engine)).disk.full).toBe(false);
    expect(await engine.stop()).toBe(0);
    expect(readdirSync(dataDir).filter((name) => name.includes('damaged'))).toEqual([]);
  });
});
