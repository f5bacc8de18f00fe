import { defineConfig } from 'vitest/config';

const LEAK_CHECK = './test/leakCheck.ts';
const RANDOM_SEED = './test/randomSeed.ts';
const ENGINES = './test/bundledEngine.ts';
const HOSTS = './test/builtBundles.ts';
const PACKAGES = './test/madePackages.ts';
const PAGE = './test/support/page/setup.ts';
const WEB_WORKER = './test/support/core/webWorker.ts';
const WEB_LOCKS = './test/support/core/webLocks.ts';
/** Tests that start whole programs wait for them a third of their time. */
const WAITING = 3;
const TEST_MS = 600_000;

export default defineConfig({
  test: {
    setupFiles: [RANDOM_SEED, LEAK_CHECK],
    // Several times the deadline of `until` (test/support/core/until.ts), so that a failure says which condition was
    // waited for, and a test that computes for seconds alone ends on a machine that does much else.
    testTimeout: TEST_MS,
    hookTimeout: TEST_MS,
    // As long as `until` waits.
    expect: { poll: { timeout: 120_000, interval: 10 } },
    // Two cores are the machine this is measured on.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'main/**/*.spec.ts',
            'preload/**/*.spec.ts',
            'renderer/**/*.spec.ts',
            'scripts/**/*.spec.ts',
            'test/support/**/*.spec.ts',
          ],
          // The specs of one process share its modules, which costs a third less. No spec replaces a module, and the
          // leak check fails a test that leaves anything running.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          // Components of the page, in jsdom. As above: with modules and a page of its own, each spec costs three times
          // as much.
          name: 'page',
          isolate: false,
          include: ['renderer/**/*.spec.tsx', 'test/support/page/**/*.spec.tsx'],
          environment: 'jsdom',
          setupFiles: [PAGE, WEB_WORKER, WEB_LOCKS],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'architecture',
          include: ['test/architecture/**/*.spec.ts'],
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'conformance',
          include: ['test/conformance/**/*.spec.ts'],
          exclude: ['test/conformance/containers/**'],
          isolate: false,
          globalSetup: [ENGINES],
          maxWorkers: WAITING,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          // What needs a container engine: rules of Pods and images, and how they go wrong.
          name: 'containers',
          include: ['test/conformance/containers/**/*.spec.ts', 'test/system/containers/**/*.spec.ts'],
          isolate: false,
          globalSetup: [ENGINES, HOSTS],
          maxWorkers: WAITING,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          include: ['test/system/**/*.spec.ts'],
          exclude: ['test/system/containers/**'],
          isolate: false,
          globalSetup: [ENGINES, HOSTS],
          maxWorkers: WAITING,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          // What people install: made, opened, installed and run.
          name: 'packages',
          include: ['test/packages/**/*.spec.ts'],
          globalSetup: [PACKAGES],
          maxWorkers: WAITING,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          // Published programs, installed from their registries where these are reached.
          name: 'clients',
          include: ['test/clients/**/*.spec.ts'],
          globalSetup: [ENGINES],
          // The versions of the Python SDK take as long as all other clients together.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
