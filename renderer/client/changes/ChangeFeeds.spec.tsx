import { act, waitFor } from '@testing-library/react';
import { useQuery } from '@tanstack/react-query';
import { ORPCError } from '@orpc/client';
import { afterEach, expect, it, vi } from 'vitest';
import type { Account } from '#contract/app/account.ts';
import type { PodsNow } from '#contract/bridge/pod.ts';
import type { StateChange } from '#contract/local/changes/stateChange.ts';
import { defaultSettings } from '#contract/local/settings.ts';
import type { EngineFacts } from '#contract/local/engine.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { ServiceCard } from '../../features/machine/service/ServiceCard.tsx';
import { useImages } from '../../features/resources/useImages.ts';
import { useDeclaredInput } from '../../features/run/form/inputSources.ts';
import { useEndpointTotals } from '../endpointTotals.ts';
import { orpc } from '../transport/orpc.ts';
import { ChangeFeeds } from './ChangeFeeds.tsx';
import { useIsPushed, useStatePollMs } from './pushed.ts';

const noPods: PodsNow = { rows: [], factsProblem: null, lacks: [], containerProblem: null };
const cloud: Account = { ...thisComputer, id: 'cloud', kind: 'cloud', capabilities: ['jobs', 'pods'] };
const away: Account = { ...thisComputer, id: 'away', state: 'offline' };

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A list of Pods and one of endpoints as pages have them. */
function Lists() {
  const input = { accountId: thisComputer.id };
  useQuery(orpc.pods.now.queryOptions({ input }));
  useQuery(orpc.endpoints.now.queryOptions({ input }));
  return <p>{useIsPushed(thisComputer.id) ? 'pushed' : 'polled'}</p>;
}

function Totals() {
  useEndpointTotals(thisComputer.id);
  return null;
}

