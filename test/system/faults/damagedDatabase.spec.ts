/** The database is damaged: before a start, and under a running engine. */
import { closeSync, mkdirSync, openSync, readdirSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { engineFactsSchema } from '#contract/local/engine.ts';
import { startEngine } from '../../support/engine/engine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { createOutsideWorker } from '../../support/workers/outsideWorker.ts';
import { accepted, makeIdleEndpoint } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';
import { startHost } from '../headless/headlessHost.ts';

const NOISE = Buffer.alloc(64 * 1024, 'not what was written here. ');
/** More than is checked before a start, or kept in memory, so that it is read from the file when it is needed. */
const JOBS = 220;
const BODY = 'x'.repeat(200_000);

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test('fault 11: damage that is met while running ends the engine, and its next start recovers the jobs and says so', async () => {
  await using engine = await startEngine();
  const endpoint = await makeIdleEndpoint(engine);
  const jobs = jobsOf(engine, endpoint.id);
  const ids: string[] = [];
  for (let n = 0; n < JOBS; n++) ids.push(await jobs.run({ n, text: BODY }));
  // A clean stop backs up what there is; the next start has nothing of it in memory.
  await engine.stop();
  await engine.restart();
  const file = join(engine.dataDir, 'engine.db');
  const handle = openSync(file, 'r+');
  for (let at = 2 * NOISE.length; at < statSync(file).size; at += NOISE.length) {
    writeSync(handle, NOISE, 0, NOISE.length, at);
  }
  closeSync(handle);

  const { pid } = engine;
  const answer = await createOutsideWorker(engine, endpoint.id)
    .takeAnswer()
    .then(({ status }) => status)
    .catch(() => null);
  expect(answer, 'nothing is handed out of a file that failed').not.toBe(200);
  await until('the engine to end by itself', () => !isAlive(pid));
  await engine.restart();
  expect(engine.notices).toEqual([expect.stringMatching(/damaged.*set aside as engine\.db\.damaged-.*was restored/)]);
  const { notices } = engineFactsSchema.parse(accepted(await engine.http.get('/local/v1/engine')));
  expect(notices).toEqual(engine.notices);
  // The first was given to a worker that never got its text: it is queued again when that worker is not heard of.
  const [first, ...others] = ids;
  expect(['IN_QUEUE', 'IN_PROGRESS']).toContain((await jobs.status(first!)).status);
  for (const id of others) expect((await jobs.status(id)).status).toBe('IN_QUEUE');
  const worker = createOutsideWorker(engine, endpoint.id);
  const taken = await worker.take();
  expect(taken?.input).toMatchObject({ text: BODY });
  expect((await worker.done(taken!.id, { output: 1 })).status).toBe(200);

  // Told once, and not for ever.
  await engine.stop();
  await engine.restart();
  expect(engine.notices).toEqual([]);
  expect((await jobs.status(taken!.id)).status).toBe('COMPLETED');
});

test('a record that cannot be read does not keep the engine from starting, stays in the file, and is told of', async () => {
  await using engine = await startEngine();
  const sound = await makeIdleEndpoint(engine);
  const damaged = await makeIdleEndpoint(engine);
  const job = await jobsOf(engine, damaged.id).run({ n: 1 });
  await engine.stop();
  const onDisk = (change?: (database: DatabaseSync) => void): unknown => {
    const database = new DatabaseSync(join(engine.dataDir, 'engine.db'));
    change?.(database);
    const row = database.prepare('SELECT record FROM template WHERE id = ?').get(damaged.templateId);
    database.close();
    return row?.record;
  };
  const whole = onDisk();
  const cut = onDisk((database) => {
    database.exec(`UPDATE template SET record = substr(record, 1, 20) WHERE id = '${damaged.templateId}'`);
  });
  await engine.restart();
  expect(engine.notices).toEqual([
    expect.stringMatching(/cannot be read and are not used: template .*endpoint .*missing/),
  ]);
  expect(engineFactsSchema.parse(accepted(await engine.http.get('/local/v1/engine'))).notices).toEqual(engine.notices);
  const listed = accepted(await engine.http.get('/v1/endpoints')) as { id: string }[];
  expect(listed.map(({ id }) => id)).toEqual([sound.id]);
  await jobsOf(engine, sound.id).run({ n: 2 });

  await engine.stop();
  expect(onDisk()).toBe(cut);
  onDisk((database) => {
    database.prepare('UPDATE template SET record = ? WHERE id = ?').run(String(whole), damaged.templateId);
  });
  await engine.restart();
  expect(engine.notices).toEqual([]);
  expect((await jobsOf(engine, damaged.id).status(job)).status).toBe('IN_QUEUE');
});

test('fault 11: the host says on standard error what became of a damaged database, and of a damaged ledger', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hangar-damaged-'));
  const flags = ['--data-dir', dataDir, '--port', '0', '--ui-port', '0', '--json'];
  const setAside = (name: string) => readdirSync(dataDir).filter((file) => file.startsWith(`${name}.damaged-`));
  try {
    writeFileSync(join(dataDir, 'engine.db'), NOISE);
    {
      await using first = startHost(flags);
      await first.ready();
      const { stderr } = await first.stop();
      const notices = stderr.split('\n').filter((line) => line.startsWith('hangar: '));
      expect(notices).toEqual([expect.stringMatching(/engine\.db is damaged.*set aside.*no backup.*starts empty/)]);
      const [aside] = setAside('engine.db');
      expect(statSync(join(dataDir, aside!)).size).toBe(NOISE.length);
    }
    writeFileSync(join(dataDir, 'ledger.db'), NOISE);
    await using host = startHost(flags);
    await host.ready();
    expect(setAside('ledger.db')).toHaveLength(1);
    const { stderr } = await host.stop();
    expect(stderr).toMatch(/hangar: .*ledger\.db is damaged.*set aside as ledger\.db\.damaged-.*was restored/);
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
});

test('fault 12: a data folder that cannot be made or written ends the start with one line that says why', async () => {
  const place = await mkdtemp(join(tmpdir(), 'hangar-in-the-way-'));
  try {
    writeFileSync(join(place, 'file'), 'in the way');
    mkdirSync(join(place, 'data'));
    mkdirSync(join(place, 'data', 'engine.db'));
    for (const dataDir of [join(place, 'file', 'data'), join(place, 'data')]) {
      await using host = startHost(['--data-dir', dataDir, '--no-ui', '--port', '0']);
      const { code, stderr, stdout } = await host.exited();
      expect({ code, stdout }).toEqual({ code: 1, stdout: [] });
      const notices = stderr.split('\n').filter((line) => line.startsWith('hangar: '));
      expect(notices).toHaveLength(1);
      expect(notices[0]).toContain(dataDir);
      expect(notices[0]?.match(/another folder/g) ?? [], notices[0]).toHaveLength(dataDir.includes('file') ? 1 : 0);
    }
    expect(readdirSync(place).sort()).toEqual(['data', 'file']);
  } finally {
    await rm(place, { recursive: true });
  }
});

test('a ledger that this version cannot use stops a host with a page, and not one without', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hangar-newer-ledger-'));
  const flags = ['--data-dir', dataDir, '--port', '0', '--json'];
  try {
    const newer = new DatabaseSync(join(dataDir, 'ledger.db'));
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    await using withPage = startHost([...flags, '--ui-port', '0']);
    expect(await withPage.exited()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('newer version of Hangar'),
    });
    await using host = startHost([...flags, '--no-ui']);
    const { api } = await host.ready();
    expect((await fetch(`${api}/health`)).status).toBe(200);
    const { stderr } = await host.stop();
    expect(stderr).toMatch(/hangar: The ledger cannot be used: .*newer version/);
    const left = new DatabaseSync(join(dataDir, 'ledger.db'));
    expect(left.prepare('PRAGMA user_version').get()).toEqual({ user_version: 99 });
    left.close();
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
});
