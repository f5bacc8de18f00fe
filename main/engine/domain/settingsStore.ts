/** Where settings are stored. */
import type { SettingsChange } from '#contract/local/settings.ts';

/** The settings at rest: only what was changed. */
export interface SettingsStore {
  /** Null before the first change; checked by whoever asks. */
  load(): unknown;
  save(changes: SettingsChange): void;
}
