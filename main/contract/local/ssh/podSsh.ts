/** SSH into Pods of this machine: the server of the engine, and the keys that may sign in to a Pod. */
import * as z from 'zod';

/** A public key that may sign in. */
export const podSshKeySchema = z.looseObject({
  /**
   * `settings`: the setting `ssh.keys`; `account`: the keys of the person; `pod`: the variable PUBLIC_KEY of the Pod.
   */
  from: z.enum(['settings', 'account', 'pod']),
  algorithm: z.string(),
  /** `SHA256:` and the digest, as OpenSSH prints it. */
  fingerprint: z.string(),
  comment: z.string(),
});
export type PodSshKey = z.infer<typeof podSshKeySchema>;

/** GET /local/v1/pods/{podId}/ssh. */
export const podSshSchema = z.looseObject({
  host: z.string(),
  /** Null while the server does not listen; `problem` says why. */
  port: z.int().nullable(),
  username: z.string(),
  /** The fingerprint of the host key; null while the server does not listen. */
  hostKey: z.string().nullable(),
  keys: z.array(podSshKeySchema),
  /** Why nobody can sign in now, and what to do, as a sentence; null if somebody can. */
  problem: z.string().nullable(),
  /** What a person should know although the server listens, such as another port than usual; with what to do. */
  notice: z.string().optional(),
});
export type PodSshFacts = z.infer<typeof podSshSchema>;

/** The settings of the server. */
export const sshSettingFields = {
  /** Public keys that may sign in to every Pod, each a line in the form of authorized_keys without options. */
  keys: z
    .array(
      z
        .string()
        .trim()
        .max(16 * 1024)
        .regex(
          /^(?:ssh-|ecdsa-|sk-)\S+ \S+/,
          'A key is the line of a file that ends in .pub, such as "ssh-ed25519 AAAA…".',
        ),
    )
    .max(100),
  /** The port of the server on loopback; null is the port of the engine plus 22. */
  port: z.int().min(1).max(65_535).nullable(),
};
