import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { choosePython, makingMark, withEnvironment } from './choosePython.ts';
import { needsLinux } from '../../../../test/support/core/skip.ts';

let folder: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hangar-python-'));
  env = { HOME: path.join(folder, 'home') };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The path of an environment's Python. */
const PROGRAM = process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python';

function write(...parts: string[]): string {
  const file = path.join(folder, ...parts);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '');
  return file;
}

test('a folder that says nothing calls for no Python in particular', () => {
  expect(choosePython(folder, {}, env)).toBeNull();
});

test('an environment in the folder is taken, .venv before venv, but not while it is being made', () => {
  const venv = write('venv', PROGRAM);
  expect(choosePython(folder, {}, env)).toEqual({ program: venv, from: 'venv of the folder' });
  const dotted = write('.venv', PROGRAM);
  expect(choosePython(folder, {}, env)).toEqual({ program: dotted, from: '.venv of the folder' });
  writeFileSync(makingMark(path.join(folder, '.venv')), '');
  expect(choosePython(folder, {}, env)).toMatchObject({ program: venv });
});

test('an environment whose Python is gone is told of, and nothing else is taken in its place', () => {
  write('.venv', 'pyvenv.cfg');
  expect(choosePython(folder, {}, env)).toBe(
    `The Python of ${path.join(folder, '.venv')} is not there any more: make that environment anew, or delete it.`,
  );
});

test('HANGAR_PYTHON of the template goes before the environment of the folder', () => {
  write('.venv', PROGRAM);
  const program = write('other', PROGRAM);
  const from = 'HANGAR_PYTHON of the template';
  const chosen = (HANGAR_PYTHON: string) => choosePython(folder, { HANGAR_PYTHON }, env);
  expect(chosen(program)).toEqual({ program, from });
  expect(chosen('other')).toEqual({ program, from });
  expect(chosen(path.join(folder, 'other'))).toEqual({ program, from });
  expect(chosen('python3.12')).toEqual({ program: 'python3.12', from });
  expect(chosen('./missing/python')).toContain('names ./missing/python, which is neither a program nor the folder');
});

test('a conda environment is found by its name, as conda lists it or below the folders that conda has', () => {
  const listed = write('elsewhere', 'torch', PROGRAM);
  mkdirSync(path.join(folder, 'home', '.conda'), { recursive: true });
  writeFileSync(
    path.join(folder, 'home', '.conda', 'environments.txt'),
    `${path.join(folder, 'elsewhere', 'torch')}\n`,
  );
  const below = write('home', 'miniconda3', 'envs', 'audio', PROGRAM);
  const chosen = (HANGAR_PYTHON: string) => choosePython(folder, { HANGAR_PYTHON }, env);
  expect(chosen('conda:torch')).toMatchObject({ program: listed });
  expect(chosen('conda:audio')).toMatchObject({ program: below });
  expect(chosen('audio')).toEqual({
    program: below,
    from: 'HANGAR_PYTHON of the template: the conda environment audio',
  });
  expect(chosen('conda:absent')).toContain('There is no conda environment "absent" on this machine');
  writeFileSync(path.join(folder, 'environment.yml'), 'name: audio # the one\ndependencies: []\n');
  expect(choosePython(folder, {}, env)).toEqual({
    program: below,
    from: 'the conda environment audio of its environment.yml',
  });
});

test('a conda environment is found in the folders that variables of conda and mamba name', () => {
  const program = write('fast disk', 'torch', PROGRAM);
  const below = write('mamba', 'envs', 'audio', PROGRAM);
  const share = write('home', '.local', 'share', 'mamba', 'envs', 'video', PROGRAM);
  const chosen = (name: string, variables: NodeJS.ProcessEnv) =>
    choosePython(folder, { HANGAR_PYTHON: `conda:${name}` }, { ...env, ...variables });
  const parents = ['/absent', path.join(folder, 'fast disk')].join(path.delimiter);
  expect(chosen('torch', { CONDA_ENVS_DIRS: parents })).toMatchObject({ program });
  expect(chosen('torch', { CONDA_ENVS_PATH: parents })).toMatchObject({ program });
  expect(chosen('audio', { MAMBA_ROOT_PREFIX: path.join(folder, 'mamba') })).toMatchObject({ program: below });
  expect(chosen('video', {})).toMatchObject({ program: share });
});

test('programs that a handler starts find the same environment, and none that was active before', () => {
  const active = { VIRTUAL_ENV: '/other', CONDA_PREFIX: '/conda', CONDA_DEFAULT_ENV: 'base', PYTHONHOME: '/home' };
  const program = write('.venv', PROGRAM);
  write('.venv', 'pyvenv.cfg');
  expect(withEnvironment(program, { PATH: '/usr/bin', LANG: 'C', ...active })).toEqual({
    LANG: 'C',
    PATH: [path.dirname(program), '/usr/bin'].join(path.delimiter),
    VIRTUAL_ENV: path.join(folder, '.venv'),
  });
});

test('an environment.yml that cannot be read is named, with the reason', needsLinux, () => {
  // The system refuses to read the first page of this file, also to root.
  symlinkSync('/proc/self/mem', path.join(folder, 'environment.yml'));
  expect(choosePython(folder, {}, env)).toMatch(/environment\.yml cannot be read \(EIO/);
});
