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
