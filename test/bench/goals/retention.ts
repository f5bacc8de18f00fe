/** G10: what has been finished and removed leaves nothing behind, in memory or in the file. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '#contract/core/limits.ts';
import type { Bench, Group, Running } from '../bench.ts';
import { startEngineContender, type EngineContender } from '../contenders.ts';
import { restingKb } from '../measuring/processMemory.ts';
import { openConnection } from '../measuring/rawHttp.ts';
import { atMost } from '../report.ts';
import { checkDelivered } from '../measuring/statistics.ts';
import { OUTPUT_BYTES, submitMany, WORKER_SLOTS } from '../throughput.ts';

const ENTRY = join(import.meta.dirname, '../programs/retentionEngine.ts');
const BATCHES = 10;

const fileBytes = ({ engine }: EngineContender): number =>
  ['engine.db', 'engine.db-wal'].reduce(
    (sum, name) => sum + (statSync(join(engine.dataDir, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

async function run({ board, quick }: Bench, running: Running): Promise<void> {
  const batch = quick ? 10_000 : 100_000;
  const engine = running.stopping(await startEngineContender({ entry: ENTRY }));
  const [pid = 0] = engine.pids;
  const worker = await running.worker(engine, { slots: WORKER_SLOTS, next: true, outputBytes: OUTPUT_BYTES });

  async function finishAndForget(jobs: number): Promise<void> {
    const finishing = worker.finished(jobs);
    const ids = await submitMany(engine, worker.endpointId, jobs);
    checkDelivered('jobs', ids, await finishing);
    await engine.engine.tell({ type: 'advance', ms: limits.retentionMs.run + 1000 });
    // A connection that asks for nothing would be cut meanwhile.
    const reader = await openConnection(engine.address, engine.key);
    // Removal goes in steps: the newest is the last to go.
    const path = `/v2/${worker.endpointId}/status/${ids.at(-1)}`;
    while ((await reader.request('GET', path)).status !== 404) await new Promise((resolve) => setTimeout(resolve, 50));
    reader.close();
  }

  async function restingAfterCollection(): Promise<number> {
    await engine.engine.tell({ type: 'collect' });
    await restingKb(pid);
    // Pages that became free are given back by the next one.
    await engine.engine.tell({ type: 'collect' });
    return restingKb(pid);
  }

  const fresh = await restingAfterCollection();
  const sizes: number[] = [];
  for (let done = 1; done <= BATCHES; done++) {
    process.stderr.write(done === 1 ? `G10: batches of ${batch} jobs 1` : ` ${done}`);
    await finishAndForget(batch);
    sizes.push(fileBytes(engine));
  }
  process.stderr.write('\n');
  const asLeft = await restingKb(pid);
  const after = await restingAfterCollection();
  const total = `${batch * BATCHES} jobs finished and removed`;
  board.add({
    goal: 'G10',
    what: `memory after ${total}, garbage collected`,
    unit: 'MB',
    engine: [after / 1024],
    peer: { name: 'at the start', values: [fresh / 1024] },
    floor: atMost(1.3),
  });
  board.add({
    goal: 'G10',
    what: `memory after ${total}, as it was left`,
    unit: 'MB',
    engine: [asLeft / 1024],
    peer: { name: 'at the start', values: [fresh / 1024] },
  });
  board.add({
    goal: 'G10',
    what: `file after ${total}`,
    unit: 'MB',
    engine: [(sizes.at(-1) ?? Number.NaN) / 1e6],
    peer: { name: 'after the third batch', values: [(sizes[2] ?? Number.NaN) / 1e6] },
    floor: atMost(1.1),
    aim: 1,
  });
}

export const retentionGoals: Group = { goals: ['G10'], run };
