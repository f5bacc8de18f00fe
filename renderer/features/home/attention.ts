/**
 * What needs a person: failed jobs, accounts that do not work, jobs that wait for a reason, idle Pods that cost money,
 * a disk that is nearly full, results that their service deletes soon, and GPUs that a person waits for.
 */
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';
import { idlePodOf } from '#contract/app/podCost.ts';
import type { PriceAlert } from '#contract/app/price.ts';
import type { ExpiringJobs, JobsToAttend, WaitingJobs } from '#contract/app/ledger.ts';
import { failureKey, OTHER_FAILURES, UNDELIVERED } from '#contract/app/jobs/failures.ts';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import type { EngineFacts } from '#contract/local/engine.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import type { JobsFilter } from '../../state/jobsFilter.ts';
import type { Route } from '../../state/routePath.ts';
import { isPaused } from '../../ui/text/endpointState.ts';
import { reasonWords } from '../../ui/text/accountLabels.ts';
import { accountInSentence } from '../../ui/text/accountName.ts';
import { waitReason } from '../../ui/job/list/waitText.ts';
import { withFieldLabels } from '../../ui/text/fieldLabels.ts';
import {
  formatAgo,
  formatClock,
  formatCount,
  formatMemory,
  formatUptime,
  formatWhen,
  isJustNow,
} from '../../ui/text/format.ts';
import { formatMoney, formatPerHour } from '../../ui/text/money.ts';
import { podStateWords, stateOf } from '../../ui/text/podWords.ts';
import { joinSentences } from '../../language/sentences.ts';
import { counted, t } from '../../language/text.ts';

export interface Concern {
  id: string;
  tone: 'bad' | 'wait' | 'off';
  /** One or two words on its chip. */
  chip: string;
  title: string;
  text: string;
  /** The account that becomes the target; null if the remedy does not depend on the target. */
  accountId: string | null;
  /** The page of the remedy; null for an account that is asked again. */
  route: Route | null;
  /** What is shown instead where a list has no room beside what is opened of it. */
  narrowRoute?: Route;
  /** The filter of the Jobs page, if it is the page of the remedy. */
  filter?: Partial<JobsFilter>;
  /** The text of its button. */
  action: string;
  /**
   * The failures that a person can dismiss, as `failureKey`, `OTHER_FAILURES` or `UNDELIVERED`, and until when; by
   * default until now.
   */
  dismisses?: { key: string; until?: number };
}

function podConcern(account: Account, row: PodRow): Concern | null {
  const { pod, facts } = row;
  const { state, why } = stateOf(row);
  const at = {
    id: `pod-${account.id}-${pod.id}`,
    accountId: account.id,
    route: { page: 'pods', podId: pod.id, tab: 'logs' } as const,
    chip: podStateWords[state].inSentence,
    text: why ?? '',
    action: t`Open`,
  };
  if (pod.desiredStatus === 'EXITED' && account.kind === 'cloud') {
    return { ...at, tone: 'off', title: t`Pod ${pod.name} is stopped`, text: t`Its volume is still billed.` };
  }
  if (state === 'looping')
    return { ...at, tone: 'bad', chip: t`crash loop`, title: t`Pod ${pod.name} is in a crash loop` };
  if (state === 'restarting') return { ...at, tone: 'wait', title: t`Pod ${pod.name} is restarting` };
  if (state === 'failing') return { ...at, tone: 'bad', title: t`Pod ${pod.name} is not running` };
  if (pod.desiredStatus !== 'RUNNING') return null;
  const idle = idlePodOf({ pod, facts });
  if (idle === null) return null;
  const { gpuPercent, cpuPercent, uptimeS } = idle;
  return {
    ...at,
    tone: 'wait',
    chip: t`idle`,
    title: t`Pod ${pod.name} is idle`,
    text: t`${formatPerHour(pod.costPerHr)} · GPU ${Math.round(gpuPercent)} %, CPU ${Math.round(cpuPercent)} % · up for ${formatUptime(uptimeS * 1000)}`,
  };
}

