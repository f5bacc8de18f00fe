/** What an app answers about connections into a Pod that nobody has made and no key is for. */
import type { Answers } from './app.ts';

export const noPodConnections = {
  ssh: {
    forwards: () => [],
    server: () => ({
      host: '127.0.0.1',
      port: null,
      username: 'p',
      hostKey: null,
      keys: [],
      problem: 'No key may sign in yet.',
    }),
    now: () => ({
      settings: { identity: { from: 'auto' }, keepsShells: false },
      offers: [],
      problem: null,
      locked: false,
      hosts: [],
    }),
  },
} satisfies Answers;
