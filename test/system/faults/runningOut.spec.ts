/**
 * What ran out is told in the error of a job: real processes that are refused memory and room by the system, and die of
 * it.
 */
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { makeEndpoint, type HandlerFiles } from '../../support/resources/resources.ts';
import { hasPython } from '../workers/harness.ts';

const LINUX = process.platform === 'linux';
const harness = resolve(import.meta.dirname, '../../../resources/worker-kit/node/harness.mjs');
const factsSchema = z.object({ error_type: z.string(), error_message: z.string(), error_cause: z.string().optional() });

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

async function errorOf(files: HandlerFiles, template: object = {}): Promise<string> {
  const { endpoint } = await makeEndpoint(engine, files, { template, endpoint: { workersMax: 1 } });
  const jobs = jobsOf(engine, endpoint.id);
  const view = await jobs.finished(await jobs.run({}));
  expect(view).toMatchObject({ status: 'FAILED', error: expect.any(String) });
  return view.error!;
}

/** The words of the library where there is no GPU to run out of memory; the others are refused by the system itself. */
const handlers: [what: string, files: HandlerFiles, cause: RegExp | undefined, runs: boolean][] = [
  [
    'the memory of the GPU',
    {
      'handler.py': `
class OutOfMemoryError(RuntimeError):
    pass
OutOfMemoryError.__module__ = 'torch'
def handler(job):
    raise OutOfMemoryError('CUDA out of memory. Tried to allocate 20.00 GiB.')
`,
    },
    /^The GPU ran out of memory\./,
    hasPython,
  ],
  [
    'memory',
    {
      'handler.py': `
import resource
def handler(job):
    resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))
    return len(bytearray(2**33))
`,
    },
    /^The worker ran out of memory\./,
    hasPython && LINUX,
  ],
  [
    'the disk',
    { 'handler.mjs': `import { writeFileSync } from 'node:fs'; export default () => writeFileSync('/dev/full', 'x');` },
    /^The worker's disk is full\./,
    LINUX,
  ],
  [
    'nothing',
    { 'handler.mjs': `export default () => { throw new Error('the picture is too small'); };` },
    undefined,
    true,
  ],
];

test.each(handlers.filter(([, , , runs]) => runs))(
  'where a handler fails because %s ran out, its error says so as a fact of its own',
  async (_what, files, cause) => {
    const facts = factsSchema.parse(JSON.parse(await errorOf(files)));
    if (cause === undefined) expect(facts).not.toHaveProperty('error_cause');
    else expect(facts.error_cause).toMatch(cause);
  },
);

const deaths: [what: string, body: string, tells: RegExp, runs: boolean][] = [
  [
    'its GPU had no memory left',
    `console.error('torch.OutOfMemoryError: CUDA out of memory.'); process.exit(1);`,
    /was lost: out of GPU memory: torch\.OutOfMemoryError: CUDA out of memory \(exit code 1\)\./,
    true,
  ],
  [
    'its disk was full',
    `spawnSync('dd', ['if=/dev/zero', 'of=/dev/full', 'count=1'], { stdio: 'inherit' }); process.exit(2);`,
    /was lost: no space left on the disk: .*No space left on device \(exit code 2\)\./,
    LINUX,
  ],
  ['it crashed', `process.exit(3);`, /^The job's worker was lost: exit code 3\. The job lost 2 workers/, true],
];

test.each(deaths.filter(([, , , runs]) => runs))(
  'where a worker dies because %s, the error of its job says so',
  async (_what, body, tells) => {
    const handler = `import { spawnSync } from 'node:child_process'; void spawnSync; export default () => { ${body} };`;
    expect(await errorOf({ 'handler.mjs': handler })).toMatch(tells);
  },
);

/** A group of processes that may have only so much memory; null where this system lets nobody make one. */
function memoryGroup(bytes: number): { join: string; remove(): void } | null {
  const folder = join('/sys/fs/cgroup/memory', `hangar-${process.pid}`);
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, 'memory.limit_in_bytes'), String(bytes));
    return { join: join(folder, 'cgroup.procs'), remove: () => rmdirSync(folder) };
  } catch {
    return null;
  }
}

test('where the system kills a worker because memory ran out, the error of its job says so', async ({ skip }) => {
  const group = memoryGroup(150 * 2 ** 20);
  if (group === null) {
    skip('no group of processes with a limit of memory can be made here');
    return;
  }
  try {
    const start = `echo $$ > ${group.join} && exec "$0" "$1"`;
    const error = await errorOf(
      { 'handler.mjs': `const kept = []; export default () => { for (;;) kept.push(Buffer.alloc(2 ** 24, 1)); };` },
      { dockerStartCmd: ['sh', '-c', start, process.execPath, harness] },
    );
    expect(error).toContain('was lost: out of memory (killed by SIGKILL).');
  } finally {
    group.remove();
  }
});
