/** Maps error messages of the system's keychain to a problem for a person: the reason, and a remedy. */
import type { SecretProblem } from '#contract/bridge/secrets.ts';

const ELSE = 'Until then, keys can be stored in an encrypted file, or in memory until Hangar quits.';

const words: readonly { pattern: RegExp; problem: SecretProblem }[] = [
  {
    pattern: /cannot find (module|package) '?keytar|ERR_MODULE_NOT_FOUND/i,
    problem: {
      trouble: 'missing',
      reason: `The component that connects to the system's keychain (keytar) is not installed. On Linux it needs libsecret: install libsecret-1-dev (apt-get) or libsecret-devel (dnf), then run "npm rebuild keytar" or set up Hangar again. ${ELSE}`,
    },
  },
  {
    pattern: /libsecret|cannot open shared object|keytar\.node/i,
    problem: {
      trouble: 'missing',
      reason: `The component that connects to the system's keychain (keytar) cannot be loaded. On Linux it needs libsecret: install libsecret-1-0 (apt-get) or libsecret (dnf), and start Hangar again. ${ELSE}`,
    },
  },
  {
    pattern:
      /autolaunch d-?bus|dbus-launch|could not connect: |connection refused|the connection is closed|address is empty|DBUS_SESSION_BUS_ADDRESS/i,
    problem: {
      trouble: 'missing',
      reason: `There is no D-Bus session here, which a keychain needs. This is normal in a plain SSH session. Start Hangar from the desktop, or with "dbus-run-session". ${ELSE}`,
    },
  },
  {
    pattern: /the name :[\d.]+ /i,
    problem: { trouble: 'failed', reason: "The system's keychain was restarted. Check again." },
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
      reason: `The system's keychain is locked. Unlock it, for example in the system's password program, then check again. ${ELSE}`,
    },
  },
];

/** The problem for an error message of the keychain. A timeout in it is the keychain's own timeout. */
export function keychainProblem(message: string): SecretProblem {
  if (/timeout was reached|timed out|NoReply/i.test(message)) return slowKeychain(null);
  return (
    words.find((entry) => entry.pattern.test(message))?.problem ?? {
      trouble: 'failed',
      reason: `The system's keychain refused: ${message}. ${ELSE}`,
    }
  );
}

/** `waitedMs`: how long the caller waited; null if the keychain itself timed out. */
export const slowKeychain = (waitedMs: number | null): SecretProblem => ({
  trouble: 'slow',
  reason: `The system's keychain does not answer${waitedMs === null ? '' : ` (waited ${waitedMs / 1000} s)`}. If it shows a prompt, answer it; otherwise restart the keychain. Then check again. ${ELSE}`,
});

export const brokenKeychain = (detail: string): SecretProblem => ({
  trouble: 'failed',
  reason: `The process that connects to the system's keychain ended (${detail}). Check again. If that does not help, store keys in an encrypted file.`,
});

/** `history`: how often the process crashed, as a sentence. */
export const crashingKeychain = (history: string): SecretProblem => ({
  trouble: 'failed',
  reason: `The process that connects to the system's keychain keeps crashing. ${history} Check again to start it once more, or keep keys in an encrypted file.`,
});
