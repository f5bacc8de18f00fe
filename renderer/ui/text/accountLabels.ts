/** How an account is doing and what it can do, in words. */
import type { Account, AccountCapability, AccountState } from '#contract/app/account.ts';

export interface AccountLook {
  word: string;
  tone: 'ok' | 'wait' | 'bad' | 'off';
}

export const accountLooks: Record<AccountState, AccountLook> = {
  ok: { word: 'works', tone: 'ok' },
  unknown: { word: 'not asked yet', tone: 'off' },
  offline: { word: 'offline', tone: 'bad' },
  refused: { word: 'key refused', tone: 'bad' },
  slowed: { word: 'slowed down', tone: 'wait' },
  'no-key': { word: 'no key', tone: 'bad' },
  locked: { word: 'keys are locked', tone: 'wait' },
};

export const capabilityWords: Record<AccountCapability, string> = {
  jobs: 'Jobs',
  management: 'Endpoints',
  graphql: 'GraphQL',
  billing: 'Billing',
  logs: 'Logs',
  workers: 'Workers',
  pods: 'Pods',
  terminals: 'Terminals',
  local: 'Its computer',
};

const SECOND_MS = 1000;

/** "retrying in 8 s"; null where it is not known when. */
export function retryWords({ nextTryAt }: Pick<Account, 'nextTryAt'>, now: number): string | null {
  if (nextTryAt === null) return null;
  const left = Math.ceil((nextTryAt - now) / SECOND_MS);
  return left <= 0 ? 'retrying now' : `in ${left} s`;
}
