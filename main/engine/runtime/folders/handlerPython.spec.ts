import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { createHandlerPythons } from './handlerPython.ts';
import { createPythonFinder } from './python.ts';

it('The check of the imports ends also where Python writes other words than its answer', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'hangar-python-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const program = path.join(folder, 'python');
  await writeFile(path.join(folder, 'handler.py'), '');
  await writeFile(program, '#!/bin/sh\necho Welcome\n');
  await chmod(program, 0o755);
  const pythons = createHandlerPythons({
    env: process.env,
    ofMachine: createPythonFinder(process.env),
    workerKitDir: fileURLToPath(new URL('../../../../resources/worker-kit', import.meta.url)),
  });
  const python = { program, version: '3.12.0', from: 'this machine' };
  expect(await pythons.needs({ folder, file: 'handler.py', env: {} }, python)).toEqual({
    importProblems: [],
    hasRequirements: false,
  });
});
