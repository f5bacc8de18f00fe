/** What wants a person: accounts whose key is of no use, jobs that wait for a reason, Pods that cost and do nothing, results that are soon here alone. */
import type { Account } from '#contract/app/account.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { limits } from '#contract/core/limits.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import type { Route } from '../../state/routePath.ts';
import { formatClock, formatCount, formatDuration } from '../../ui/text/format.ts';
import { formatPerHour } from '../../ui/text/money.ts';

export interface Concern {
  id: string;
  tone: 'bad' | 'wait' | 'off';
  title: string;
  text: string;
  /** The one that is chosen for what can be done about it; null where that does not depend on the target. */
  accountId: string | null;
  /** Where something can be done about it. */
  route: Route;
  /** On its button. */
  action: string;
}

/** Below this a Pod does nothing; what is not measured counts as busy. */
const IDLE_PERCENT = 5;
/** One that has just begun may still be loading its model. */
const IDLE_AFTER_S = 15 * 60;

function podConcern(account: Account, { pod, facts }: PodRow): Concern | null {
  const at = {
    id: `pod-${account.id}-${pod.id}`,
    accountId: account.id,
    route: { page: 'pods', podId: pod.id, tab: 'overview' } as const,
    action: 'Look',
  };
  if (pod.desiredStatus === 'EXITED' && account.kind === 'cloud') {
    return { ...at, tone: 'off', title: `Pod ${pod.name} is stopped`, text: 'Its volume is still billed.' };
  }
  if (pod.desiredStatus !== 'RUNNING') return null;
  if (facts?.problem != null) return { ...at, tone: 'bad', title: `Pod ${pod.name} does not run`, text: facts.problem };
  const runtime = facts?.runtime ?? null;
  if (runtime === null || runtime.uptimeInSeconds < IDLE_AFTER_S || pod.costPerHr === 0) return null;
  const gpu = Math.max(0, ...runtime.gpus.map(({ gpuUtilPercent }) => gpuUtilPercent));
  const busy = Math.max(gpu, runtime.container.cpuPercent);
  if (busy >= IDLE_PERCENT) return null;
  const up = formatDuration(runtime.uptimeInSeconds * 1000);
  return {
    ...at,
    tone: 'wait',
    title: `Pod ${pod.name} does nothing now`,
    text: `GPU ${Math.round(gpu)} %, processor ${Math.round(runtime.container.cpuPercent)} %, up for ${up}, ${formatPerHour(pod.costPerHr)}.`,
  };
}

export const podConcerns = (account: Account, rows: readonly PodRow[]): Concern[] =>
  rows.flatMap((row) => podConcern(account, row) ?? []);

/** Of those that wait, the ones of which it is known why. */
export const jobConcerns = (entries: readonly LedgerEntry[]): Concern[] =>
  entries
    .filter(({ status, waiting }) => status === 'IN_QUEUE' && waiting !== null)
    .map(({ entryId, accountId, endpointName, waiting }) => ({
      id: `job-${entryId}`,
      tone: 'wait',
      title: `A job of ${endpointName} waits`,
      text: waiting ?? '',
      accountId,
      route: { page: 'jobs', entryId },
      action: 'Look',
    }));

/** Of all accounts, whichever is the target. One unlocking opens all that are locked away. */
export function accountConcerns(accounts: readonly Account[]): Concern[] {
  const withoutKey = accounts.filter(({ state }) => state === 'refused' || state === 'no-key');
  const locked = accounts.filter(({ state }) => state === 'locked');
  return [
    ...withoutKey.map(({ id, name, state, reason }): Concern => {
      const isRefused = state === 'refused';
      return {
        id: `account-${id}`,
        tone: 'bad',
        title: isRefused ? `The key for ${name} was refused` : `There is no key for ${name}`,
        text: reason ?? 'Nothing can be asked of it until it has another.',
        accountId: null,
        route: { page: 'accounts', accountId: id },
        action: isRefused ? 'Replace key' : 'Give a key',
      };
    }),
    ...(locked.length === 0
      ? []
      : [
          {
            id: 'locked',
            tone: 'wait' as const,
            title: `Keys are locked away: ${locked.map(({ name }) => name).join(', ')}`,
            text: locked[0]?.reason ?? 'Nothing can be asked of them until they are unlocked.',
            accountId: null,
            route: { page: 'settings', tab: 'secrets' } as const,
            action: 'Unlock',
          },
        ]),
  ];
}

/** What is not gone for so long yet is no news. */
const SOON_MS = 10 * 60_000;

const forgottenAt = ({ mode, finishedAt }: LedgerEntry): number => (finishedAt ?? 0) + limits.retentionMs[mode];

/** Of the clouds: an engine of ours forgets when its own settings say. */
export function fadingConcerns(accounts: readonly Account[], ended: readonly LedgerEntry[], now: number): Concern[] {
  const clouds = accounts.filter(({ kind }) => kind === 'cloud');
  return clouds.flatMap(({ id, name }): Concern[] => {
    const times = ended
      .filter(({ accountId, status, finishedAt }) => accountId === id && status === 'COMPLETED' && finishedAt !== null)
      .map(forgottenAt)
      .filter((at) => at > now && at - now <= SOON_MS);
    if (times.length === 0) return [];
    const isOne = times.length === 1;
    return [
      {
        id: `fading-${id}`,
        tone: 'off',
        title: `${name} soon forgets ${isOne ? 'a result' : `${formatCount(times.length)} results`}`,
        text: `${isOne ? 'At' : 'The first at'} ${formatClock(Math.min(...times))}. ${isOne ? 'It is' : 'They are'} saved here.`,
        accountId: null,
        route: { page: 'jobs', entryId: null },
        action: 'Look',
      },
    ];
  });
}
