/** Where settings are stored. */
import type { SettingsChange } from '#contract/local/settings.ts';

/** The settings at rest: only what was changed. */
export interface SettingsStore {
  /** Null before the first change. The caller validates it. */
  load(): unknown;
  save(changes: SettingsChange): void;
}