/** Pods that do not run for the same reason, such as a container engine that has ended, are one concern. */
export function podConcerns(account: Account, rows: readonly PodRow[]): Concern[] {
  const failing = new Map<string, { first: Concern; count: number }>();
  const concerns: Concern[] = [];
  for (const row of rows) {
    const concern = podConcern(account, row);
    if (concern === null) continue;
    const isFailing = stateOf(row).state === 'failing';
    const group = isFailing ? failing.get(concern.text) : undefined;
    if (group !== undefined) group.count += 1;
    else concerns.push(concern);
    if (isFailing && group === undefined) failing.set(concern.text, { first: concern, count: 1 });
  }
  return concerns.map((concern): Concern => {
    const { first, count } = failing.get(concern.text) ?? {};
    if (first !== concern || count === undefined || count < 2) return concern;
    const id = `pods-${account.id}-${concern.text}`;
    const title = t`${formatCount(count)} Pods are not running`;
    return { ...concern, id, title, route: { page: 'pods', podId: null, tab: 'logs' } };
  });
}

/**
 * Names the account of each concern in its second line, for concerns whose titles do not. This computer stays unnamed.
 */
export const withAccountNames = (concerns: readonly Concern[], accounts: readonly Account[]): Concern[] =>
  concerns.map((concern) => {
    const account = accounts.find(({ id }) => id === concern.accountId && id !== THIS_MACHINE);
    if (account === undefined) return concern;
    return { ...concern, text: [account.name, concern.text].filter((part) => part !== '').join(' · ') };
  });

/** Paused endpoints of an account with jobs in their queue: each leads to the endpoint, where it is resumed. */
export const pausedConcerns = (accountId: string, rows: readonly EndpointRow[]): Concern[] =>
  rows.flatMap((row): Concern[] => {
    const { id, name, health } = row;
    const jobs = health?.jobs.inQueue ?? 0;
    if (!isPaused(row) || jobs === 0) return [];
    return [
      {
        id: waitingId(accountId, id),
        tone: 'wait',
        chip: t`${formatCount(jobs)} waiting`,
        title: t`${counted(jobs, 'A job waits', '{0} jobs wait', formatCount(jobs))} at ${name}, which is paused`,
        text: t`Resume the endpoint to run them.`,
        accountId,
        route: { page: 'endpoints', endpointId: id, tab: 'overview' },
        action: t`Open`,
      },
    ];
  });

const waitingId = (accountId: string, endpointId: string): string => `waiting-${accountId}/${endpointId}`;

/** Queued jobs that cannot start: one line for each endpoint. */
export const waitingConcerns = (waiting: readonly WaitingJobs[]): Concern[] =>
  waiting.map(({ accountId, endpointId, endpointName, jobs, reason }) => ({
    id: waitingId(accountId, endpointId),
    tone: 'wait',
    chip: t`${formatCount(jobs)} waiting`,
    title: t`${counted(jobs, 'A job', '{0} jobs', formatCount(jobs))} of ${endpointName} cannot start`,
    text: waitReason(reason),
    accountId,
    route: { page: 'jobs', entryId: null },
    filter: { state: 'queued', accountId, endpointId },
    action: t`Open`,
  }));

/** When the last of several was. */
const lastWords = (lastAt: number, now: number): string =>
  isJustNow(lastAt, now) ? t`just now` : t`last ${formatAgo(lastAt, now)}`;

/**
 * Failed jobs that nobody has dismissed: one sentence for each endpoint and error. `seenAt`: until when a person
 * dismissed failures, by `failureKey` or `OTHER_FAILURES`, in milliseconds since the epoch.
 */
