/** The page's procedures about SSH; part of the bridge contract. */
import { oc } from '@orpc/contract';
import * as z from 'zod';
import { sshSettingsSchema, sshWaysSchema } from '../app/ssh.ts';
import { podForwardSchema, podForwardStartSchema } from '../app/forwards/podForward.ts';
import { podSshSchema } from '../local/ssh/podSsh.ts';
import { sshHostSchema } from '../local/terminalLink.ts';

/** The public keys that Hangar offers to a Pod. */
export const sshOfferSchema = z.object({
  /** The agent, or the path of the file. */
  from: z.string(),
  algorithm: z.string(),
  fingerprint: z.string(),
  /** A line for authorized_keys. */
  line: z.string(),
});

export const sshNowSchema = z.object({
  settings: sshSettingsSchema,
  offers: z.array(sshOfferSchema),
  /** Why there is no public key, and what to do; null if there is one. */
  problem: z.string().nullable(),
  /** Whether the identity's file needs a passphrase that Hangar does not have yet. */
  locked: z.boolean(),
  /** Hosts whose keys are remembered. */
  hosts: z.array(sshHostSchema),
});
export type SshNow = z.infer<typeof sshNowSchema>;

const hostRef = sshHostSchema.pick({ host: true, port: true });

export const sshContract = {
  now: oc.output(sshNowSchema),
  change: oc.input(sshSettingsSchema.partial()).output(sshNowSchema),
  ways: oc.input(z.object({ accountId: z.string(), podId: z.string() })).output(sshWaysSchema),
  /** The SSH server of the engine, into a Pod of Hangar. Rejects with UNSUPPORTED for other accounts. */
  server: oc.input(z.object({ accountId: z.string(), podId: z.string() })).output(podSshSchema),
  /** Lets a public key sign in to every Pod of the engine. `line`: one of authorized_keys. */
  allowKey: oc.input(z.object({ accountId: z.string(), line: z.string().max(16_384) })).output(z.void()),
  /** Ports of a Pod that are forwarded to this computer, oldest first. */
  forwards: oc.input(z.object({ accountId: z.string(), podId: z.string() })).output(z.array(podForwardSchema)),
  /** Rejects with CONFLICT if the port of this computer is taken. */
  forward: oc.input(podForwardStartSchema).output(podForwardSchema),
  endForward: oc.input(z.object({ id: z.string() })).output(z.void()),
  /** Remembers the key that this host has just shown, if the fingerprint matches. */
  trust: oc.input(hostRef.extend({ fingerprint: z.string() })).output(z.void()),
  /** Forgets every key of the host: the next connection asks again. */
  forget: oc.input(hostRef).output(z.void()),
  /** Opens the identity's file until Hangar ends. With `keep`, the passphrase goes to the store of account keys. */
  unlock: oc.input(z.object({ passphrase: z.string().max(1024), keep: z.boolean() })).output(z.void()),
  /** Forgets a stored passphrase. */
  lock: oc.output(z.void()),
};
