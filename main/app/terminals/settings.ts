/** The person's SSH settings, in `<data>/ssh.json`. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { AppError } from '#contract/core/errors.ts';
import { sshIdentitySchema, type SshSettings } from '#contract/app/ssh.ts';
import * as z from 'zod';
import { errorCode } from '../platform/systemError.ts';

export interface SettingsFile {
  get(): SshSettings;
  change(changes: { [K in keyof SshSettings]?: SshSettings[K] | undefined }): void;
}

/**
 * The file contains the changed settings. A missing field has its default, also if an older version did not know it.
 */
const storedSchema = z.looseObject({
  identity: sshIdentitySchema.default({ from: 'auto' }),
  keepsShells: z.boolean().default(true),
});

export function createSettingsFile(file: string): SettingsFile {
  function get(): z.output<typeof storedSchema> {
    try {
      return storedSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return storedSchema.parse({});
      throw new AppError('CONFLICT', `The settings of SSH in ${file} cannot be read. Correct the file, or remove it.`, {
        cause: error,
      });
    }
  }
  return {
    get() {
      const { identity, keepsShells } = get();
      return { identity, keepsShells };
    },
    change(changes) {
      const draft = `${file}.new`;
      writeFileSync(draft, JSON.stringify({ ...get(), ...changes }, null, 2), { mode: 0o600 });
      renameSync(draft, file);
    },
  };
}
