/** New API keys for the person: each on its own page, behind a link that works once and expires soon. */
import { randomBytes } from 'node:crypto';
import type { ShownKey } from '#contract/bridge/apiKey.ts';
import { limits } from '#contract/core/limits.ts';

export const SHOWN_PATH = '/new-key/';

export interface ShownKeys {
  show(key: string, name: string): ShownKey;
  /** Uses up the link; null if it was already used or has expired. */
  take(token: string): { key: string; name: string } | null;
  stop(): void;
}

export function createShownKeys(now: () => number = Date.now): ShownKeys {
  const waiting = new Map<string, { key: string; name: string; timer: NodeJS.Timeout }>();
  return {
    show(key, name) {
      const token = randomBytes(24).toString('base64url');
      const { shownMs } = limits.secrets;
      const timer = setTimeout(() => waiting.delete(token), shownMs).unref();
      waiting.set(token, { key, name, timer });
      return { how: 'link', path: `${SHOWN_PATH}${token}`, until: now() + shownMs };
    },
    take(token) {
      const entry = waiting.get(token);
      if (!entry) return null;
      clearTimeout(entry.timer);
      waiting.delete(token);
      return { key: entry.key, name: entry.name };
    },
    stop() {
      for (const { timer } of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}
