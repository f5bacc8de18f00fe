/** The page's procedures about SSH; part of the bridge contract. */
import { oc } from '@orpc/contract';
import * as z from 'zod';
import { sshSettingsSchema, sshWaysSchema } from '../app/ssh.ts';
import { sshHostSchema } from '../local/terminalLink.ts';

/** What a Pod is shown of the person: the public halves. */
export const sshOfferSchema = z.object({
  /** The agent's, or the file's path. */
  from: z.string(),
  algorithm: z.string(),
  fingerprint: z.string(),
  /** A line as for authorized_keys. */
  line: z.string(),
});

export const sshNowSchema = z.object({
  settings: sshSettingsSchema,
  offers: z.array(sshOfferSchema),
  /** Why there is nothing to show, and what to do; null where there is. */
  problem: z.string().nullable(),
  /** Whether the identity's file needs a passphrase that is not known yet. */
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
  /** Remembers the key that this host has just shown, if it is the one with this fingerprint. */
  trust: oc.input(hostRef.extend({ fingerprint: z.string() })).output(z.void()),
  /** Forgets every key of the host: the next connection asks again. */
  forget: oc.input(hostRef).output(z.void()),
  /** Opens the identity's file until Hangar ends; with `keep` the passphrase is put where the keys of accounts are. */
  unlock: oc.input(z.object({ passphrase: z.string().max(1024), keep: z.boolean() })).output(z.void()),
  /** Forgets a passphrase that was kept. */
  lock: oc.output(z.void()),
};
