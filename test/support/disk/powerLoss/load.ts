/** What an engine is asked while its power may go, and what must hold of whatever it answered. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jobStatuses } from '#contract/api/job.ts';
import { openOrRecover } from '../../../../main/engine/store/recovery/recovery.ts';
import { jobAcceptedSchema } from '#contract/api/job.ts';
import type { TestEngine } from '../../engine/engine.ts';
import { silentLogger } from '../../core/fakes.ts';
import { createOutsideWorker } from '../../workers/outsideWorker.ts';
import { accepted, makeIdleEndpoint } from '../../resources/resources.ts';
import type { Acknowledgement } from './trace.ts';

export interface Load {
  /** Id → what was sent. */
  readonly bodies: ReadonlyMap<string, string>;
  /** Id → what its worker answered, in order; null for a failure, which is then repeated. */
  readonly results: ReadonlyMap<string, (string | null)[]>;
  /** Who was to be cancelled, whether it was or had ended already. */
  readonly cancelled: ReadonlySet<string>;
}

const SUBMITTERS = 6;
/**
 * Some bodies are so large that the log is written back now and then, and some so large that they get files of their
 * own.
 */
const PADDING = [10, 400, 60_000, 10, 400, 300_000];

/** Submits jobs, and works on, cancels, fails and repeats some of them, all at once. */
export async function putLoadOn(engine: TestEngine, jobs: number): Promise<Load> {
  const bodies = new Map<string, string>();
  const results = new Map<string, (string | null)[]>();
  const cancelled = new Set<string>();
  const note = (id: string, result: string | null): void => void results.set(id, [...(results.get(id) ?? []), result]);
  const { id: endpointId } = await makeIdleEndpoint(engine);
  const path = `/v2/${endpointId}`;
  let sent = 0;

  async function submitSome(): Promise<void> {
    while (sent < jobs) {
      const n = sent++;
      const body = JSON.stringify({ input: { n, pad: 'x'.repeat(PADDING[n % PADDING.length]!) } });
      const { id } = jobAcceptedSchema.parse(accepted(await engine.http.post(`${path}/run`, body)));
      bodies.set(id, body);
      if (n % 9 !== 0) continue;
      cancelled.add(id);
      await engine.http.post(`${path}/cancel/${id}`);
    }
  }
  async function workSome(): Promise<void> {
    const worker = createOutsideWorker(engine, endpointId);
    for (let turn = 0; turn < jobs / 6; turn++) {
      const [job] = await worker.takeBatch(1);
      if (!job) return;
      if (turn % 5 === 4) {
        note(job.id, null);
        await worker.done(job.id, { error: 'failed on purpose' });
        await engine.http.post(`${path}/retry/${job.id}`);
        continue;
      }
      if (turn % 3 === 0) await worker.stream(job.id, { output: turn });
      const output = JSON.stringify({
        by: worker.id,
        turn,
        noise: randomBytes(turn % 4 === 0 ? 9000 : 8).toString('hex'),
      });
      note(job.id, output);
      await worker.done(job.id, `{"output":${output}}`);
    }
  }
  await Promise.all([...Array.from({ length: SUBMITTERS }, submitSome), workSome(), workSome()]);
  return { bodies, results, cancelled };
}

interface Row {
  id: string;
  status: number;
  body: string | null;
  output: string | null;
  file: string | null;
  bytes: number | null;
}

/**
 * Opens a data folder as it was found after the power went, and tells what is not as it was acknowledged: `lost` jobs,
 * results and cancellations, and whether the database was `damaged`.
 */
export function inspect(
  dataDir: string,
  load: Load,
  acknowledgements: readonly Acknowledgement[],
): { lost: string[]; damaged: string | null } {
  const lost: string[] = [];
  const { database, notices } = openOrRecover(dataDir, { logger: silentLogger, now: () => 0 });
  try {
    const rows = new Map<string, Row>();
    const select = database.prepare(
      `SELECT id, status, body.content AS body, output.text AS output, file, bytes FROM job
         LEFT JOIN body USING (seq) LEFT JOIN output USING (seq)
         LEFT JOIN stored_text ON stored_text.seq = job.seq AND part = 0`,
    );
    for (const row of select.all() as unknown as Row[]) rows.set(row.id, row);

    // Every file that a row refers to is whole, acknowledged or not.
    const bodyOf = (row: Row): string | null => {
      if (row.file === null) return row.body;
      const file = join(dataDir, 'blobs', row.file);
      return existsSync(file) ? readFileSync(file, 'utf8') : null;
    };
    for (const row of rows.values()) {
      const body = bodyOf(row);
      if (body === null) lost.push(`${row.id} has no body`);
      else if (load.bodies.has(row.id) && body !== load.bodies.get(row.id)) lost.push(`${row.id} has another body`);
    }
    const answered = new Map<string, number>();
    for (const { request, status, body } of acknowledgements) {
      if (status !== 200) continue;
      const [, operation, first, second] = /\/v2\/[^/]+\/([\w-]+)(?:\/([^/? ]+))?(?:\/([^/? ]+))?/.exec(request) ?? [];
      const reply = operation === 'run' || operation === 'cancel' ? jobAcceptedSchema.parse(JSON.parse(body)) : null;
      const id = reply?.id ?? second ?? first ?? '';
      const row = rows.get(id);
      if (operation === 'run' && !row) lost.push(`${id} is gone`);
      const is = row && jobStatuses[row.status];
      // The answer for a job that had ended before says how.
      if (operation === 'cancel' && reply?.status === 'CANCELLED' && is !== reply.status) {
        lost.push(`${id} was cancelled and is ${is}`);
      }
      if (operation !== 'job-done') continue;
      const turn = answered.get(id) ?? 0;
      answered.set(id, turn + 1);
      const output = load.results.get(id)?.[turn] ?? null;
      // A result that comes after a cancellation is taken note of, and ignored.
      if (output === null || load.cancelled.has(id)) continue;
      if (is !== 'COMPLETED' || row?.output !== output) lost.push(`${id} was completed and is ${is}`);
    }
    return { lost, damaged: notices[0] ?? null };
  } finally {
    database.close();
  }
}
