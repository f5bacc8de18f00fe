import { defineConfig } from '@playwright/test';
import { chromiumFlags, findChromium } from './scripts/chromium.mjs';

const executablePath = findChromium();

/**
 * What one step of the page may take, and one condition to come true: at least 20 times what the slowest takes on a
 * machine that does nothing else. Without this limit, a click on what never comes waits for the rest of the test, and
 * the failure does not name it.
 */
const STEP_MS = 60_000;
/** What one test may take, with the start of its host and browser. No test waits for an amount of time. */
const TEST_MS = 600_000;

export default defineConfig({
  timeout: TEST_MS,
  expect: { timeout: STEP_MS, toPass: { timeout: STEP_MS } },
  // A worker waits for its host and its page a third of its time. Two cores are the machine this is measured on.
  workers: 3,
  fullyParallel: false,
  // A test that passes the second time is a test that fails.
  retries: 0,
  forbidOnly: true,
  outputDir: 'test-results',
  globalSetup: './test/builtBundles.ts',
  use: {
    actionTimeout: STEP_MS,
    navigationTimeout: STEP_MS,
    // What a trace keeps of the page itself, as film or as snapshots, costs a third of a test's time: `--trace on`
    // brings it back.
    trace: { mode: 'retain-on-failure', snapshots: false, screenshots: false, sources: false },
    screenshot: 'only-on-failure',
    // What moves is painted many times, which costs a tenth of a test's processor time.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(executablePath !== undefined && { executablePath }),
      // The page of the next test stays in the process of the last one (test/e2e/support/sharedContext.ts).
      args: [...chromiumFlags, '--process-per-site'],
      // Chromium on Linux drops chosen files whose names the locale cannot express, such as "ü" without a locale.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    },
  },
  projects: [
    { name: 'e2e', testDir: 'test/e2e', testIgnore: '**/containers/**' },
    { name: 'desktop', testDir: 'test/desktop' },
    // A browser drops whatever it is loading when a network comes up, as each container engine's does: one at a time,
    // and in a network of their own (scripts/testing/stages.mjs).
    { name: 'e2eContainers', testDir: 'test/e2e/containers', workers: 1 },
  ],
});