export function failureConcerns(
  { failed, otherFailed, otherLastAt }: Omit<JobsToAttend, 'waiting' | 'undelivered'>,
  seenAt: (key: string) => number,
  now: number,
): Concern[] {
  const list = { page: 'jobs', entryId: null } as const;
  const filter = { state: 'failed', time: 'day', timeChosenAt: now } as const;
  const fresh = failed.filter((group) => group.lastAt > seenAt(failureKey(group)));
  const concerns = fresh.map((group): Concern => {
    const { accountId, endpointId, endpointName, headline, jobs, lastAt, entryId } = group;
    const key = failureKey(group);
    return {
      id: `failed-${key}`,
      tone: 'bad',
      chip: t`${formatCount(jobs)} failed`,
      title: `${endpointName}: ${withFieldLabels(headline) || t`no reason given`}`,
      text: jobs === 1 ? formatAgo(lastAt, now) : lastWords(lastAt, now),
      accountId,
      route: { page: 'jobs', entryId },
      ...(jobs === 1 ? { filter: {} } : { filter: { ...filter, accountId, endpointId }, narrowRoute: list }),
      action: t`Open`,
      dismisses: { key },
    };
  });
  if (otherFailed === 0 || otherLastAt <= seenAt(OTHER_FAILURES)) return concerns;
  const others: Concern = {
    id: 'failed-others',
    tone: 'bad',
    chip: t`${formatCount(otherFailed)} failed`,
    title: counted(
      otherFailed,
      'One more job failed, with another error',
      '{0} more jobs failed, with other errors',
      formatCount(otherFailed),
    ),
    text: t`in the last 24 hours`,
    accountId: null,
    route: list,
    filter,
    action: t`Open`,
    // A later time would dismiss the groups that are shown, too.
    dismisses: { key: OTHER_FAILURES, until: otherLastAt },
  };
  return [...concerns, others];
}

/** So many jobs whose webhooks were not delivered are reported on Home. Fewer are marked in the list of jobs alone. */
const MANY_UNDELIVERED = 3;

/** One sentence for the webhooks of all jobs that were not delivered, if they are many. */
export function webhookConcerns(undelivered: JobsToAttend['undelivered'], now: number): Concern[] {
  if (undelivered === null || undelivered.jobs < MANY_UNDELIVERED) return [];
  const { jobs, lastAt, entryId, reason } = undelivered;
  const last = lastWords(lastAt, now);
  return [
    {
      id: 'webhooks',
      tone: 'bad',
      chip: t`webhooks`,
      title: t`The webhooks of ${formatCount(jobs)} jobs were not delivered`,
      text: reason === '' ? last : `${reason} · ${last}`,
      accountId: null,
      route: { page: 'jobs', entryId },
      action: t`Open the last`,
      dismisses: { key: UNDELIVERED, until: lastAt },
    },
  ];
}

/** Below this much free space a person should make room. */
const LOW_BYTES = 5 * 1024 ** 3;

/** The disk of this computer. `facts`: undefined while unknown. */
export function diskConcerns(facts: Pick<EngineFacts, 'disk'> | undefined): Concern[] {
  const { full = false, freeBytes = null } = facts?.disk ?? {};
  if (!full && (freeBytes === null || freeBytes >= LOW_BYTES)) return [];
  const left = freeBytes !== null && t`${formatMemory(freeBytes)} free.`;
  return [
    {
      id: 'disk',
      tone: full ? 'bad' : 'wait',
      chip: full ? t`disk full` : t`disk`,
      title: full ? t`The disk of this computer is full` : t`The disk of this computer is nearly full`,
      text: full
        ? joinSentences(left, t`New jobs are refused until you free some space.`)
        : joinSentences(left, t`Jobs need space for their results.`),
      accountId: null,
      route: { page: 'settings', tab: 'storage' },
      action: t`See what uses it`,
    },
  ];
}

