/** Accounts as the app tells them to the page. */
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';

/** This computer, with an engine that is ready. */
export const thisComputer: Account = {
  id: THIS_MACHINE,
  name: 'This computer',
  kind: 'engine',
  dialect: 'v1',
  addresses: {
    jobs: 'http://127.0.0.1:47800',
    management: 'http://127.0.0.1:47800',
    graphql: 'http://127.0.0.1:47800',
  },
  address: 'http://127.0.0.1:47800',
  capabilities: ['jobs', 'management', 'pods', 'graphql', 'billing', 'local'],
  lacks: [],
  probedAt: null,
  key: null,
  state: 'ok',
  reason: null,
  nextTryAt: null,
  lastUsedAt: null,
};
