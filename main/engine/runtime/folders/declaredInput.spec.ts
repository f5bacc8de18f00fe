import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDeclaredInputs } from './declaredInput.ts';

const workerKitDir = fileURLToPath(new URL('../../../../resources/worker-kit', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'hangar-input-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}

const inputs = createDeclaredInputs(workerKitDir);
const read = (handler: string | null = 'handler.py') => inputs.read(folder, handler, handler && 'python3');
const schemaOf = async (handler?: string): Promise<unknown> => {
  const { schema } = await read(handler);
  return schema && (JSON.parse(schema.text) as unknown);
};

describe('the rules of a Python handler', () => {
  it('are read as they stand, and the handler is not run', async () => {
    await write({
      'handler.py': `
import os, no_such_module
open(os.path.join(os.path.dirname(__file__), "ran"), "w").close()
STEPS = 30
INPUT_SCHEMA = {
    "prompt": {"type": str, "required": True},
    "steps": {"type": int, "required": False, "default": STEPS, "constraints": lambda steps: steps < 100},
    "seed": {"type": int, "default": -1},
    "scale": {"type": (int, float), "default": float(os.environ["SCALE"])},
}
def handler(job): pass
`,
    });
    const { schema, notices } = await read();
    expect(notices).toEqual([]);
    expect(schema).toMatchObject({ file: 'handler.py', line: 5 });
    expect(JSON.parse(schema?.text ?? '')).toEqual({
      prompt: { type: 'str', required: true },
      steps: { type: 'int', required: false, default: 30 },
      seed: { type: 'int', default: -1 },
      scale: { type: ['int', 'float'] },
    });
    expect(existsSync(path.join(folder, 'ran'))).toBe(false);
  });

  it('are those that the handler hands to the validator, also from another file of the folder', async () => {
    await write({
      'src/handler.py':
        'from rules.image import RULES as R\nfrom x import validate\ndef f(job): validate(job["input"], R)\n',
      'rules/image.py': 'from .shared import BASE\nRULES = {**BASE, "prompt": {"type": str}}\n',
      'rules/shared.py': 'BASE = {"seed": {"type": int}}\n',
    });
    const { schema } = await read('src/handler.py');
    expect(schema).toMatchObject({ file: 'rules/image.py', line: 2 });
    expect(JSON.parse(schema?.text ?? '')).toEqual({ seed: { type: 'int' }, prompt: { type: 'str' } });
  });

  it('are read again after any of their files has changed', async () => {
    await write({
      'handler.py': 'from rules import INPUT_SCHEMA\n',
      'rules.py': 'INPUT_SCHEMA = {"a": {"type": str}}',
    });
    expect(await schemaOf()).toEqual({ a: { type: 'str' } });
    await write({ 'rules.py': 'INPUT_SCHEMA = {"a": {"type": str}, "b": {"type": bool}}' });
    expect(await schemaOf()).toEqual({ a: { type: 'str' }, b: { type: 'bool' } });
  });

  it('that the program makes are named, and so is a file that Python cannot read', async () => {
    await write({ 'handler.py': 'INPUT_SCHEMA = load()\n' });
    expect(await read()).toMatchObject({
      schema: null,
      notices: ['handler.py: INPUT_SCHEMA is made by the program, so it can only be read by a run.'],
    });
    await write({ 'handler.py': 'def handler(:\n' });
    const { schema, notices } = await read();
    expect(schema).toBeNull();
    expect(notices).toEqual([
      expect.stringMatching(/^The input that handler\.py declares cannot be read: SyntaxError/),
    ]);
  });
});

it('A program that writes other words than the rules is a problem of the handler, and stops nothing', async () => {
  await write({ 'handler.py': '', python: '#!/bin/sh\necho Welcome\n' });
  const python = path.join(folder, 'python');
  await chmod(python, 0o755);
  const { schema, notices } = await inputs.read(folder, 'handler.py', python);
  expect(schema).toBeNull();
  expect(notices).toEqual([expect.stringMatching(/^The input that handler\.py declares cannot be read: .*Welcome/)]);
});

describe('the files of a folder', () => {
  it('declare nothing where there are none', async () => {
    await write({ 'handler.py': 'def handler(job): pass\n' });
    expect(await read()).toEqual({ schema: null, test: null, notices: [] });
  });

  it('come after the handler, and those beside it before those of the folder', async () => {
    const schema = (name: string): string => JSON.stringify({ properties: { [name]: {} } });
    await write({
      '.runpod/hub.json': `{"config": {"inputSchema": ${schema('hub')}}, // by hand\n}`,
      'test_input.json': '{"input": {}}',
    });
    expect((await read(null)).schema?.file).toBe('.runpod/hub.json');
    await write({ 'schema.json': schema('folder'), 'src/handler.py': '' });
    expect((await read('src/handler.py')).schema?.file).toBe('schema.json');
    await write({ 'src/schema.json': schema('beside'), 'src/test_input.json': '{"input": {"n": 1}}' });
    expect(await read('src/handler.py')).toMatchObject({
      schema: { file: 'src/schema.json' },
      test: { file: 'src/test_input.json', body: '{"input": {"n": 1}}' },
    });
    await write({ 'src/handler.py': 'INPUT_SCHEMA = {"own": {"type": str}}' });
    expect((await read('src/handler.py')).schema?.file).toBe('src/handler.py');
  });

  it('that are no JSON are named with the reason', async () => {
    await write({ 'schema.json': '{"properties": ', 'test_input.json': '[]' });
    const { schema, test, notices } = await read(null);
    expect([schema, test]).toEqual([null, null]);
    expect(notices).toEqual([
      expect.stringMatching(/^schema\.json cannot be read: /),
      'test_input.json cannot be read: It is no request: it needs an object "input".',
    ]);
  });
});
