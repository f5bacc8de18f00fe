import { describe, expect, it } from 'vitest';
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';
import type { PriceAlert } from '#contract/app/price.ts';
import type { FailedJobs } from '#contract/app/ledger.ts';
import { OTHER_FAILURES } from '#contract/app/jobs/failures.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import { endpointRow } from '../../../test/support/page/endpoints.ts';
import {
  accountConcerns,
  diskConcerns,
  expiringConcerns,
  failureConcerns,
  pausedConcerns,
  podConcerns,
  priceConcerns,
  waitingConcerns,
  webhookConcerns,
  withAccountNames,
} from './attention.ts';

const cloud = { id: 'c', name: 'work', kind: 'cloud' } as Account;
const engine = { id: 'e', name: 'box', kind: 'engine' } as Account;

interface Shape {
  desiredStatus?: 'RUNNING' | 'EXITED';
  costPerHr?: number;
  gpu?: number;
  cpu?: number;
  uptime?: number;
  problem?: string;
  restarts?: { isCrashLoop: boolean; nextStartAt: string | null };
  reported?: boolean;
}
const row = ({
  desiredStatus = 'RUNNING',
  costPerHr = 0.69,
  gpu = 0,
  cpu = 1,
  uptime = 3600,
  ...rest
}: Shape): PodRow =>
  ({
    pod: { id: 'p', name: 'trainer', desiredStatus, costPerHr, vcpuCount: 8 },
    facts: {
      preparing: null,
      problem: rest.problem ?? null,
      restarts: rest.restarts && { text: 'Its container ended.', ...rest.restarts },
      runtime:
        rest.reported === false
          ? null
          : { uptimeInSeconds: uptime, gpus: [{ gpuUtilPercent: gpu }], container: { cpuPercent: cpu } },
    },
  }) as PodRow;

const titles = (account: Account, shape: Shape) => podConcerns(account, [row(shape)]).map(({ title }) => title);

