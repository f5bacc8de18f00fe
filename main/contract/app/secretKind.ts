/** The places in which keys of accounts can be stored. */
import * as z from 'zod';

/**
 * `keychain`: the keychain of the system; `file`: a file in the data folder, encrypted with a passphrase; `memory`: the
 * keys end with this run.
 */
export const secretKinds = ['keychain', 'file', 'memory'] as const;

export const secretKindSchema = z.enum(secretKinds);

export type SecretKind = z.infer<typeof secretKindSchema>;
