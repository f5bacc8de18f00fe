/** The page's procedures about the store of keys; part of the bridge contract. No key travels to the page. */
import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';
import { limits } from '../core/limits.ts';
import { secretKindSchema } from '../app/secretKind.ts';

/**
 * `missing`: not installed, or no D-Bus session; `locked`: it needs a passphrase, here or in the system's own prompt;
 * `slow`: it did not answer in time; `damaged`: its content cannot be read; `failed`: any other fault.
 */
export const secretTroubles = ['missing', 'locked', 'slow', 'damaged', 'failed'] as const;

const troubleSchema = z.object({
  trouble: z.enum(secretTroubles),
  /** For a person: what is wrong and what to do. */
  reason: z.string(),
});
export type SecretProblem = z.infer<typeof troubleSchema>;

export const secretsStateSchema = z.object({
  /** The store in use. */
  kind: secretKindSchema,
  /** Whether the person chose it. False if there is no keychain and nothing was chosen: keys then end with this run. */
  chosen: z.boolean(),
  /** Why the store cannot be read now; null if it can. */
  problem: troubleSchema.nullable(),
  /** Why the keychain cannot be chosen; null if it can. */
  keychainProblem: troubleSchema.nullable(),
  /** The path of the encrypted file, also before it exists. */
  filePath: z.string(),
  fileExists: z.boolean(),
  /** How many entries are stored. */
  entries: z.int(),
  /** False: a later run cannot read the registry passwords and s3 settings that the engine of this machine stores. */
  outlivesRun: z.boolean(),
});
export type SecretsState = z.infer<typeof secretsStateSchema>;

const passphrase = z.string().min(limits.secrets.passphraseLength.min).max(limits.secrets.passphraseLength.max);
/** An existing passphrase need not satisfy the minimum for new ones. */
const existingPassphrase = z.string().max(limits.secrets.passphraseLength.max);

export const secretsContract = {
  state: oc.output(secretsStateSchema),
  /** The state now, then each change. */
  changes: oc.output(eventIterator(secretsStateSchema)),
  /**
   * Moves every entry to another store, and empties the old one after that. `file` requires a passphrase: a new one, or
   * the one of the existing file. `leave`: nothing moves, for example because the passphrase of the file is lost; an
   * existing file is set aside.
   */
  choose: oc
    .input(z.object({ kind: secretKindSchema, passphrase: passphrase.optional(), leave: z.boolean().optional() }))
    .output(secretsStateSchema),
  /** Opens the encrypted file for this run. */
  unlock: oc.input(z.object({ passphrase: existingPassphrase })).output(secretsStateSchema),
  changePassphrase: oc.input(z.object({ from: existingPassphrase, to: passphrase })).output(secretsStateSchema),
  /** Checks the keychain again, for example after it was unlocked. */
  check: oc.output(secretsStateSchema),
};
