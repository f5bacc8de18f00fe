import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { createHandlerPythons } from './handlerPython.ts';
import { createPythonFinder } from './python.ts';

/** A folder with this handler. */
async function handlerIn(code: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hangar-python-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(path.join(folder, 'handler.py'), code);
  return folder;
}

const pythonsOfMachine = () =>
  createHandlerPythons({
    env: process.env,
    ofMachine: createPythonFinder(process.env),
    workerKitDir: fileURLToPath(new URL('../../../../resources/worker-kit', import.meta.url)),
  });

it.each([
  ['an error of syntax', 'while True\n  pass\n', /^handler\.py cannot be loaded: SyntaxError: .* \(line 1\)\.$/, []],
  ['a missing module', 'import no_such_module\n', /^handler\.py imports no_such_module, which /, ['no_such_module']],
])(
  'The check of the imports tells %s, and no packages are missing from its list',
  async (_, code, problem, modules) => {
    const pythons = pythonsOfMachine();
    const handler = { folder: await handlerIn(code), file: 'handler.py', env: {} };
    const python = await pythons.find(handler);
    if (typeof python === 'string') throw new Error(python);
    expect(await pythons.needs(handler, python)).toEqual({
      problem: expect.stringMatching(problem),
      missingModules: modules,
      hasRequirements: true,
    });
  },
);

it('The check of the imports ends also where Python writes other words than its answer', async () => {
  const folder = await handlerIn('');
  const program = path.join(folder, 'python');
  await writeFile(program, '#!/bin/sh\necho Welcome\n');
  await chmod(program, 0o755);
  const pythons = pythonsOfMachine();
  const python = { program, version: '3.12.0', from: 'this machine' };
  expect(await pythons.needs({ folder, file: 'handler.py', env: {} }, python)).toEqual({
    problem: null,
    missingModules: [],
    hasRequirements: false,
  });
});
