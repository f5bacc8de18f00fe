/** The places in which keys of accounts can be stored. */
import * as z from 'zod';

/** `keychain`: the system's own; `file`: encrypted with a passphrase, below the data folder; `memory`: gone with this run. */
export const secretKinds = ['keychain', 'file', 'memory'] as const;

export const secretKindSchema = z.enum(secretKinds);

export type SecretKind = z.infer<typeof secretKindSchema>;
