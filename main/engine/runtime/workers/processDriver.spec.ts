import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkerDriver, WorkerProcess, WorkerTemplate } from '../../domain/autoscaling/ports.ts';
import { createWorkerLogs, type WorkerLogs } from '../logs/workerLogs.ts';
import { createProcessDriver, type ProcessDriverOptions } from './processDriver.ts';
import { groupRuns, startMark } from '../process/identity.ts';
import { systemClock } from '../host/systemClock.ts';
import { silentLogger } from '../../../../test/support/core/fakes.ts';
import { needsLinux, needsPosix } from '../../../../test/support/core/skip.ts';
import { DEADLINE_MS } from '../../../../test/support/core/until.ts';

const workerKitDir = fileURLToPath(new URL('../../../../resources/worker-kit', import.meta.url));

let folder: string;
let dataDir: string;
let started: WorkerProcess[];
let logs: WorkerLogs;

const template = (over: Partial<WorkerTemplate> = {}): WorkerTemplate => ({
  id: 't1',
  name: 'a template',
  imageName: pathToFileURL(folder).href,
  dockerEntrypoint: [],
  dockerStartCmd: [],
  env: {},
  containerDiskInGb: 50,
  ...over,
});
const driverWith = (options: Partial<ProcessDriverOptions> = {}): WorkerDriver =>
  createProcessDriver({ workerKitDir, dataDir, logger: silentLogger, logs, address: () => '', ...options });

/** A start without GPUs, mounts, credentials, ports and limits. */
const bare = { gpus: [], mounts: [], registryAuth: null, ports: [], limits: { vcpuCount: 0, memoryInGb: 0 } };

/** Ids that no other worker on this machine has: they identify the processes that have left their group. */
const workerId = (name: string | number): string => `w${name}-of-${process.pid}`;

/** Starts a worker whose command is a script for Node. */
function startScript(script: string, over: Partial<WorkerTemplate> = {}, driver = driverWith()): WorkerProcess {
  const id = workerId(started.length + 1);
  const worker = driver.start({
    workerId: id,
    endpointId: 'e1',
    ...bare,
    template: template({ dockerStartCmd: [process.execPath, '-e', script], ...over }),
    env: () => ({ RUNPOD_POD_ID: id, RUNPOD_ENDPOINT_ID: 'e1' }),
  });
  started.push(worker);
  return worker;
}

