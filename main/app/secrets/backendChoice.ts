/** A small file with the chosen store of secrets and an id for their names. It contains no secret. */
import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync } from 'node:fs';
import * as z from 'zod';
import { messageOf } from '#contract/core/errors.ts';
import { isMissingFile, readProblem } from '#contract/core/systemCode.ts';
import { secretKindSchema, type SecretKind } from '#contract/app/secretKind.ts';
import { writeAtomicFile } from '../platform/atomicFile.ts';

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
  /** Why the file exists and could not be read, without a full stop; null otherwise. */
  readonly damage: string | null;
  save(kind: SecretKind | null, names: readonly string[]): Promise<void>;
}

const contentProblem = (thrown: unknown): string =>
  thrown instanceof z.ZodError ? z.prettifyError(thrown) : messageOf(thrown);

/**
 * Renames a damaged file, so that the next choice does not replace it. Returns what is lost and what to do, for a
 * person.
 */
export function setChoiceAside(path: string, damage: string, now: number): string {
  const aside = path.replace(/\.json$/, `.damaged-${now}.json`);
  renameSync(path, aside);
  return (
    `${path}, which says where the keys of accounts are stored, could not be read: ${damage}. It was set aside as ` +
    `${aside}. Keys in the encrypted file are there again once you unlock it (Settings, Keys). Keys in the keychain ` +
    'are not found any more: enter them again at their accounts, or stop Hangar and restore the file from a backup.'
  );
}

export function openChoice(path: string): Choice {
  let stored: z.infer<typeof choiceSchema> = { kind: null, names: [], id: randomBytes(4).toString('hex') };
  let damage: string | null = null;
  try {
    stored = choiceSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (thrown) {
    // The first start finds no file.
    if (!isMissingFile(thrown)) damage = readProblem(thrown) ?? contentProblem(thrown);
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
    damage,
    async save(kind, names) {
      stored = { kind, names: [...names], id: stored.id };
      await writeAtomicFile(path, `${JSON.stringify(stored)}\n`);
    },
  };
}
