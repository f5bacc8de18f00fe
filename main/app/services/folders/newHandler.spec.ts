/** Rules of writing a new handler, on real folders. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newHandlerSchema, type NewEndpoint } from '#contract/app/endpointReadModels.ts';
import { needsPosix } from '../../../../test/support/core/skip.ts';
import { newHandler } from './newHandler.ts';

let dir: string;
let created: NewEndpoint[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hangar-handler-'));
  created = [];
});
afterEach(() => rmSync(dir, { recursive: true }));

function create(endpoint: NewEndpoint): Promise<{ endpointId: string }> {
  created.push(endpoint);
  return Promise.resolve({ endpointId: 'e1' });
}

const target = {
  create,
  names: () => Promise.resolve(['taken']),
  resourcesDir: fileURLToPath(new URL('../../../../resources', import.meta.url)),
  mask: 0o022,
};

describe('a new handler', () => {
  it('writes nothing where another template has its name', async () => {
    await expect(
      newHandler({ parent: dir, name: 'taken', kind: 'job', language: 'python' }, target),
    ).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'The name "taken" is taken by another endpoint or template. Choose another name.',
    });
    expect(readdirSync(dir)).toEqual([]);
  });

  it.each([
    ['python', ['README.md', 'handler.py', 'requirements.txt', 'test_input.json']],
    ['node', ['README.md', 'handler.mjs', 'package.json', 'test_input.json']],
  ] as const)('in %s is a folder with these files, and an endpoint of it', async (language, names) => {
    const made = await newHandler({ parent: dir, name: 'greeter', kind: 'job', language }, target);
    const folder = join(dir, 'greeter');
    expect(readdirSync(folder).toSorted()).toEqual(names);
    expect(made).toEqual({ endpointId: 'e1', folder, file: join(folder, names[1]) });
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(10);
    expect(created).toEqual([
      {
        template: { name: 'greeter', imageName: pathToFileURL(folder).href, readme, isServerless: true },
        endpoint: { name: 'greeter', workersMin: 0, workersMax: 3, idleTimeout: 60 },
      },
    ]);
    const input: unknown = JSON.parse(readFileSync(join(folder, 'test_input.json'), 'utf8'));
    expect(input).toEqual({ input: { name: 'world' } });
  });

  it.each([
    ['job', 'python', /return \{"greeting"/],
    ['stream', 'python', /yield f"/],
    ['chat', 'python', /\/v1\/chat\/completions/],
    ['job', 'node', /return \{ greeting/],
    ['stream', 'node', /yield `/],
    ['chat', 'node', /\/v1\/chat\/completions/],
  ] as const)('that is a %s in %s has the code of that', async (kind, language, code) => {
    const { file } = await newHandler({ parent: dir, name: 'greeter', kind, language }, target);
    expect(readFileSync(file, 'utf8')).toMatch(code);
  });

  it.each(['a folder', 'a file'])('leaves %s of its name as it is', async (what) => {
    const taken = join(dir, 'greeter');
    if (what === 'a folder') mkdirSync(taken);
    writeFileSync(what === 'a folder' ? join(taken, 'handler.py') : taken, 'mine');
    await expect(
      newHandler({ parent: dir, name: 'greeter', kind: 'job', language: 'python' }, target),
    ).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `${dir} already contains greeter. Choose another name or an empty folder.`,
    });
    expect(readFileSync(what === 'a folder' ? join(taken, 'handler.py') : taken, 'utf8')).toBe('mine');
    if (what === 'a folder') expect(readdirSync(taken)).toEqual(['handler.py']);
    expect(created).toEqual([]);
  });

  it.each([[[]], [['.git']], [['.git', '.venv', '.gitignore']]])(
    'is written into an empty folder with %j',
    async (names) => {
      for (const name of names) mkdirSync(join(dir, 'greeter', name), { recursive: true });
      mkdirSync(join(dir, 'greeter'), { recursive: true });
      await newHandler({ parent: dir, name: 'greeter', kind: 'job', language: 'node' }, target);
      const written = ['README.md', 'handler.mjs', 'package.json', 'test_input.json'];
      expect(readdirSync(join(dir, 'greeter')).toSorted()).toEqual([...names, ...written].toSorted());
      expect(created).toHaveLength(1);
    },
  );

  it('is written beside the files of a person, none of which it changes', async () => {
    writeFileSync(join(dir, 'train.py'), 'mine');
    writeFileSync(join(dir, 'README.md'), 'my notes');
    const made = await newHandler(
      { parent: dir, name: 'trainer', kind: 'job', language: 'python', into: true },
      target,
    );
    expect(made).toMatchObject({ folder: dir, file: join(dir, 'handler.py') });
    expect(readdirSync(dir).toSorted()).toEqual([
      'README.md',
      'handler.py',
      'requirements.txt',
      'test_input.json',
      'train.py',
    ]);
    expect(readFileSync(join(dir, 'README.md'), 'utf8')).toBe('my notes');
    expect(created[0]?.template).toMatchObject({ name: 'trainer', imageName: pathToFileURL(dir).href });
  });

  it.each(['handler.py', 'handler.js', 'src/rp_handler.py'])('is not written beside the handler %s', async (file) => {
    mkdirSync(join(dir, 'src'));
    writeFileSync(join(dir, file), 'mine');
    const failing = newHandler({ parent: dir, name: 'trainer', kind: 'job', language: 'node', into: true }, target);
    await expect(failing).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(`already has the handler ${file}.`) as string,
    });
    expect(existsSync(join(dir, 'handler.mjs'))).toBe(false);
    expect(created).toEqual([]);
  });

  it('has the permissions that the umask of the person leaves', needsPosix, async () => {
    const own = process.umask(0o077);
    try {
      await newHandler({ parent: dir, name: 'greeter', kind: 'job', language: 'python' }, { ...target, mask: 0o027 });
    } finally {
      process.umask(own);
    }
    const modeOf = (name: string) => (statSync(join(dir, name)).mode & 0o777).toString(8);
    expect([modeOf('greeter'), modeOf('greeter/handler.py'), modeOf('greeter/README.md')]).toEqual([
      '750',
      '640',
      '640',
    ]);
  });

  it('says where its folder is when the endpoint cannot be created', async () => {
    const create = () => Promise.reject(new Error('the engine is away'));
    const failing = newHandler({ parent: dir, name: 'greeter', kind: 'job', language: 'node' }, { ...target, create });
    await expect(failing).rejects.toThrow(`The folder ${join(dir, 'greeter')} is written.`);
    expect(existsSync(join(dir, 'greeter', 'handler.mjs'))).toBe(true);
  });

  it('is refused where its parent folder is not there', async () => {
    const parent = join(dir, 'gone');
    await expect(newHandler({ parent, name: 'greeter', kind: 'job', language: 'node' }, target)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: `${parent} is not there. Check its spelling, or choose another folder.`,
      details: { field: 'parent' },
    });
  });

  it.each(['', '.', '..', 'a/b', 'a\\b', '.hidden', '-x', 'a b', 'x'.repeat(64)])('has no name such as %j', (name) =>
    expect(newHandlerSchema.safeParse({ parent: dir, name, kind: 'job', language: 'node' }).success).toBe(false),
  );
});
