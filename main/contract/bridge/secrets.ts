/** Where keys are kept, and the page's procedures about it; part of the bridge contract. No key crosses it towards the page. */
import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';
import { limits } from '../core/limits.ts';
import { secretKindSchema } from '../app/secretKind.ts';

/**
 * `missing`: not installed, or no D-Bus session; `locked`: a passphrase is to be given, here or in the system's own prompt;
 * `slow`: it did not answer in time; `damaged`: what it holds cannot be read; `failed`: anything else.
 */
export const secretTroubles = ['missing', 'locked', 'slow', 'damaged', 'failed'] as const;
export type SecretTrouble = (typeof secretTroubles)[number];

const troubleSchema = z.object({
  trouble: z.enum(secretTroubles),
  /** For a person: what is wrong and what to do. */
  reason: z.string(),
});
export type SecretProblem = z.infer<typeof troubleSchema>;

export const secretsStateSchema = z.object({
  /** In use now. */
  kind: secretKindSchema,
  /** Whether the person has said so. False while there is no keychain and nothing was chosen: keys then end with this run. */
  chosen: z.boolean(),
  /** Why what is in use cannot be read now; null while all is well. */
  problem: troubleSchema.nullable(),
  /** Why there is no keychain to choose; null where there is one. */
  keychainProblem: troubleSchema.nullable(),
  /** Where the encrypted file lies, or would lie. */
  filePath: z.string(),
  fileExists: z.boolean(),
  /** How many entries are kept. */
  entries: z.int(),
  /** False: registry passwords and s3 settings that the engine of this machine keeps cannot be read after this run. */
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
   * Moves every entry there; what was used before is emptied once the new one holds them all. `file` takes a passphrase: a
   * new one, or that of the file that is there. `leave`: nothing is moved, such as where the passphrase of a file is lost; a
   * file that is there is set aside.
   */
  choose: oc
    .input(z.object({ kind: secretKindSchema, passphrase: passphrase.optional(), leave: z.boolean().optional() }))
    .output(secretsStateSchema),
  /** Opens the encrypted file for this run. */
  unlock: oc.input(z.object({ passphrase: existingPassphrase })).output(secretsStateSchema),
  changePassphrase: oc.input(z.object({ from: existingPassphrase, to: passphrase })).output(secretsStateSchema),
  /** Looks at the keychain again, such as after it was unlocked. */
  check: oc.output(secretsStateSchema),
};