/** A stream of changes that the test writes. `fail` ends it. */
function createStream() {
  const opened: string[] = [];
  let say: (event: StateChange | Error) => void = () => undefined;
  return {
    opened,
    say: (about: StateChange['about'], kinds?: string[]) =>
      act(async () => say({ about, id: null, ...(kinds && { kinds }) })),
    fail: () => act(async () => say(new Error('The stream broke.'))),
    async *changes({ accountId }: { accountId: string }) {
      const queue: (StateChange | Error)[] = [];
      let wake = (): void => undefined;
      say = (event) => {
        queue.push(event);
        wake();
      };
      opened.push(accountId);
      for (;;) {
        const event = queue.shift();
        if (event instanceof Error) throw event;
        if (event) yield { changes: [event] };
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}

it('What an engine reports as changed is read again, one read at a time, and only reachable engines are followed', async () => {
  const stream = createStream();
  const reads = { pods: 0, endpoints: 0 };
  let totals = 0;
  let readsUnderWay = 0;
  let mostReads = 0;
  let finishRead = (): void => undefined;
  renderPage(
    <>
      <ChangeFeeds />
      <Lists />
      <Totals />
    </>,
    {
      accounts: { list: () => [thisComputer, cloud, away] },
      machine: { changes: stream.changes },
      endpoints: {
        now() {
          reads.endpoints++;
          return { rows: [], pause: null };
        },
        totals() {
          totals++;
          return [];
        },
      },
      pods: {
        async now() {
          reads.pods++;
          mostReads = Math.max(mostReads, ++readsUnderWay);
          await new Promise<void>((resolve) => (finishRead = resolve));
          readsUnderWay--;
          return noPods;
        },
      },
    },
  );
  await waitFor(() => expect(reads).toEqual({ pods: 1, endpoints: 1 }));
  finishRead();
  await waitFor(() => expect(readsUnderWay).toBe(0));
  await waitFor(() => expect(stream.opened).toEqual([thisComputer.id]));
  for (let count = 0; count < 3; count++) await stream.say('pod');
  await waitFor(() => expect(reads.pods).toBe(2));
  finishRead();
  // The changes during the read are read after it, once.
  await waitFor(() => expect(reads.pods).toBe(3));
  finishRead();
  await waitFor(() => expect(readsUnderWay).toBe(0));
  expect([reads, mostReads]).toEqual([{ pods: 3, endpoints: 1 }, 1]);
  expect(totals).toBe(1);
  for (let count = 0; count < 3; count++) await stream.say('endpoint');
  await waitFor(() => expect(reads.endpoints).toBeGreaterThan(2));
  // The sums of a day are read once for a while.
  await waitFor(() => expect(totals).toBe(2));
});

type Changes = ReturnType<typeof createStream>['changes'];

/** Renders the lists of this computer. `reads`: how often the endpoints were read. */
function showLists(changes: Changes) {
  let reads = 0;
  const { screen } = renderPage(
    <>
      <ChangeFeeds />
      <Lists />
    </>,
    {
      accounts: { list: () => [thisComputer] },
      machine: { changes },
      endpoints: {
        now() {
          reads++;
          return { rows: [], pause: null };
        },
      },
      pods: { now: () => noPods },
    },
  );
  return { screen, reads: () => reads };
}

it('An account counts as pushed while its stream is open, and everything is read again when it opens anew', async () => {
  const stream = createStream();
  const { screen, reads } = showLists(stream.changes);
  expect(await screen.findByText('polled')).toBeVisible();
  await waitFor(() => expect(stream.opened).toHaveLength(1));
  await stream.say('all');
  expect(await screen.findByText('pushed')).toBeVisible();
  await waitFor(() => expect(reads()).toBe(2));
  await stream.fail();
  expect(await screen.findByText('polled')).toBeVisible();
  await waitFor(() => expect(stream.opened).toHaveLength(2));
  await stream.say('all');
  expect(await screen.findByText('pushed')).toBeVisible();
  await waitFor(() => expect(reads()).toBe(3));
});

it('An engine that is too old to report changes is asked once, polled as before, and nothing is said of it', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let opened = 0;
  const { screen } = showLists(async function* () {
    opened++;
    throw new ORPCError('UNSUPPORTED', { message: 'The Hangar of this account is too old.' });
  });
  await waitFor(() => expect(opened).toBe(1));
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  vi.useRealTimers();
  expect(opened).toBe(1);
  expect(screen.getByText('polled')).toBeVisible();
  expect(screen.queryByText(/too old/)).toBeNull();
});

it('While nobody can see the page, nothing is read; what changed meanwhile is read once it is seen', async () => {
  const stream = createStream();
  const { screen, reads } = showLists(stream.changes);
  await waitFor(() => expect(stream.opened).toHaveLength(1));
  await stream.say('all');
  expect(await screen.findByText('pushed')).toBeVisible();
  await waitFor(() => expect(reads()).toBe(2));
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  // performance.now() goes on: what it was before the timers are faked would lie in the future.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  for (let count = 0; count < 3; count++) {
    await stream.say('endpoint');
    await act(() => vi.advanceTimersByTimeAsync(5000));
  }
  vi.useRealTimers();
  expect(reads()).toBe(2);
  visibility.mockRestore();
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await waitFor(() => expect(reads()).toBe(3));
});

const engineFacts: EngineFacts = {
  name: 'hangar',
  version: '1.2.3',
  startedAt: '2026-01-01T00:00:00.000Z',
  notices: [],
  disk: { freeBytes: 2 ** 40, full: false, reserveBytes: 0 },
  backup: { lastAt: null, problem: null },
};

/** What pages show of images, of the engine itself, and of the input that a folder declares. */
function Outer() {
  const { now: images } = useImages(thisComputer.id);
  useDeclaredInput({ accountId: thisComputer.id, endpointId: 'e', hasFolder: true });
  return <p>{images ? 'images read' : 'no images'}</p>;
}

it('Images, the service and the declared input are read when they change, and polled where the engine reports none', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const stream = createStream();
  const reads = { images: 0, service: 0, input: 0 };
  renderPage(
    <>
      <ChangeFeeds />
      <Outer />
      <ServiceCard accountId={thisComputer.id} name="this computer" address={null} />
    </>,
    {
      accounts: { list: () => [thisComputer] },
      host: { info: () => ({ kind: 'headless', version: '1.2.3', platform: 'linux', dataDir: '/data' }) },
      folders: { declaredInput: () => (reads.input++, { schema: null, test: null, notices: [] }) },
      machine: {
        changes: stream.changes,
        images: () => (reads.images++, []),
        facts: () => (reads.service++, engineFacts),
      },
    },
  );
  await waitFor(() => expect(stream.opened).toHaveLength(1));
  // An engine that reports the kinds of the version before.
  await stream.say('all', ['endpoint', 'folder', 'pod', 'pause', 'resource', 'key', 'settings']);
  const before = { ...reads };
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  await waitFor(() => {
    expect(reads.images).toBeGreaterThanOrEqual(before.images + 5);
    expect(reads.service).toBeGreaterThanOrEqual(before.service + 5);
    expect(reads.input).toBeGreaterThanOrEqual(before.input + 11);
  });

  await stream.fail();
  await waitFor(() => expect(stream.opened).toHaveLength(2));
  await stream.say('all', ['endpoint', 'folder', 'input', 'image', 'service']);
  await act(() => vi.advanceTimersByTimeAsync(1000));
  const calm = { ...reads };
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(reads).toEqual(calm);
  for (const [kind, name] of [
    ['image', 'images'],
    ['service', 'service'],
    ['input', 'input'],
    ['folder', 'input'],
  ] as const) {
    const last = { ...reads };
    await stream.say(kind);
    await waitFor(() => expect(reads).toEqual({ ...last, [name]: last[name] + 1 }));
  }
});

