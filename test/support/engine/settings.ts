import { ratedOperations, settingsSchema, type Settings, type SettingsChange } from '#contract/local/settings.ts';
import type { TestEngine } from './engine.ts';
import { accepted } from '../resources/resources.ts';

/** Changes an engine's settings; answers what holds from now on. */
export const changeSettings = async (engine: TestEngine, change: SettingsChange): Promise<Settings> =>
  settingsSchema.parse(accepted(await engine.http.send('PATCH', '/local/v1/settings', change)));

/**
 * For tests that send more than the default rates allow and are about something else: everything is counted, nothing
 * refused.
 */
export const raiseRates = (engine: TestEngine): Promise<Settings> =>
  changeSettings(engine, {
    rates: {
      operations: Object.fromEntries(ratedOperations.map((name) => [name, { requests: 10_000_000, concurrent: null }])),
    },
  });

const DAY_MS = 24 * 3_600_000;

/**
 * For tests that look at jobs later and are about something else than how long these are kept. A slow machine takes
 * longer than the minute for which a finished /runsync is kept, or the ten minutes that a job may run.
 */
export const keepJobs = (engine: TestEngine): Promise<Settings> =>
  changeSettings(engine, {
    limits: {
      retentionMs: { run: DAY_MS, runsync: DAY_MS, runsyncWithWait: DAY_MS },
      executionTimeoutMs: { default: DAY_MS },
    },
  });
