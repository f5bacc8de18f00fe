/** The person's SSH settings, in `<data>/ssh.json`. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { AppError } from '#contract/core/errors.ts';
import { sshSettingsSchema, type SshSettings } from '#contract/app/ssh.ts';

export interface SettingsFile {
  get(): SshSettings;
  change(changes: { [K in keyof SshSettings]?: SshSettings[K] | undefined }): void;
}

const DEFAULTS: SshSettings = { identity: { from: 'auto' }, keepsShells: true };

export function createSettingsFile(file: string): SettingsFile {
  function get(): SshSettings {
    try {
      return {
        ...DEFAULTS,
        ...sshSettingsSchema.partial().parse(JSON.parse(readFileSync(file, 'utf8'))),
      } as SshSettings;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return DEFAULTS;
      throw new AppError('CONFLICT', `The settings of SSH in ${file} cannot be read. Correct the file, or remove it.`, {
        cause: error,
      });
    }
  }
  return {
    get,
    change(changes) {
      const draft = `${file}.new`;
      writeFileSync(draft, JSON.stringify({ ...get(), ...changes }, null, 2), { mode: 0o600 });
      renameSync(draft, file);
    },
  };
}
