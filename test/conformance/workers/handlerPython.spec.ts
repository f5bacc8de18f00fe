/**
 * The Python of a handler's own: which one runs it, who says so, and the environment that uv makes when a person asks
 * for it. Those that pip makes are in test/system/workers/environments.spec.ts: each takes seconds of a processor.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { folderReadingSchema } from '#contract/local/folder.ts';
import { endpointReadinessSchema, workerSchema } from '#contract/local/engine.ts';
import { logPageSchema } from '#contract/local/log.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { accepted, makeEndpoint } from '../../support/resources/resources.ts';
import { skipFor, whyNoVenv } from '../../support/core/skip.ts';
import { environmentMade, readinessOf, writeWheel } from '../../support/workers/environments.ts';
import { findUv } from '../../support/workers/uv.ts';

const noVenv = whyNoVenv();

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const PREFIX = {
  'handler.py': 'import os, sys\ndef handler(job): return [sys.prefix, os.environ.get("VIRTUAL_ENV")]\n',
};

const CONDA = {
  'handler.py': `import os, subprocess, sys
def handler(job):
    named = [os.environ.get(name) for name in ("CONDA_PREFIX", "CONDA_DEFAULT_ENV", "VIRTUAL_ENV")]
    child = subprocess.check_output(["python", "-c", "import sys; print(sys.prefix)"], text=True)
    return [sys.prefix, *named, child.strip()]
`,
};

/**
 * Makes an environment as conda does: a Python of its own with its library, `conda-meta`, and no `pyvenv.cfg`. Returns
 * its folder.
 */
function condaEnvironment(folder: string): string {
  const question = 'import os, sys; print(os.path.realpath(sys.executable), os.path.dirname(os.__file__), sep="\\n")';
  const [program = '', library = ''] = execFileSync('python3', ['-c', question], { encoding: 'utf8' }).split('\n');
  for (const name of ['bin', 'lib', 'conda-meta']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'conda-meta', 'history'), '');
  copyFileSync(program, join(folder, 'bin', basename(program)));
  symlinkSync(basename(program), join(folder, 'bin', 'python'));
  symlinkSync(library, join(folder, 'lib', basename(library)));
  return folder;
}

const UV_PROJECT = `[project]
name = "worker"
version = "1.0"
requires-python = ">=3.9"
dependencies = ["greeting"]
[tool.uv]
package = false
[tool.uv.sources]
greeting = { path = "wheels/greeting-1.0-py3-none-any.whl" }
`;

/** The path of the Python of the system, which may be another one than that on PATH. */
const firstPython = (): string =>
  ['/usr/bin/python3', '/usr/local/bin/python3'].find(existsSync) ??
  execFileSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' }).trim();

