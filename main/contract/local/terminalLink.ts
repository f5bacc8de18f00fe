/** The state of the connection of a terminal, and the questions that it may ask a person. */
import * as z from 'zod';

/** Fingerprints have the form of OpenSSH: SHA256:…, in base64. */
const hostShape = { host: z.string(), port: z.int(), algorithm: z.string(), fingerprint: z.string() };
export const sshHostSchema = z.object(hostShape);
export type SshHost = z.infer<typeof sshHostSchema>;

export const sshQuestionSchema = z.discriminatedUnion('kind', [
  /** The host is new: the person confirms its key. */
  z.object({ kind: z.literal('new-host'), ...hostShape }),
  /** The host shows another key than the remembered ones. Nothing was sent to it. */
  z.object({ kind: z.literal('changed-host'), ...hostShape, remembered: z.array(z.string()) }),
  /** The file of the identity is encrypted. */
  z.object({ kind: z.literal('passphrase'), file: z.string() }),
]);

export type SshQuestion = z.infer<typeof sshQuestionSchema>;

/** The state of the connection of a terminal. */
export const terminalLinkSchema = z.object({
  /** `lost`: Hangar retries automatically at `retryAt`; `refused`: Hangar retries only when a viewer requests it. */
  state: z.enum(['connecting', 'up', 'lost', 'refused']),
  why: z.string().nullable(),
  /** Milliseconds since the epoch. */
  retryAt: z.number().nullable(),
  /** A question that the person must answer before another try makes sense. */
  question: sshQuestionSchema.nullable(),
});

export type TerminalLink = z.infer<typeof terminalLinkSchema>;
