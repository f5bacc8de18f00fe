/** A small file with the chosen store of secrets and an id for their names. It contains no secret. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { secretKindSchema, type SecretKind } from '#contract/app/secretKind.ts';
import { writeAtomicFile } from '../platform/atomicFile.ts';
import { errorCode } from '../platform/systemError.ts';

const choiceSchema = z.object({
  /** Null until the person chooses, or until a keychain works. */
  kind: secretKindSchema.nullable(),
  names: z.array(z.string()).default([]),
  /** Separates the entries of this data folder from those of other folders in one keychain. */
  id: z.string(),
});

export interface Choice {
  readonly kind: SecretKind | null;
  readonly names: readonly string[];
  readonly id: string;
  /** Whether the file existed and could not be read or parsed. */
  readonly damaged: boolean;
  save(kind: SecretKind | null, names: readonly string[]): Promise<void>;
}

export function openChoice(path: string): Choice {
  let stored: z.infer<typeof choiceSchema> = { kind: null, names: [], id: randomBytes(4).toString('hex') };
  let damaged = false;
  try {
    stored = choiceSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (thrown) {
    // The first start finds no file.
    damaged = errorCode(thrown) !== 'ENOENT';
  }
  return {
    get kind() {
      return stored.kind;
    },
    get names() {
      return stored.names;
    },
    get id() {
      return stored.id;
    },
    damaged,
    async save(kind, names) {
      stored = { kind, names: [...names], id: stored.id };
      await writeAtomicFile(path, `${JSON.stringify(stored)}\n`);
    },
  };
}