/** The content that a script has written to a file of its folder; waits for it. */
async function written(name: string): Promise<string> {
  const file = path.join(folder, name);
  await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toBeTruthy();
  return readFileSync(file, 'utf8');
}

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hangar-driver-'));
  dataDir = path.join(folder, 'data');
  started = [];
  logs = createWorkerLogs({
    folder: path.join(dataDir, 'logs'),
    clock: systemClock,
    jobsOf: () => [],
    onFailure: () => {},
  });
});
afterEach(async () => {
  await Promise.all(started.map((worker) => worker.stop(0)));
  await logs.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('a worker does not find the list of jobs that the public SDK has left in the folder of one before it', async () => {
  writeFileSync(path.join(folder, '.runpod_jobs.pkl'), 'the jobs of a worker that was killed');
  startScript(`const { existsSync, writeFileSync } = require('node:fs');
    writeFileSync('seen', existsSync('.runpod_jobs.pkl') ? 'a list' : 'no list');`);
  expect(await written('seen')).toBe('no list');
});

describe('a template whose imageName is a folder', () => {
  it.each([
    ['handler.mjs', 'node'],
    ['handler.js', 'node'],
    ['handler.ts', 'node'],
    ['handler.py', 'python'],
  ])('with %s gets the %s harness', (name, runtime) => {
    writeFileSync(path.join(folder, name), '');
    expect(driverWith().runtimeOf(template())).toBe(runtime);
  });

  it('with a command of its own gets no harness', () => {
    writeFileSync(path.join(folder, 'handler.py'), '');
    expect(driverWith().runtimeOf(template({ dockerStartCmd: ['./run'] }))).toBe('command');
    expect(driverWith().runtimeOf(template({ dockerEntrypoint: ['./run'] }))).toBe('command');
  });

  it('that does not exist is unavailable, and the reason names it', async () => {
    const missing = path.join(folder, 'missing');
    expect(await driverWith().unavailable(template({ imageName: pathToFileURL(missing).href }))).toBe(
      `The folder ${missing} does not exist. Put it back, or change the template's imageName.`,
    );
  });

  it('that is a file is unavailable', async () => {
    const file = path.join(folder, 'handler.mjs');
    writeFileSync(file, '');
    expect(await driverWith().unavailable(template({ imageName: pathToFileURL(file).href }))).toContain(
      `${file} is not a folder.`,
    );
  });

  it('without a handler is unavailable until there is one', async () => {
    expect(await driverWith().unavailable(template())).toBe(
      `There is no handler in ${folder}. Add a handler.mjs, handler.js, handler.ts or handler.py, or set dockerStartCmd of the template.`,
    );
    writeFileSync(path.join(folder, 'handler.mjs'), '');
    expect(await driverWith().unavailable(template())).toBeNull();
  });

  it('whose address is not a local folder is unavailable', async () => {
    expect(await driverWith().unavailable(template({ imageName: 'file:///%ZZ' }))).toContain(
      'file:///%ZZ is not the address of a folder on this machine',
    );
  });

  it('with a command that is not installed is unavailable', async () => {
    expect(await driverWith().unavailable(template({ dockerStartCmd: ['no-such-program'] }))).toBe(
      "The command no-such-program was not found. Install it, or change the template's dockerStartCmd.",
    );
  });

  it('may have its command in the folder', needsPosix, async () => {
    writeFileSync(path.join(folder, 'run'), '#!/bin/sh\n', { mode: 0o755 });
    expect(await driverWith().unavailable(template({ dockerStartCmd: ['./run'] }))).toBeNull();
  });

  it('with a Python handler is unavailable without Python, and the reason says what to do', async () => {
    writeFileSync(path.join(folder, 'handler.py'), '');
    expect(await driverWith({ env: { PATH: folder } }).unavailable(template())).toBe(
      'Python handlers need Python 3.9 or newer, and no Python was found on PATH. ' +
        'Install Python 3.9 or newer, or set HANGAR_PYTHON to its path before Hangar starts.',
    );
  });

  it(
    'with a Python handler is unavailable when Python is too old, until a newer one is there',
    needsPosix,
    async () => {
      writeFileSync(path.join(folder, 'handler.py'), '');
      const python = path.join(folder, 'python3');
      const driver = driverWith({ env: { PATH: `${folder}:/bin:/usr/bin`, HANGAR_PYTHON: python } });
      writeFileSync(python, '#!/bin/sh\necho 3.8.18 /opt/python3\n', { mode: 0o755 });
      expect(await driver.unavailable(template())).toContain('and /opt/python3 is Python 3.8.18.');
      writeFileSync(python, '#!/bin/sh\necho 3.10.0 /opt/python3\n', { mode: 0o755 });
      expect(await driver.unavailable(template())).toBeNull();
    },
  );
});

describe('a worker process', () => {
  it('runs in the folder, with the variables of the template and those of the protocol, which win', async () => {
    startScript(
      `const { cwd, env } = process; fs.writeFileSync('seen.json', JSON.stringify({ cwd: process.cwd(), env }))`,
      { env: { MODEL: 'tiny', RUNPOD_ENDPOINT_ID: 'spoofed' } },
    );
    const { cwd, env } = JSON.parse(await written('seen.json')) as { cwd: string; env: Record<string, string> };
    expect(path.basename(cwd)).toBe(path.basename(folder));
    expect(env).toMatchObject({ MODEL: 'tiny', RUNPOD_ENDPOINT_ID: 'e1', PATH: process.env['PATH'] });
  });

  it('does not see the secrets of the engine', async () => {
    const env = { ...process.env, HANGAR_API_KEY: 'secret', AWS_SECRET_ACCESS_KEY: 'secret', https_proxy: 'http://p' };
    startScript(`fs.writeFileSync('seen.json', JSON.stringify(process.env))`, {}, driverWith({ env }));
    const seen = await written('seen.json');
    expect(seen).not.toContain('secret');
    expect(JSON.parse(seen)).toMatchObject({ https_proxy: 'http://p' });
  });

  it('is given its arguments as they are, by no shell', async () => {
    startScript('', {
      dockerEntrypoint: [process.execPath, '-e', `fs.writeFileSync('seen', JSON.stringify(process.argv.slice(1)))`],
      dockerStartCmd: ['$HOME', '*', 'a b; "c'],
    });
    expect(JSON.parse(await written('seen'))).toEqual(['$HOME', '*', 'a b; "c']);
  });

  it('tells how it ended and what it wrote last, and keeps all of it in its log', async () => {
    const worker = startScript(`console.log('out'); console.error('err'); process.exitCode = 3`);
    const { lastLines, ...exit } = await worker.exited;
    expect(exit).toEqual({ code: 3, signal: null, startError: null });
    expect(lastLines.toSorted()).toEqual(['err', 'out']);
    expect((await logs.page({ text: 'out' })).lines).toMatchObject([{ workerId: workerId(1), stream: 'stdout' }]);
  });

  it('that cannot be started tells why', async () => {
    const worker = startScript('', { dockerStartCmd: [path.join(folder, 'missing')] });
    const { startError } = await worker.exited;
    expect(worker.pid).toBeNull();
    expect(startError).toContain('missing was not found');
  });

  it('that is not a program tells why', needsPosix, async () => {
    const file = path.join(folder, 'run');
    writeFileSync(file, '#!/no/such/interpreter\n', { mode: 0o755 });
    const { startError } = await startScript('', { dockerStartCmd: [file] }).exited;
    expect(startError).toContain(`${file} could not be started: `);
  });

  it('is asked to stop first, and may take its grace time', needsPosix, async () => {
    const worker = startScript(
      `process.on('SIGTERM', () => { console.log('tidied up'); process.exit(0) }); fs.writeFileSync('up', '1'); setInterval(() => {}, 1e6)`,
    );
    await written('up');
    await worker.stop(DEADLINE_MS);
    expect(await worker.exited).toMatchObject({ code: 0, lastLines: ['tidied up'] });
  });

  it('is killed with everything it started when its grace time is over', needsPosix, async () => {
    const worker = startScript(
      `process.on('SIGTERM', () => {});
       const child = require('child_process').spawn('sh', ['-c', 'trap "" TERM; while :; do sleep 60; done']);
       fs.writeFileSync('up', String(child.pid)); setInterval(() => {}, 1e6)`,
    );
    await written('up');
    await worker.stop(50);
    expect(await worker.exited).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(groupRuns(worker.pid!)).toBe(false);
  });

  it('takes with it what it left running when it ends by itself', needsPosix, async () => {
    const worker = startScript(
      `require('child_process').spawn('sleep', ['600'], { stdio: 'inherit' }).unref(); process.exit(0)`,
    );
    await worker.exited;
    expect(groupRuns(worker.pid!)).toBe(false);
  });

  it('fault 17: takes with it even what has left its process group', needsLinux, async () => {
    const worker = startScript(
      `const child = require('child_process').spawn('sleep', ['600'], { stdio: 'ignore', detached: true });
       child.unref(); fs.writeFileSync('up', String(child.pid)); setInterval(() => {}, 1e6)`,
    );
    const apart = Number(await written('up'));
    expect(await startMark(apart)).not.toBeNull();
    await worker.stop(0);
    expect(await startMark(apart)).toBeNull();
  });

  it('has a standard input that stays open, so that its end is the end of the engine', async () => {
    const worker = startScript(`process.stdin.on('end', () => process.exit(9)).resume(); fs.writeFileSync('up', '1')`);
    await written('up');
    await worker.stop(0);
    expect((await worker.exited).code).not.toBe(9);
  });

  it('is recorded while it runs, and no longer', async () => {
    const worker = startScript(`fs.writeFileSync('up', '1'); setInterval(() => {}, 1e6)`);
    await written('up');
    await expect.poll(() => readdirSync(path.join(dataDir, 'workers'))).toEqual([`${worker.pid}.json`]);
    await worker.stop(0);
    expect(readdirSync(path.join(dataDir, 'workers'))).toEqual([]);
  });
});

describe('the harnesses', () => {
  it.each([
    ['node', 'handler.mjs', `export default (job) => job.input.a + job.input.b;`],
    ['python', 'handler.py', `def handler(job):\n    return job["input"]["a"] + job["input"]["b"]`],
  ])('run a handler: %s', async (_runtime, file, source) => {
    writeFileSync(path.join(folder, file), source);
    const driver = driverWith();
    if ((await driver.unavailable(template())) !== null) return;

    let isTaken = false;
    let answer: (text: string) => void;
    const answered = new Promise<string>((resolve) => (answer = resolve));
    const server = http.createServer((request, response) => {
      if (request.url!.startsWith('/job-done/')) {
        void request
          .setEncoding('utf8')
          .toArray()
          .then((parts: string[]) => answer(parts.join('')));
        response.end('{}');
      } else if (request.url!.startsWith('/job-take/') && !isTaken) {
        isTaken = true;
        response.end('{"id":"j1","input":{"a":1,"b":2}}');
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const worker = driver.start({
      workerId: workerId('harness'),
      endpointId: 'e1',
      template: template(),
      ...bare,
      env: () => ({
        RUNPOD_POD_ID: workerId('harness'),
        RUNPOD_WEBHOOK_GET_JOB: `${at}/job-take/w1?`,
        RUNPOD_WEBHOOK_POST_OUTPUT: `${at}/job-done/w1/$ID?`,
        RUNPOD_WEBHOOK_POST_STREAM: `${at}/job-stream/w1/$ID?`,
      }),
    });
    started.push(worker);
    expect(await answered).toBe('{"output":3}');
    await worker.stop(DEADLINE_MS);
    if (process.platform !== 'win32') expect(await worker.exited).toMatchObject({ code: 0, signal: null });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('what a killed engine has left running', needsPosix, () => {
  /** An engine in its own process, with one worker that ignores the end of its standard input. */
  async function leaveBehind(script: string): Promise<number> {
    const options = JSON.stringify({ workerKitDir, dataDir });
    const worker = JSON.stringify({
      workerId: workerId('left'),
      endpointId: 'e1',
      template: template({ dockerStartCmd: [process.execPath, '-e', script] }),
      env: { RUNPOD_POD_ID: workerId('left') },
      ...bare,
    });
    const engine = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { createProcessDriver } from ${JSON.stringify(new URL('./processDriver.ts', import.meta.url).href)};
         const worker = ${worker};
         const logs = { open: () => ({ read: (stream) => stream.resume() }) };
         createProcessDriver({ ...${options}, logger: console, logs, address: () => '' }).start({ ...worker, env: () => worker.env });`,
      ],
      { stdio: 'ignore' },
    );
    const pid = Number(await written('up'));
    await expect.poll(() => readdirSync(path.join(dataDir, 'workers'))).toEqual([expect.stringMatching(/^\d+\.json$/)]);
    engine.kill('SIGKILL');
    await new Promise((resolve) => engine.once('close', resolve));
    return pid;
  }
  const runOn = `setInterval(() => {}, 1e6)`;
  const andReport = `fs.writeFileSync('.up', String(process.pid)); fs.renameSync('.up', 'up');`;

  it('is ended by the next one', async () => {
    const pid = await leaveBehind(`${runOn}; ${andReport}`);
    expect(groupRuns(pid)).toBe(true);
    await driverWith().sweep();
    expect(groupRuns(pid)).toBe(false);
    expect(readdirSync(path.join(dataDir, 'workers'))).toEqual([]);
  });

  it('is ended even where only what a worker had started is left', needsLinux, async () => {
    const pid = await leaveBehind(
      `require('child_process').spawn('sleep', ['600'], { stdio: 'ignore' }); ${runOn}; ${andReport}`,
    );
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => startMark(pid)).toBeNull();
    expect(groupRuns(pid)).toBe(true);
    await driverWith().sweep();
    expect(groupRuns(pid)).toBe(false);
  });

  it('is ended even where that has left the process group', needsLinux, async () => {
    const apart = await leaveBehind(
      `const child = require('child_process').spawn('sleep', ['600'], { stdio: 'ignore', detached: true });
       fs.writeFileSync('.up', String(child.pid)); fs.renameSync('.up', 'up'); ${runOn}`,
    );
    expect(await startMark(apart)).not.toBeNull();
    await driverWith().sweep();
    expect(await startMark(apart)).toBeNull();
  });

  it('is left alone when its number belongs to another process by now', async () => {
    const worker = startScript(`${runOn}; ${andReport}`);
    await written('up');
    const folderOfRecords = path.join(dataDir, 'other', 'workers');
    mkdirSync(folderOfRecords, { recursive: true });
    const record = JSON.stringify({ workerId: 'w-earlier', pid: worker.pid, mark: 'started at another time' });
    writeFileSync(path.join(folderOfRecords, `${worker.pid}.json`), record);
    await driverWith({ dataDir: path.join(dataDir, 'other') }).sweep();
    expect(groupRuns(worker.pid!)).toBe(true);
    expect(readdirSync(folderOfRecords)).toEqual([]);
  });

  it('is forgotten when its record was only half written', async () => {
    mkdirSync(path.join(dataDir, 'workers'), { recursive: true });
    writeFileSync(path.join(dataDir, 'workers', '4711.json'), '{"workerId":"w');
    await driverWith().sweep();
    expect(readdirSync(path.join(dataDir, 'workers'))).toEqual([]);
  });
});
