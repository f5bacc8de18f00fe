import { defineConfig } from 'vitest/config';

const LEAK_CHECK = './test/leakCheck.ts';
const RANDOM_SEED = './test/randomSeed.ts';
const ENGINES = './test/bundledEngine.ts';
const HOSTS = './test/builtBundles.ts';
const PAGE = './test/support/page/setup.ts';
/** Tests that start whole programs wait for them a third of their time. */
const WAITING = 3;

export default defineConfig({
  test: {
    // Two cores are the machine this is measured on.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['main/**/*.spec.ts', 'preload/**/*.spec.ts', 'renderer/**/*.spec.ts', 'scripts/**/*.spec.ts'],
          setupFiles: [RANDOM_SEED, LEAK_CHECK],
          // What a property needs alone is a second or two; it must hold on a machine that does much else as well.
          testTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          // Components of the page, in jsdom.
          name: 'page',
          include: ['renderer/**/*.spec.tsx'],
          environment: 'jsdom',
          setupFiles: [LEAK_CHECK, PAGE],
          testTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'architecture',
          include: ['test/architecture/**/*.spec.ts'],
          setupFiles: [RANDOM_SEED, LEAK_CHECK],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'conformance',
          include: ['test/conformance/**/*.spec.ts'],
          setupFiles: [RANDOM_SEED, LEAK_CHECK],
          globalSetup: [ENGINES],
          maxWorkers: WAITING,
          // Far above what any of them takes alone; they run beside browsers and whole programs.
          testTimeout: 45_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['test/system/**/*.spec.ts'],
          setupFiles: [RANDOM_SEED, LEAK_CHECK],
          globalSetup: [ENGINES, HOSTS],
          maxWorkers: WAITING,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
