/** G10: what has been finished and removed leaves nothing behind, in memory or in the file. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '#contract/limits.ts';
import type { Bench, Group, Running } from '../bench.ts';
import { startEngineContender, type EngineContender } from '../contenders.ts';
import { restingKb } from '../processMemory.ts';
import { openConnection } from '../rawHttp.ts';
import { atMost } from '../report.ts';
import { checkDelivered } from '../statistics.ts';
import { OUTPUT_BYTES, submitMany, WORKER_SLOTS } from '../throughput.ts';

const CLOCKED_ENTRY = join(import.meta.dirname, '../../support/clockedEntry.ts');
const BATCHES = 10;

const fileBytes = ({ engine }: EngineContender): number =>
  ['engine.db', 'engine.db-wal'].reduce(
    (sum, name) => sum + (statSync(join(engine.dataDir, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

async function run({ board, quick }: Bench, running: Running): Promise<void> {
  const batch = quick ? 10_000 : 100_000;
  const engine = running.stopping(await startEngineContender({ entry: CLOCKED_ENTRY }));
  const [pid = 0] = engine.pids;
  const worker = await running.worker(engine, { slots: WORKER_SLOTS, next: true, outputBytes: OUTPUT_BYTES });
  const reader = await openConnection(engine.address, engine.key);

  async function finishAndForget(jobs: number): Promise<void> {
    const finishing = worker.finished(jobs);
    const ids = await submitMany(engine, worker.endpointId, jobs);
    checkDelivered('jobs', ids, await finishing);
    await engine.engine.tell({ type: 'advance', ms: limits.retentionMs.run + 1000 });
    // Removal goes in steps: the newest is the last to go.
    const path = `/v2/${worker.endpointId}/status/${ids.at(-1)}`;
    while ((await reader.request('GET', path)).status !== 404) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  const fresh = await restingKb(pid);
  const sizes: number[] = [];
  for (let done = 1; done <= BATCHES; done++) {
    process.stderr.write(done === 1 ? `G10: batches of ${batch} jobs 1` : ` ${done}`);
    await finishAndForget(batch);
    sizes.push(fileBytes(engine));
  }
  process.stderr.write('\n');
  const after = await restingKb(pid);
  reader.close();
  const total = `${batch * BATCHES} jobs finished and removed`;
  board.add({
    goal: 'G10',
    what: `memory after ${total}`,
    unit: 'MB',
    engine: [after / 1024],
    peer: { name: 'at the start', values: [fresh / 1024] },
    floor: atMost(1.3),
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
