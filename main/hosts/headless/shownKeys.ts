/** New API keys and pairing links: each on its own page, behind a link that works once and expires soon. */
import { randomBytes } from 'node:crypto';
import type { ShownKey } from '#contract/bridge/apiKey.ts';
import { limits } from '#contract/core/limits.ts';
import type { ShowKey, ShownSecretKind } from '../../app/bridge/apiKeys.ts';

export const SHOWN_PATH = '/new-key/';

/** What the page shows. `name`: of the key, or of the engine that a pairing link adds. */
export interface ShownSecret {
  secret: string;
  name: string;
  kind: ShownSecretKind;
}

export interface ShownKeys {
  show: (...shown: Parameters<ShowKey>) => ShownKey;
  /** Uses up the link; null if it was already used or has expired. */
  take(token: string): ShownSecret | null;
  stop(): void;
}

export function createShownKeys(now: () => number = Date.now): ShownKeys {
  const waiting = new Map<string, ShownSecret & { timer: NodeJS.Timeout }>();
  return {
    show(secret, name, kind) {
      const token = randomBytes(24).toString('base64url');
      const { shownMs } = limits.secrets;
      const timer = setTimeout(() => waiting.delete(token), shownMs).unref();
      waiting.set(token, { secret, name, kind, timer });
      return { how: 'link', path: `${SHOWN_PATH}${token}`, until: now() + shownMs };
    },
    take(token) {
      const entry = waiting.get(token);
      if (!entry) return null;
      clearTimeout(entry.timer);
      waiting.delete(token);
      return { secret: entry.secret, name: entry.name, kind: entry.kind };
    },
    stop() {
      for (const { timer } of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}
