/** The state of the connection that a terminal runs over, and what it may ask of a person. */
import * as z from 'zod';

/** Fingerprints are as OpenSSH writes them: SHA256:…, in base64. */
const hostShape = { host: z.string(), port: z.int(), algorithm: z.string(), fingerprint: z.string() };
export const sshHostSchema = z.object(hostShape);
export type SshHost = z.infer<typeof sshHostSchema>;

export const sshQuestionSchema = z.discriminatedUnion('kind', [
  /** It was never reached before: whether this is its key. */
  z.object({ kind: z.literal('new-host'), ...hostShape }),
  /** It shows another key than the remembered ones. Nothing was sent to it. */
  z.object({ kind: z.literal('changed-host'), ...hostShape, remembered: z.array(z.string()) }),
  /** The file of the identity is encrypted. */
  z.object({ kind: z.literal('passphrase'), file: z.string() }),
]);

export type SshQuestion = z.infer<typeof sshQuestionSchema>;

/** How it stands with the connection that a terminal runs over. */
export const terminalLinkSchema = z.object({
  /** `lost`: tried again by itself at `retryAt`; `refused`: tried again when a viewer asks only. */
  state: z.enum(['connecting', 'up', 'lost', 'refused']),
  why: z.string().nullable(),
  /** Milliseconds since the epoch. */
  retryAt: z.number().nullable(),
  /** What has to be answered before it is of use to try again. */
  question: sshQuestionSchema.nullable(),
});

export type TerminalLink = z.infer<typeof terminalLinkSchema>;