/** Problems of all accounts, not only of the target. One unlock opens all locked accounts. */
export function accountConcerns(accounts: readonly Account[]): Concern[] {
  const withoutKey = accounts.filter(({ state }) => state === 'refused' || state === 'no-key');
  const locked = accounts.filter(({ state }) => state === 'locked');
  const offline = accounts.filter(({ state }) => state === 'offline');
  return [
    ...withoutKey.map((account): Concern => {
      const { id, name, state } = account;
      const isRefused = state === 'refused';
      return {
        id: `account-${id}`,
        tone: 'bad',
        chip: isRefused ? t`refused` : t`no key`,
        title: isRefused ? t`The key for ${name} was refused` : t`There is no key for ${name}`,
        text: reasonWords(account) ?? t`Hangar cannot use the account until you enter another key.`,
        accountId: null,
        route: { page: 'accounts', accountId: id, asks: 'key' },
        action: isRefused ? t`Replace the key` : t`Enter a key`,
      };
    }),
    ...(locked.length === 0
      ? []
      : [
          {
            id: 'locked',
            tone: 'wait' as const,
            chip: t`locked`,
            title: t`Keys are locked: ${locked.map(({ name }) => name).join(', ')}`,
            text: locked[0]?.reason ?? t`Hangar cannot use them until you unlock the keys.`,
            accountId: null,
            route: { page: 'settings', tab: 'keys' } as const,
            action: t`Unlock`,
          },
        ]),
    ...offline.map(({ id, name, lastUsedAt, nextTryAt }): Concern => ({
      id: `offline-${id}`,
      tone: 'off',
      chip: t`offline`,
      title:
        lastUsedAt === null ? t`${name} does not answer` : t`${name} has not answered since ${formatClock(lastUsedAt)}`,
      text: joinSentences(
        t`Its jobs stay available here.`,
        nextTryAt !== null && t`Next try at ${formatClock(nextTryAt)}.`,
      ),
      accountId: id,
      route: null,
      action: t`Try now`,
    })),
  ];
}

/** Results that stay longer than this are not reported. */
export const SOON_MS = 10 * 60_000;

/** Results that clouds delete soon. Engines of Hangar are excluded, because they have their own settings. */
export function expiringConcerns(accounts: readonly Account[], expiring: readonly ExpiringJobs[]): Concern[] {
  const clouds = accounts.filter(({ kind }) => kind === 'cloud');
  return clouds.flatMap(({ id, name }): Concern[] => {
    const results = expiring.find(({ accountId }) => accountId === id);
    if (results === undefined) return [];
    const { jobs, firstAt } = results;
    return [
      {
        id: `fading-${id}`,
        tone: 'off',
        chip: t`expires`,
        title: t`${name} will soon delete ${counted(jobs, 'a result', '{0} results', formatCount(jobs))}`,
        text: counted(
          jobs,
          'At {0}. It is saved here.',
          'The first at {0}. They are saved here.',
          formatClock(firstAt),
        ),
        accountId: null,
        route: { page: 'jobs', entryId: null },
        action: t`Open`,
      },
    ];
  });
}

/** Alerts about GPUs that hold now. */
export function priceConcerns(accounts: readonly Account[], alerts: readonly PriceAlert[]): Concern[] {
  return alerts.flatMap(({ alertId, accountId, gpuName, below, metAt, price }): Concern[] => {
    const account = accounts.find(({ id }) => id === accountId);
    if (metAt === null || account === undefined) return [];
    const name = accountInSentence(accountId, account.name);
    const since = formatWhen(metAt);
    return [
      {
        id: `alert-${alertId}`,
        tone: 'off',
        chip: below === null ? t`in stock` : t`price`,
        title:
          below === null || price === null
            ? t`${gpuName} is in stock on ${name}`
            : t`${gpuName} costs ${formatPerHour(price)} on ${name}`,
        text:
          below === null
            ? t`Matches your alert since ${since}`
            : t`At most ${formatMoney(below)}, matches your alert since ${since}`,
        accountId,
        route: { page: 'gpus' },
        action: t`Open`,
      },
    ];
  });
}
