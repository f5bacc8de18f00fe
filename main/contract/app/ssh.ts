/**
 * SSH into Pods of accounts that open no terminals of their own: the routes to a Pod, and the identity of the person.
 */
import * as z from 'zod';

/** One route into a Pod. */
export const sshWaySchema = z.object({
  host: z.string(),
  port: z.int(),
  username: z.string(),
  /** For the person's own terminal program. */
  command: z.string(),
});
export type SshWay = z.infer<typeof sshWaySchema>;

/**
 * `direct`: the Pod's own sshd, at a public port; `proxy`: the proxy of the service, which carries a terminal but no
 * files.
 */
export const sshWaysSchema = z.object({
  direct: sshWaySchema.nullable(),
  proxy: sshWaySchema.nullable(),
  /** Why there is no route, and what to do; null if there is one. */
  problem: z.string().nullable(),
});
export type SshWays = z.infer<typeof sshWaysSchema>;

/** The identity of the person. `auto`: the agent if it has a key, otherwise the first default key file of ~/.ssh. */
export const sshIdentitySchema = z.discriminatedUnion('from', [
  z.object({ from: z.literal('auto') }),
  z.object({ from: z.literal('agent') }),
  z.object({ from: z.literal('file'), path: z.string().trim().min(1).max(4096) }),
]);
export type SshIdentity = z.infer<typeof sshIdentitySchema>;

export const sshSettingsSchema = z.object({
  identity: sshIdentitySchema,
  /** Whether shells run in tmux, if the Pod has it, so that they survive a lost connection. */
  keepsShells: z.boolean(),
});
export type SshSettings = z.infer<typeof sshSettingsSchema>;
