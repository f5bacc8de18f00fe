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

/** A key of the setting `ssh.keys`. */
export const sshSettingKeySchema = z.looseObject({
  /** As it stands in the setting. */
  line: z.string(),
  /** As OpenSSH prints it; null for a line that is no public key, with which nobody can sign in. */
  fingerprint: z.string().nullable(),
});

/** GET /local/v1/ssh. */
export const sshServerSchema = z.looseObject({
  host: z.string(),
  /** Where the server listens now; null while it does not. Without a `problem`, it is not needed. */
  port: z.int().nullable(),
  /** The setting `ssh.port`. */
  chosenPort: z.int().nullable(),
  /** The port without that setting; null if the port of the engine is too high for it. */
  usualPort: z.int().nullable(),
  /** Why the server cannot listen at the chosen port, and what to do, as a sentence. */
  problem: z.string().nullable(),
  /** What a person should know although the server listens, with what to do. */
  notice: z.string().nullable(),
  keys: z.array(sshSettingKeySchema),
});
export type SshServerFacts = z.infer<typeof sshServerSchema>;

export const sshPortRange = { min: 1, max: 65_535 };

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
  port: z.int().min(sshPortRange.min).max(sshPortRange.max).nullable(),
};

export const sshSettingsChangeSchema = z.strictObject(sshSettingFields).partial();
export type SshSettingsChange = z.infer<typeof sshSettingsChangeSchema>;
