import { expect, it } from 'vitest';
import { workerWords } from './workerWords.ts';

it.each([
  [{ initializing: 0, idle: 0, running: 0 }, 'no worker'],
  [{ initializing: 0, idle: 0, running: 1 }, '1 worker running'],
  [{ initializing: 0, idle: 2, running: 1 }, '2 workers idle, 1 running'],
  // The noun belongs to the first count, not to the sum.
  [{ initializing: 0, idle: 1, running: 2 }, '1 worker idle, 2 running'],
  [{ initializing: 1, idle: 1, running: 1200 }, '1 worker starting, 1 idle, 1\u202f200 running'],
] as const)('%j is "%s"', (counts, words) => {
  expect(workerWords(counts, 0)).toBe(words);
});

it.each([
  [{ initializing: 0, idle: 0, running: 0 }, 1, '1 job running'],
  [{ initializing: 0, idle: 0, running: 0 }, 2, '2 jobs running'],
  [{ initializing: 0, idle: 0, running: 1 }, 2, '1 worker running'],
  [{ initializing: 0, idle: 2, running: 0 }, 1, '1 worker idle, 1 running'],
  [{ initializing: 0, idle: 1, running: 0 }, 3, '1 worker running'],
  [{ initializing: 0, idle: 1, running: 1 }, 1, '1 worker idle, 1 running'],
])('%j never says that nothing runs while %i jobs do', (counts, jobs, words) => {
  expect(workerWords(counts, jobs)).toBe(words);
});
