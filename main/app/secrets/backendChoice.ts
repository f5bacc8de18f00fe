/** The small file that says where secrets are kept, and under which names; it holds none of them. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { secretKindSchema, type SecretKind } from '#contract/app/secretKind.ts';
import { writeAtomicFile } from '../platform/atomicFile.ts';

const choiceSchema = z.object({
  /** Null until the person chose, or a keychain was found to work. */
  kind: secretKindSchema.nullable(),
  names: z.array(z.string()),
  /** Tells the entries of this data folder from those of others in one keychain. */
  id: z.string(),
});

export interface Choice {
  readonly kind: SecretKind | null;
  readonly names: readonly string[];
  readonly id: string;
  /** Whether the file was there and could not be understood. */
  readonly damaged: boolean;
  save(kind: SecretKind | null, names: readonly string[]): Promise<void>;
}

export function openChoice(path: string): Choice {
  let text: string | null = null;
  let stored: z.infer<typeof choiceSchema> = { kind: null, names: [], id: randomBytes(4).toString('hex') };
  let damaged = false;
  try {
    text = readFileSync(path, 'utf8');
    stored = choiceSchema.parse(JSON.parse(text));
  } catch {
    // Not there, at the first start; or cut off, and then it is said.
    damaged = text !== null;
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
