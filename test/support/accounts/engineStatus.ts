/** The state of the engine of this computer, as the app tells it. */
import type { EngineStatus } from '#contract/app/account.ts';

/** An engine that is ready, with other values in `fields`. */
export const engineStatusOf = (fields: Partial<EngineStatus> = {}): EngineStatus => ({
  state: 'ready',
  silentSince: null,
  address: 'http://127.0.0.1:47800',
  restarts: 0,
  nextTryAt: null,
  reason: null,
  notices: [],
  ...fields,
});