/** Resources, API keys and settings as pages have them. */
function Written() {
  const accountId = thisComputer.id;
  const input = { accountId };
  const resourcesMs = useStatePollMs(accountId, 5000, 'resource');
  const keysMs = useStatePollMs(accountId, 5000, 'key');
  const settingsMs = useStatePollMs(accountId, 5000, 'settings');
  useQuery(orpc.resources.now.queryOptions({ input, refetchInterval: resourcesMs }));
  useQuery(orpc.apiKeys.list.queryOptions({ input, refetchInterval: keysMs }));
  useQuery(orpc.machine.engineSettings.queryOptions({ input, refetchInterval: settingsMs }));
  return null;
}

it('Resources, keys and settings are read when they change, and polled where the engine does not report them', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const stream = createStream();
  const reads = { resources: 0, keys: 0, settings: 0 };
  const noResources = { templates: [], volumes: [], registryAuths: [], podsProblem: null, hasFiles: true };
  renderPage(
    <>
      <ChangeFeeds />
      <Written />
    </>,
    {
      accounts: { list: () => [thisComputer] },
      resources: { now: () => (reads.resources++, noResources) },
      apiKeys: { list: () => (reads.keys++, []) },
      machine: {
        changes: stream.changes,
        engineSettings() {
          reads.settings++;
          const { rates, limits } = defaultSettings;
          return { rates, limits };
        },
      },
    },
  );
  await waitFor(() => expect(stream.opened).toHaveLength(1));
  // An engine of an earlier version names no kinds.
  await stream.say('all');
  const before = reads.keys;
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  await waitFor(() => expect(reads.keys).toBeGreaterThanOrEqual(before + 6));

  await stream.fail();
  await waitFor(() => expect(stream.opened).toHaveLength(2));
  await stream.say('all', ['endpoint', 'resource', 'key', 'settings', 'what comes later']);
  await act(() => vi.advanceTimersByTimeAsync(1000));
  const calm = { ...reads };
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(reads).toEqual(calm);
  await stream.say('key');
  await waitFor(() => expect(reads).toEqual({ ...calm, keys: calm.keys + 1 }));
  await stream.say('settings');
  await waitFor(() => expect(reads.settings).toBe(calm.settings + 1));
  await stream.say('resource');
  await waitFor(() =>
    expect(reads).toEqual({ keys: calm.keys + 1, settings: calm.settings + 1, resources: calm.resources + 1 }),
  );
});
