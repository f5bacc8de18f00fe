// Handlers in Python from folders, by hand: their Python, their environment, and the tests that they bring.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { whyNoVenv } from '../support/core/skip.ts';
import { expectNoFault, writeFolder } from './support/handlers.ts';
import { expect, test } from './support/host.ts';

const noVenv = whyNoVenv();
test.skip(noVenv !== null, noVenv ?? '');

/** What a new environment with pip in it may take: it is ten seconds on a machine that does nothing else. */
const ENVIRONMENT_MS = 300_000;

const handler = `import sys
def handler(job):
    if job["input"].get("bad"): raise ValueError("it is bad")
    return sys.prefix
`;
const tests = JSON.stringify({
  tests: [
    { name: 'good input', input: {} },
    { name: 'bad input', input: { bad: true } },
  ],
});

test('a handler in Python has its environment made from its requirements, and its worker is checked', async ({
  page,
  shell,
  endpoints,
}) => {
  const folder = writeFolder('with-requirements', {
    // No lock file, with uv or without.
    'handler.py': handler,
    'uv.lock': 'nothing',
    'requirements.txt': '--no-index\n',
    '.runpod/tests.json': tests,
  });
  await shell.open('#/endpoints');
  await endpoints.begin('Folder');
  await endpoints.fill({ Folder: folder });
  await expect(endpoints.sheet).toContainText(/Runs handler\.py with Python 3\.\d+\.\d+ \(this machine\)/);
  await expect(endpoints.sheet).toContainText('The packages of uv.lock are not installed yet');
  await endpoints.fill({ Python: './no/python' });
  await expect(endpoints.sheet).toContainText('names ./no/python, which is neither a program nor the folder');
  await expectNoFault(page, 'the sheet with a Python that is not there', '[role=dialog]');
  await endpoints.make();

  await expect(endpoints.state).toHaveText('Cannot run');
  const python = endpoints.part('Python');
  await python.getByRole('button', { name: 'Change…' }).click();
  await expect(python).toContainText('names ./no/python, which is neither a program nor the folder');
  await python.getByLabel('Python to use').fill('');
  await python.getByRole('button', { name: 'Let Hangar choose' }).click();
  await expect(python).toContainText('The default on this machine');
  await expect(endpoints.state).toHaveText('Ready');

  await python.getByRole('button', { name: 'Create an environment' }).click();
  await expect(python.getByRole('alert')).toContainText('Correct uv.lock');
  await expectNoFault(page, 'an environment that was not made', '[aria-label=Endpoint]');
  rmSync(join(folder, 'uv.lock'));
  await expect(python.getByRole('alert')).toContainText('Correct requirements.txt');
  // Watched for within the page: from outside, a busy machine may look only when the environment is complete.
  const mayBeStopped = page.waitForFunction(() =>
    [...document.querySelectorAll('[aria-label=Python] button')].some(({ textContent }) => textContent === 'Stop'),
  );
  await python.getByRole('button', { name: 'Try again' }).click();
  await mayBeStopped;
  await expect(python).toContainText('.venv is ready, and new workers use it.', { timeout: ENVIRONMENT_MS });
  await expect(python).toContainText('It comes from .venv of the folder.');

  const check = endpoints.part('Check this worker');
  await check.getByRole('button', { name: 'Check this worker' }).click();
  await expect(check).toContainText('1 of 2 tests passed, 1 failed.');
  const results = check.getByRole('list', { name: 'Tests' }).getByRole('listitem');
  await expect(results.nth(0)).toContainText(/^Passed\s*good input/);
  await expect(results.nth(1)).toContainText(/^Failed\s*bad input/);
  await expect(results.nth(1)).toContainText('it is bad');
  await expectNoFault(page, 'a check', '[aria-label=Endpoint]');
});

test('a check that runs is stopped by hand', async ({ shell, endpoints }) => {
  const folder = writeFolder('waits-for-ever', {
    'handler.py': 'import time\ndef handler(job): time.sleep(3600)\n',
    '.runpod/tests.json': tests,
  });
  await shell.open('#/endpoints');
  await endpoints.begin('Folder');
  await endpoints.fill({ Folder: folder });
  await expect(endpoints.sheet).toContainText('It includes 2 tests');
  await endpoints.make();
  const check = endpoints.part('Check this worker');
  await check.getByRole('button', { name: 'Check this worker' }).click();
  await expect(check).toContainText('It runs: 0 of 2 tests passed.');
  await check.getByRole('button', { name: 'Stop' }).click();
  await expect(check).toContainText('Stopped: 0 of 2 tests passed.');
  await expect(check.getByRole('button', { name: 'Check again' })).toBeEnabled();
});
