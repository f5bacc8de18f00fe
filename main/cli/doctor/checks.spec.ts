/** Rules of the doctor: what is a problem, what is a warning, and what is well. */
import { describe, expect, it } from 'vitest';
import type { SecretsState } from '#contract/bridge/secrets.ts';
import { checkClock, checkDisk, checkKeys, checkMachine, checkNode, type ClockFacts } from './checks.ts';

const HOUR = 3_600_000;

describe('the clock', () => {
  const now = Date.UTC(2026, 5, 1);
  const facts = (changes: Partial<ClockFacts>): ClockFacts => ({
    now,
    lastWriteAt: now - HOUR,
    programAt: now - HOUR,
    isSynchronized: null,
    ...changes,
  });

  it.each<[string, Partial<ClockFacts>, string]>([
    ['is well where nothing speaks against it', {}, 'ok'],
    ['is well where nothing was kept yet', { lastWriteAt: null }, 'ok'],
    ['is a problem where it was set back before the last change', { lastWriteAt: now + HOUR }, 'problem'],
    ['is a problem before the program was made', { programAt: now + HOUR }, 'problem'],
    ['is a warning where the system does not set it', { isSynchronized: false }, 'warning'],
  ])('%s', (_name, changes, state) => {
    expect(checkClock(facts(changes))).toMatchObject({ state });
  });

  it('says by how much it was set back', () => {
    expect(checkClock(facts({ lastWriteAt: now + HOUR })).text).toContain('1 h 0 min before the last change');
  });
});

it.each([
  [50_000_000_000, false, 'ok'],
  [1_000_000_000, false, 'warning'],
  [50_000_000, false, 'problem'],
  [50_000_000_000, true, 'problem'],
  [null, false, 'warning'],
])('a disk with %s bytes free, refusing jobs: %s, is %s', (free, isFull, state) => {
  expect(checkDisk(free, isFull)).toMatchObject({ state });
});

it('an old Node is a problem', () => {
  expect(checkNode('24.1.0')).toMatchObject({ state: 'ok' });
  expect(checkNode('20.11.1')).toMatchObject({ state: 'problem' });
});

it('GPUs of one type are one entry with their count', () => {
  const gpu = { typeId: 'NVIDIA H200', memoryBytes: 150_000_000_000 };
  const containers = { available: true, name: 'Docker', version: '28.1', address: 'unix:///d.sock', problem: null };
  const report = { containers, gpus: [gpu, gpu], gpuProblem: null, python: { version: '3.12.1', problem: null } };
  expect(checkMachine(report)).toEqual([
    { name: 'Containers', state: 'ok', text: 'Docker 28.1 at unix:///d.sock' },
    { name: 'GPU', state: 'ok', text: '2 × NVIDIA H200, 150 GB' },
    { name: 'Python', state: 'ok', text: '3.12.1' },
  ]);
});

describe('keys', () => {
  const state = (changes: Partial<SecretsState>): SecretsState => ({
    kind: 'keychain',
    chosen: true,
    problem: null,
    keychainProblem: null,
    filePath: '/data/keys',
    fileExists: false,
    entries: 0,
    outlivesRun: true,
    ...changes,
  });
  const locked = { trouble: 'locked', reason: 'Unlock it.' } as const;

  it.each<[string, Partial<SecretsState>, string]>([
    ['in the keychain are well', {}, 'ok'],
    ['in memory are well where a person chose that', { kind: 'memory' }, 'ok'],
    ['in memory are a warning where nobody chose that', { kind: 'memory', chosen: false }, 'warning'],
    ['that cannot be read are a problem', { problem: locked }, 'problem'],
  ])('%s', (_name, changes, expected) => {
    expect(checkKeys(state(changes))).toMatchObject({ state: expected });
  });
});