describe('what wants a person', () => {
  it('has the webhooks that were not delivered in one sentence, if they are many', () => {
    const undelivered = { jobs: 4, lastAt: 0, entryId: 'last', reason: 'It answered 500.' };
    expect(webhookConcerns(undelivered, 3_600_000)).toMatchObject([
      {
        title: 'The webhooks of 4 jobs were not delivered',
        text: 'It answered 500. · last 1 h ago',
        route: { page: 'jobs', entryId: 'last' },
        dismisses: { key: 'webhooks', until: 0 },
      },
    ]);
    expect(webhookConcerns({ ...undelivered, jobs: 2 }, 0)).toEqual([]);
    expect(webhookConcerns(null, 0)).toEqual([]);
  });

  it('has a Pod that costs money and does nothing', () => {
    expect(podConcerns(cloud, [row({})])[0]).toMatchObject({
      tone: 'wait',
      title: 'Pod trainer is idle',
      chip: 'idle',
      text: '$0.69/h · GPU 0 %, CPU 1 % · up for 1 h',
    });
  });

  it('does not have one that works, has just begun, costs nothing, or of which nothing is known', () => {
    for (const shape of [{ gpu: 60 }, { cpu: 30 }, { uptime: 60 }, { costPerHr: 0 }, { reported: false }])
      expect(titles(cloud, shape)).toEqual([]);
  });

  it('has a stopped Pod only where its volume is still billed', () => {
    expect(titles(cloud, { desiredStatus: 'EXITED' })).toEqual(['Pod trainer is stopped']);
    expect(titles(engine, { desiredStatus: 'EXITED' })).toEqual([]);
  });

  it('names the account of a Pod and of jobs, and does not name this computer', () => {
    const textsOf = (account: Account, shape: Shape) =>
      withAccountNames(podConcerns(account, [row(shape)]), [cloud, here]).map(({ text }) => text);
    const here = { id: THIS_MACHINE, name: 'This computer', kind: 'engine' } as Account;
    expect(textsOf(cloud, { desiredStatus: 'EXITED' })).toEqual(['work · Its volume is still billed.']);
    expect(textsOf(here, { problem: 'No such image.' })).toEqual(['No such image.']);
    const waiting = waitingConcerns([
      { accountId: 'c', endpointId: 'e1', endpointName: 'sdxl', jobs: 1, reason: 'No GPU in stock.' },
    ]);
    expect(withAccountNames(waiting, [cloud])).toMatchObject([{ text: 'work · No GPU in stock.' }]);
  });

  it('has a paused endpoint with waiting jobs, and leads to it', () => {
    const health = { jobs: { inQueue: 2 } } as NonNullable<ReturnType<typeof endpointRow>['health']>;
    const paused = { ...endpointRow(null), workersMax: 0 };
    const rows = [{ ...paused, health }, paused, { ...endpointRow(null), health }];
    expect(pausedConcerns('c', rows)).toMatchObject([
      {
        title: '2 jobs wait at greeter, which is paused',
        text: 'Resume the endpoint to run them.',
        accountId: 'c',
        route: { page: 'endpoints', endpointId: 'e' },
      },
    ]);
  });

  it('has a Pod that cannot run, with the reason', () => {
    expect(podConcerns(engine, [row({ problem: 'No such image.' })])[0]).toMatchObject({
      tone: 'bad',
      chip: 'not running',
      title: 'Pod trainer is not running',
      text: 'No such image.',
    });
  });

  it('has Pods that do not run for the same reason once, and leads to their list', () => {
    const gone = row({ problem: 'No container engine answers.' });
    const rows = [gone, row({ problem: 'No such image.' }), gone, row({ desiredStatus: 'EXITED' })];
    expect(podConcerns(engine, rows)).toMatchObject([
      {
        title: '2 Pods are not running',
        text: 'No container engine answers.',
        route: { page: 'pods', podId: null },
        accountId: 'e',
      },
      { title: 'Pod trainer is not running', text: 'No such image.', route: { page: 'pods', podId: 'p' } },
    ]);
  });

  it('has a Pod whose container ends again and again, in the words of its chip', () => {
    const problem = 'It ended.';
    const concernOf = (restarts: Shape['restarts'] & object) => podConcerns(engine, [row({ problem, restarts })])[0];
    expect(concernOf({ isCrashLoop: true, nextStartAt: null })).toMatchObject({
      tone: 'bad',
      chip: 'crash loop',
      title: 'Pod trainer is in a crash loop',
      text: problem,
    });
    expect(concernOf({ isCrashLoop: false, nextStartAt: 'soon' })).toMatchObject({
      tone: 'wait',
      chip: 'restarting',
      title: 'Pod trainer is restarting',
    });
  });

  it('has the jobs that cannot start, once for each endpoint, with the reason of the first', () => {
    const place = { accountId: 'c', endpointName: 'sdxl', reason: 'No GPU in stock.' };
    expect(
      waitingConcerns([
        { ...place, endpointId: 'e1', jobs: 120 },
        { ...place, endpointId: 'e2', jobs: 1 },
      ]),
    ).toMatchObject([
      {
        chip: '120 waiting',
        title: '120 jobs of sdxl cannot start',
        text: 'No GPU in stock.',
        filter: { endpointId: 'e1' },
      },
      { chip: '1 waiting', title: 'A job of sdxl cannot start', filter: { endpointId: 'e2', state: 'queued' } },
    ]);
  });

  describe('failed jobs', () => {
    const now = Date.UTC(2026, 10, 23, 12);
    const failed = (headline: string, jobs: number, minutesAgo: number, endpointId = 'e1'): FailedJobs => ({
      accountId: 'c',
      endpointId,
      endpointName: `name of ${endpointId}`,
      headline,
      jobs,
      lastAt: now - minutesAgo * 60_000,
      entryId: `last of ${headline}`,
    });
    const never = () => 0;

    it('are one sentence for each endpoint and error, with the number of the others', () => {
      const groups = [failed('No file', 600, 3), failed('', 1, 9), failed('No file', 400, 12, 'e2')];
      expect(failureConcerns({ failed: groups, otherFailed: 0, otherLastAt: 0 }, never, now)).toMatchObject([
        {
          chip: '600 failed',
          title: 'name of e1: No file',
          text: 'last 3 min ago',
          route: { page: 'jobs', entryId: 'last of No file' },
          narrowRoute: { page: 'jobs', entryId: null },
        },
        { chip: '1 failed', title: 'name of e1: no reason given', text: '9 min ago' },
        { chip: '400 failed', title: 'name of e2: No file', filter: { endpointId: 'e2', state: 'failed' } },
      ]);
      expect(
        failureConcerns({ failed: groups, otherFailed: 120, otherLastAt: now - 60_000 }, never, now).at(-1),
      ).toMatchObject({
        chip: '120 failed',
        title: '120 more jobs failed, with other errors',
        filter: { state: 'failed', time: 'day' },
      });
    });

    it('of which there is one leads to it, in a narrow window as well and among all jobs', () => {
      const [concern] = failureConcerns(
        { failed: [failed('No file', 1, 3)], otherFailed: 0, otherLastAt: 0 },
        never,
        now,
      );
      expect(concern).toMatchObject({ route: { page: 'jobs', entryId: 'last of No file' }, filter: {} });
      expect(concern?.filter).toEqual({});
      expect(concern?.narrowRoute).toBeUndefined();
    });

    it('are gone once they are dismissed, until there is another', () => {
      const groups = { failed: [failed('No file', 2, 3), failed('Another', 1, 4)], otherFailed: 0, otherLastAt: 0 };
      const [concern] = failureConcerns(groups, never, now);
      const seenAt = (minutesAgo: number) => (key: string) =>
        key === concern?.dismisses?.key ? now - minutesAgo * 60_000 : 0;
      expect(concern?.dismisses).toEqual({ key: 'c/e1 No file' });
      expect(failureConcerns(groups, seenAt(1), now)).toMatchObject([{ title: 'name of e1: Another' }]);
      expect(failureConcerns(groups, seenAt(10), now)).toMatchObject([{ chip: '2 failed' }, { chip: '1 failed' }]);
    });

    it('of which only the number is known are dismissed together, and no group with them', () => {
      const groups = { failed: [failed('No file', 2, 3)], otherFailed: 7, otherLastAt: now - 4 * 60_000 };
      const dismisses = failureConcerns(groups, never, now).at(-1)?.dismisses;
      expect(dismisses).toEqual({ key: OTHER_FAILURES, until: groups.otherLastAt });
      const seenAt = (key: string) => (key === OTHER_FAILURES ? groups.otherLastAt : 0);
      expect(failureConcerns(groups, seenAt, now)).toMatchObject([{ chip: '2 failed' }]);
      expect(failureConcerns({ ...groups, otherLastAt: now }, seenAt, now)).toHaveLength(2);
    });
  });

  it('has the disk once it is nearly full, and says what a full one stops', () => {
    const disk = (freeBytes: number | null, full = false) =>
      diskConcerns({ disk: { freeBytes, full, reserveBytes: 0 } });
    expect([...diskConcerns(undefined), ...disk(null), ...disk(6 * 1024 ** 3)]).toEqual([]);
    expect(disk(4 * 1024 ** 3)).toMatchObject([
      { tone: 'wait', text: '4.0 GB free. Jobs need space for their results.' },
    ]);
    expect(disk(0, true)).toMatchObject([{ tone: 'bad', chip: 'disk full' }]);
  });

  it('has each account whose key is of no use, whichever is the target, and one way to unlock all that are locked', () => {
    const account = (id: string, state: Account['state'], reason: string | null = null) =>
      ({ id, name: id.toUpperCase(), kind: 'cloud', state, reason, lastUsedAt: null, nextTryAt: null }) as Account;
    const concerns = accountConcerns([
      account('a', 'refused', 'invalid api key'),
      account('b', 'ok'),
      account('c', 'locked', 'Locked.'),
      account('d', 'locked'),
      account('e', 'no-key'),
      account('f', 'offline'),
    ]);
    expect(concerns).toMatchObject([
      {
        title: 'The key for A was refused',
        text: 'It answered: "invalid api key".',
        route: { page: 'accounts', accountId: 'a' },
      },
      { title: 'There is no key for E', action: 'Enter a key' },
      { title: 'Keys are locked: C, D', text: 'Locked.', route: { page: 'settings', tab: 'keys' } },
      { title: 'F does not answer', chip: 'offline', action: 'Try now' },
    ]);
    expect(concerns.map(({ accountId }) => accountId)).toEqual([null, null, null, 'f']);
  });

  it('has the results that a cloud deletes soon, and not those of an engine', () => {
    const firstAt = Date.UTC(2026, 5, 15, 12);
    const titlesOf = (jobs: number, accountId = 'c') =>
      expiringConcerns([cloud, engine], [{ accountId, jobs, firstAt }]).map(({ title }) => title);
    expect(titlesOf(120)).toEqual(['work will soon delete 120 results']);
    expect(titlesOf(1)).toEqual(['work will soon delete a result']);
    expect(titlesOf(1, 'e')).toEqual([]);
  });
});

describe('alerts about GPUs', () => {
  const alert: PriceAlert = {
    alertId: 'a',
    accountId: 'c',
    gpuTypeId: 'L4',
    gpuName: 'L4',
    below: 0.4,
    createdAt: 0,
    metAt: 1000,
    price: 0.39,
    checkedAt: 2000,
  };
  it('stand on Home while they hold, with the price and the account', () => {
    const stock = { ...alert, alertId: 's', below: null };
    expect(priceConcerns([cloud], [alert, stock])).toMatchObject([
      { title: 'L4 costs $0.39/h on work', accountId: 'c', route: { page: 'gpus' } },
      { title: 'L4 is in stock on work' },
    ]);
    expect(priceConcerns([cloud], [{ ...alert, metAt: null }])).toEqual([]);
    expect(priceConcerns([engine], [alert])).toEqual([]);
  });
});
