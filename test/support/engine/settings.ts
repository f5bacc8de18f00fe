import { ratedOperations, settingsSchema, type Settings, type SettingsChange } from '#contract/local/settings.ts';
import type { TestEngine } from './engine.ts';
import { accepted } from '../resources/resources.ts';

/** Changes an engine's settings; answers what holds from now on. */
export const changeSettings = async (engine: TestEngine, change: SettingsChange): Promise<Settings> =>
  settingsSchema.parse(accepted(await engine.http.send('PATCH', '/local/v1/settings', change)));

/** For tests that send more than the default rates allow and are about something else: everything is counted, nothing refused. */
export const raiseRates = (engine: TestEngine): Promise<Settings> =>
  changeSettings(engine, {
    rates: {
      operations: Object.fromEntries(ratedOperations.map((name) => [name, { requests: 10_000_000, concurrent: null }])),
    },
  });