describe('a handler in Python', skipFor(noVenv), () => {
  test('runs with the environment of its folder, which the endpoint, its worker and the log name, until another one is chosen', async () => {
    const { endpoint, template } = await makeEndpoint(engine, PREFIX, { endpoint: { idleTimeout: 60, workersMax: 1 } });
    const folder = fileURLToPath(template.imageName);
    const make = (name: string): string => {
      execFileSync('python3', ['-m', 'venv', '--without-pip', join(folder, name)]);
      return join(folder, name);
    };
    const own = make('.venv');
    const jobs = jobsOf(engine, endpoint.id);
    expect((await jobs.finished(await jobs.run({}))).output).toEqual([own, own]);
    const { handler } = await readinessOf(engine, endpoint.id);
    expect(handler).toMatchObject({
      file: 'handler.py',
      python: { from: '.venv of the folder' },
      environmentSource: null,
    });
    const workers = workerSchema.array().parse(accepted(await engine.http.get('/local/v1/workers')));
    expect(workers.find(({ endpointId }) => endpointId === endpoint.id)?.python).toBe(handler!.python!.program);
    const { lines } = logPageSchema.parse(accepted(await engine.http.get(`/local/v1/logs?endpointId=${endpoint.id}`)));
    expect(lines.map(({ text }) => text)).toContain(
      `It runs handler.py with Python ${handler!.python!.version} of ${handler!.python!.program} (.venv of the folder).`,
    );

    const other = make('other');
    const address = `/local/v1/endpoints/${endpoint.id}/python`;
    const chosen = endpointReadinessSchema.parse(accepted(await engine.http.send('PUT', address, { python: 'other' })));
    expect(chosen.handler?.python?.from).toBe('HANGAR_PYTHON of the template');
    expect((await jobs.finished(await jobs.run({}))).output).toEqual([other, other]);
    const wrong = endpointReadinessSchema.parse(
      accepted(await engine.http.send('PUT', address, { python: './no/python' })),
    );
    expect(wrong).toMatchObject({ available: false, handler: { python: null } });
    expect(wrong.reason).toContain('HANGAR_PYTHON of the template names ./no/python');
    await engine.http.send('PUT', address, { python: null });
    expect((await jobs.finished(await jobs.run({}))).output).toEqual([own, own]);
  });

  test('runs in the conda environment that the endpoint or its environment.yml names', async () => {
    const home = mkdtempSync(join(tmpdir(), 'hangar-conda-'));
    const listed = condaEnvironment(join(home, 'elsewhere', 'torch'));
    const below = condaEnvironment(join(home, 'miniconda3', 'envs', 'audio'));
    mkdirSync(join(home, '.conda'));
    writeFileSync(join(home, '.conda', 'environments.txt'), `${listed}\n${join(home, 'removed')}\n`);
    try {
      await using engine = await startEngine({
        env: { HOME: home, CONDA_PREFIX: '/opt/base', CONDA_DEFAULT_ENV: 'base', VIRTUAL_ENV: '/opt/venv' },
      });
      const { endpoint } = await makeEndpoint(engine, { ...CONDA, 'environment.yml': 'name: audio\n' });
      const jobs = jobsOf(engine, endpoint.id);
      const output = async () => (await jobs.finished(await jobs.run({}))).output;
      expect(await output()).toEqual([below, below, 'audio', null, below]);
      const address = `/local/v1/endpoints/${endpoint.id}/python`;
      const chosen = endpointReadinessSchema.parse(
        accepted(await engine.http.send('PUT', address, { python: 'conda:torch' })),
      );
      expect(chosen.handler?.python).toMatchObject({
        program: join(listed, 'bin', 'python'),
        from: 'HANGAR_PYTHON of the template: the conda environment torch',
      });
      expect(await output()).toEqual([listed, listed, 'torch', null, listed]);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  test('in a folder that nobody has added yet is asked about with the Python that a person has in mind', async () => {
    const { template } = await makeEndpoint(engine, PREFIX);
    const { imageName } = template;
    const answerOf = async (python: string) =>
      folderReadingSchema.parse(accepted(await engine.http.post('/local/v1/folders', { imageName, python })));
    execFileSync('python3', ['-m', 'venv', '--without-pip', join(fileURLToPath(imageName), 'other')]);
    expect(await answerOf('other')).toMatchObject({ problem: null, python: { from: 'HANGAR_PYTHON of the template' } });
    const wrong = await answerOf('./no/python');
    expect(wrong).toMatchObject({ file: 'handler.py', python: null });
    expect(wrong.problem).toContain('HANGAR_PYTHON of the template names ./no/python');
  });
});

const uv = noVenv === null ? await findUv() : { missing: noVenv };

describe('a folder with a uv.lock', skipFor('missing' in uv ? uv.missing : null), () => {
  const env = 'env' in uv ? uv.env : {};
  const lock = (folder: string) =>
    execFileSync('uv', ['lock', '--quiet', '--offline'], { cwd: folder, env: { ...process.env, ...env } });
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await startEngine({ env });
  });
  afterAll(() => engine.close());

  test('has its environment made by uv, with the Python that the project asks for, and what is locked', async () => {
    const { endpoint, template } = await makeEndpoint(engine, {
      'handler.py': 'import greeting, sys\ndef handler(job): return [greeting.WORD, sys.prefix]\n',
      'pyproject.toml': UV_PROJECT,
    });
    const folder = fileURLToPath(template.imageName);
    writeWheel(folder);
    lock(folder);
    // Another one than `venv` would be made of: uv makes the environment anew for it.
    writeFileSync(join(folder, '.python-version'), `${firstPython()}\n`);
    expect((await readinessOf(engine, endpoint.id)).handler?.environmentSource).toBe('uv.lock');
    await engine.http.post(`/local/v1/endpoints/${endpoint.id}/environment`);
    const made = await environmentMade(engine, endpoint.id);
    expect(made, made.lines.join('\n')).toMatchObject({ state: 'made', step: 'Installing uv.lock', problem: null });
    const jobs = jobsOf(engine, endpoint.id);
    expect((await jobs.finished(await jobs.run({}))).output).toEqual(['hello', join(folder, '.venv')]);
    expect((await readinessOf(engine, endpoint.id)).handler).toMatchObject({
      python: { from: '.venv of the folder' },
      environmentSource: null,
    });
  });

  test('that needs what cannot be had says what uv says of it', async () => {
    const { endpoint, template } = await makeEndpoint(engine, { ...PREFIX, 'pyproject.toml': UV_PROJECT });
    const folder = fileURLToPath(template.imageName);
    writeWheel(folder);
    lock(folder);
    rmSync(join(folder, 'wheels'), { recursive: true });
    await engine.http.post(`/local/v1/endpoints/${endpoint.id}/environment`);
    const failed = await environmentMade(engine, endpoint.id);
    expect(failed, failed.lines.join('\n')).toMatchObject({ state: 'failed' });
    expect(failed.problem).toMatch(/^Installing uv\.lock ended with exit code \d: error: .*greeting/i);
    expect(existsSync(join(folder, '.venv'))).toBe(false);
  });
});
