/** Environments for Python that pip makes beside a handler when a person asks for one. */
import { existsSync, globSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { skipFor, whyNoVenv } from '../../support/core/skip.ts';
import { until } from '../../support/core/until.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { accepted, makeEndpoint, NEVER_INSTALLED } from '../../support/resources/resources.ts';
import { environmentMade, readinessOf, writeWheel } from '../../support/workers/environments.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const RETURNS = { 'handler.py': 'def handler(job): return 1\n' };

describe('a handler in Python', skipFor(whyNoVenv()), () => {
  test('whose requirements are not installed is told of; an environment is made when a person asks for one, also after a stop, and gets what it lacks later', async () => {
    const { endpoint, template } = await makeEndpoint(engine, {
      'handler.py':
        'import greeting\ntry: import absent\nexcept ImportError: pass\ndef handler(job): return greeting.WORD\n',
      ...NEVER_INSTALLED,
    });
    const folder = fileURLToPath(template.imageName);
    writeWheel(folder);
    const before = await readinessOf(engine, endpoint.id);
    expect(before.handler?.environmentSource).toBe('requirements.txt');
    expect(before.notices.join(' ')).toMatch(
      /^handler\.py imports greeting, which .* does not have\. An environment can be made from its requirements\.txt\. If it does not list what is missing, add it/,
    );

    const address = `/local/v1/endpoints/${endpoint.id}/environment`;
    expect((await environmentMade(engine, endpoint.id)).state).toBe('none');
    expect((await engine.http.send('DELETE', address)).status).toBe(409);
    expect(accepted(await engine.http.post(address))).toMatchObject({ state: 'making' });
    // Its program is there after a few milliseconds, and the rest of the step takes seconds.
    await until('the folder of the environment', () => existsSync(join(folder, '.venv', 'bin')));
    expect((await engine.http.post(address)).status).toBe(409);
    expect(accepted(await engine.http.send('DELETE', address))).toMatchObject({ state: 'stopped', problem: null });
    expect(existsSync(join(folder, '.venv'))).toBe(false);
    expect(await readinessOf(engine, endpoint.id)).toMatchObject({
      handler: { environmentSource: 'requirements.txt' },
    });

    writeFileSync(join(folder, 'requirements.txt'), './wheels/greeting-1.0-py3-none-any.whl\n');
    await engine.http.post(address);
    const made = await environmentMade(engine, endpoint.id);
    expect(made, made.lines.join('\n')).toMatchObject({
      state: 'made',
      step: 'Installing requirements.txt',
      problem: null,
    });
    const jobs = jobsOf(engine, endpoint.id);
    expect((await jobs.finished(await jobs.run({}))).output).toBe('hello');
    expect(await readinessOf(engine, endpoint.id)).toMatchObject({
      notices: [],
      handler: { python: { from: '.venv of the folder' } },
    });

    // A package that it lacks later is installed there, and all else stays.
    writeFileSync(join(folder, '.venv', 'mine.txt'), 'mine');
    for (const name of globSync(join(folder, '.venv/lib*/python*/site-packages/greeting*'))) {
      rmSync(name, { recursive: true });
    }
    rmSync(join(folder, 'requirements.txt'));
    const refused = await engine.http.post(address);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('has no requirements.txt')]);
    const python = { from: '.venv of the folder' };
    expect((await readinessOf(engine, endpoint.id)).handler).toMatchObject({ python, environmentSource: null });

    writeFileSync(join(folder, 'requirements.txt'), './wheels/absent.whl\n');
    const lacking = await readinessOf(engine, endpoint.id);
    expect(lacking.handler).toMatchObject({ python, environmentSource: 'requirements.txt' });
    expect(lacking.notices.join(' ')).toMatch(/The packages of its requirements\.txt can be installed\./);
    await engine.http.post(address);
    expect((await environmentMade(engine, endpoint.id)).state).toBe('failed');

    writeFileSync(join(folder, 'requirements.txt'), './wheels/greeting-1.0-py3-none-any.whl\n');
    await engine.http.post(address);
    const again = await environmentMade(engine, endpoint.id);
    expect(again, again.lines.join('\n')).toMatchObject({ state: 'made', step: 'Installing requirements.txt' });
    expect((await jobs.finished(await jobs.run({}))).output).toBe('hello');
    expect((await readinessOf(engine, endpoint.id)).handler).toMatchObject({ python, environmentSource: null });
    expect(existsSync(join(folder, '.venv', 'mine.txt'))).toBe(true);
  });

  test('whose requirements its Python has is told of no environment', async () => {
    const list = '# A comment\n\nrunpod\npip\npip >= 1.0  # any\nabsent; python_version < "3"\n';
    const { endpoint, template } = await makeEndpoint(engine, { ...RETURNS, 'requirements.txt': list });
    expect((await readinessOf(engine, endpoint.id)).handler?.environmentSource).toBeNull();
    for (const missing of ['absent', 'pip < 1.0', 'pip[extra]', '-r other.txt', './absent.whl']) {
      writeFileSync(join(fileURLToPath(template.imageName), 'requirements.txt'), `${list}${missing}\n`);
      const { handler } = await readinessOf(engine, endpoint.id);
      expect(handler?.environmentSource, missing).toBe('requirements.txt');
    }
  });

  test('keeps its Python where its requirements cannot be installed, and the reason is told', async () => {
    const { endpoint } = await makeEndpoint(engine, { ...RETURNS, 'requirements.txt': './absent.whl\n' });
    const address = `/local/v1/endpoints/${endpoint.id}/environment`;
    await engine.http.post(address);
    const failed = await environmentMade(engine, endpoint.id);
    expect(failed.state).toBe('failed');
    expect(failed.problem).toMatch(/^Installing requirements\.txt ended with exit code 1: ERROR: .*absent\.whl/);
    expect((await readinessOf(engine, endpoint.id)).handler?.python?.from).toBe('this machine');
  });
});
