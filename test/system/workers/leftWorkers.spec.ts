/** What an engine that was killed leaves running: nothing, once the next one has started. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startMark } from '../../../main/engine/runtime/process/identity.ts';
import { startEngine } from '../../support/engine/engine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { accepted, makeEndpoint, type HandlerFiles } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';
import { hasPython } from './harness.ts';

/** Each starts a child that leaves its process group, tells both numbers, and never ends by itself. */
const node = `
  import { spawn } from 'node:child_process';
  import { renameSync, writeFileSync } from 'node:fs';
  const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  process.on('SIGTERM', () => undefined);
  writeFileSync('.pids', process.pid + ' ' + child.pid);
  renameSync('.pids', 'pids');
  setInterval(() => undefined, 1000);`;
const python = `
import os, signal, subprocess, time
def handler(job):
    child = subprocess.Popen(['sleep', '600'], start_new_session=True)
    with open('.pids', 'w') as file:
        file.write(f'{os.getpid()} {child.pid}')
    os.rename('.pids', 'pids')
    while True:
        time.sleep(1)
`;
const workers: [kind: string, files: HandlerFiles, template: object][] = [
  ['a handler in Node', { 'handler.mjs': `${node} export default () => new Promise(() => undefined);` }, {}],
  ['a program of its own', { 'worker.mjs': node }, { dockerStartCmd: [process.execPath, 'worker.mjs'] }],
];
if (hasPython) workers.push(['a handler in Python', { 'handler.py': python }, {}]);

test('nothing of the workers of an engine that was killed runs on once the next one has started, and their jobs wait again', async ({
  skip,
}) => {
  if (process.platform !== 'linux') skip('only here it can be seen what runs');
  await using engine = await startEngine();
  const left: number[] = [];
  const waiting: { endpointId: string; id: string }[] = [];
  for (const [kind, files, template] of workers) {
    const made = await makeEndpoint(engine, files, { template, endpoint: { workersMax: 1 } });
    const endpointId = made.endpoint.id;
    waiting.push({ endpointId, id: await jobsOf(engine, endpointId).run({}) });
    const pids = join(fileURLToPath(made.template.imageName), 'pids');
    await until(`${kind} to run`, () => existsSync(pids));
    left.push(...readFileSync(pids, 'utf8').split(' ').map(Number));
  }
  expect(await Promise.all(left.map(startMark))).not.toContain(null);
  // So that the next engine starts nobody.
  accepted(await engine.http.send('PATCH', '/local/v1/settings', { machine: { onStart: 'paused' } }));
  await engine.kill9();
  expect((await Promise.all(left.map(startMark))).filter((mark) => mark !== null).length).toBeGreaterThan(0);
  await engine.restart();
  await until(
    'all that was left to be gone',
    () => Promise.all(left.map(startMark)),
    (marks) => marks.every((mark) => mark === null),
  );
  for (const { endpointId, id } of waiting) {
    expect(await jobsOf(engine, endpointId).status(id)).toMatchObject({ status: 'IN_QUEUE' });
  }
});
