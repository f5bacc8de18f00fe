/** Maps error messages of the system's keychain to a problem for a person: the reason, and what to do. */
import type { SecretProblem } from '#contract/bridge/secrets.ts';

const ELSE = 'Until then keys can be kept in an encrypted file, or for this run only.';

const words: readonly { pattern: RegExp; problem: SecretProblem }[] = [
  {
    pattern: /cannot find (module|package) '?keytar|ERR_MODULE_NOT_FOUND/i,
    problem: {
      trouble: 'missing',
      reason: `The part that speaks with the system's keychain (keytar) is not installed. On Linux it needs libsecret: install libsecret-1-dev (apt-get) or libsecret-devel (dnf), then run "npm rebuild keytar" or set Hangar up anew. ${ELSE}`,
    },
  },
  {
    pattern: /libsecret|cannot open shared object|keytar\.node/i,
    problem: {
      trouble: 'missing',
      reason: `The part that speaks with the system's keychain (keytar) cannot be loaded. On Linux it needs libsecret: install libsecret-1-0 (apt-get) or libsecret (dnf), and start Hangar again. ${ELSE}`,
    },
  },
  {
    pattern:
      /autolaunch d-?bus|dbus-launch|could not connect: |connection refused|the connection is closed|address is empty|DBUS_SESSION_BUS_ADDRESS/i,
    problem: {
      trouble: 'missing',
      reason: `There is no D-Bus session here, through which a keychain is reached: this is so in a plain SSH session. Start Hangar from the desktop, or with "dbus-run-session". ${ELSE}`,
    },
  },
  {
    pattern: /the name :[\d.]+ /i,
    problem: { trouble: 'failed', reason: "The system's keychain was restarted. Look again." },
  },
  {
    pattern: /org\.freedesktop\.secrets.*(not provided|activat)|ServiceUnknown|NameHasNoOwner|Spawn\.(?!ChildExited)/i,
    problem: {
      trouble: 'missing',
      reason: `No keychain runs in this session. Install and start one, such as gnome-keyring or KWallet. ${ELSE}`,
    },
  },
  {
    pattern: /locked|dismissed|cancell?ed|object does not exist at path|interaction is not allowed|prompt/i,
    problem: {
      trouble: 'locked',
      reason: `The system's keychain is locked. Unlock it (it asks for its password when something is wanted of it, or do so in the system's own program for passwords), then look again. ${ELSE}`,
    },
  },
];

/** The problem for an error message of the keychain. A timeout here is the keychain's own; the caller reports ours. */
export function keychainProblem(message: string): SecretProblem {
  if (/timeout was reached|timed out|NoReply/i.test(message)) return slowKeychain(null);
  return (
    words.find((entry) => entry.pattern.test(message))?.problem ?? {
      trouble: 'failed',
      reason: `The system's keychain refused: ${message}. ${ELSE}`,
    }
  );
}

/** `waitedMs`: how long it was waited for; null where the keychain itself gave up. */
export const slowKeychain = (waitedMs: number | null): SecretProblem => ({
  trouble: 'slow',
  reason: `The system's keychain does not answer${waitedMs === null ? '' : ` (waited ${waitedMs / 1000} s)`}. If it shows a prompt, answer that; else restart the keychain. Then look again. ${ELSE}`,
});

export const brokenKeychain = (detail: string): SecretProblem => ({
  trouble: 'failed',
  reason: `The process that speaks with the system's keychain ended (${detail}). Look again; where it stays so, keep keys in an encrypted file.`,
});
