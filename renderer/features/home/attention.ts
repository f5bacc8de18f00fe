/** What wants a person: jobs that wait for a reason, Pods that cost and do nothing, accounts that are away. */
import type { Account } from '#contract/account.ts';
import type { LedgerEntry } from '#contract/ledger.ts';
import type { PodRow } from '#contract/podBridge.ts';
import type { Route } from '../../state/routePath.ts';
import { formatDuration } from '../../ui/format.ts';
import { formatPerHour } from '../../ui/money.ts';

export interface Concern {
  id: string;
  tone: 'bad' | 'wait' | 'off';
  title: string;
  text: string;
  /** Where something can be done about it, in this account. */
  accountId: string;
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
