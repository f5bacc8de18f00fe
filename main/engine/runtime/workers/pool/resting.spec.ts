/** Workers and their jobs while work is paused on the machine. */
import { expect, test } from 'vitest';
import { setUpPool } from '../../../../../test/support/workers/pool.ts';

/** Two workers, one with a job, and a waiting job. */
async function atWork() {
  const pool = setUpPool({ workersMin: 2, workersMax: 2 });
  await pool.poke();
  await pool.started[0]!.ask();
  const job = await pool.submit();
  await pool.started[1]!.ask();
  return { ...pool, job, busy: pool.started[0]!, idle: pool.started[1]! };
}

test('finishing: idle workers go, a busy one ends its job and gets no other, and none is started', async () => {
  const { busy, idle, job, started, submit, pause, pool } = await atWork();
  await pause('finishing');
  expect([busy.stopped, idle.stopped]).toEqual([false, true]);
  await idle.end();
  const waits = await submit();
  expect(pool.waiting(waits)).toMatchObject({ code: 'paused', message: 'Paused by you.' });
  await busy.done(job);
  expect(job.status).toBe('COMPLETED');
  expect(busy.stopped).toBe(true);
  expect(await busy.ask()).toBeNull();
  await busy.end();
  expect(started).toHaveLength(2);
});

test('paused: all workers go, and what they ran waits again before all others, which counts for nothing', async () => {
  const { busy, idle, job, started, submit, pause, pool } = await atWork();
  await idle.end();
  await started[2]!.end();
  const waits = await submit();
  await pause('paused');
  expect(busy.stopped).toBe(true);
  await busy.end({ code: null, signal: 'SIGKILL' });
  expect(job).toMatchObject({ status: 'IN_QUEUE', lost: 0 });
  expect(pool.waiting(job)).toMatchObject({ code: 'paused', ahead: 0 });
  expect(pool.waiting(waits)).toMatchObject({ ahead: 1 });
  expect(await pool.records()).toEqual([]);
});

test('running again: workers are started for what waits, and those that were to finish are replaced', async () => {
  const { busy, idle, job, started, pause } = await atWork();
  await pause('finishing');
  await idle.end();
  await pause('running');
  expect(started).toHaveLength(3);
  await busy.done(job);
  expect(busy.stopped).toBe(true);
});
