/** SSH into Pods of accounts that open no terminals of their own: how a Pod is reached, and what a person is asked on the way. */
import * as z from 'zod';

/** One way into a Pod. */
export const sshWaySchema = z.object({
  host: z.string(),
  port: z.int(),
  username: z.string(),
  /** For a terminal of the person's own. */
  command: z.string(),
});
export type SshWay = z.infer<typeof sshWaySchema>;

/** `direct`: its own sshd, at a public port; `proxy`: the service's, which carries a terminal and no files. */
export const sshWaysSchema = z.object({
  direct: sshWaySchema.nullable(),
  proxy: sshWaySchema.nullable(),
  /** Why there is neither, and what to do; null where there is one. */
  problem: z.string().nullable(),
});
export type SshWays = z.infer<typeof sshWaysSchema>;

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

/** Whom a person is to a Pod. `auto`: the agent where it has a key, or else the first usual file of ~/.ssh. */
export const sshIdentitySchema = z.discriminatedUnion('from', [
  z.object({ from: z.literal('auto') }),
  z.object({ from: z.literal('agent') }),
  z.object({ from: z.literal('file'), path: z.string().trim().min(1).max(4096) }),
]);
export type SshIdentity = z.infer<typeof sshIdentitySchema>;

export const sshSettingsSchema = z.object({
  identity: sshIdentitySchema,
  /** Whether shells run in tmux where the Pod has it, so that they outlive a connection. */
  keepsShells: z.boolean(),
});
export type SshSettings = z.infer<typeof sshSettingsSchema>;
