import { act, waitFor } from '@testing-library/react';
import { useQuery } from '@tanstack/react-query';
import { ORPCError } from '@orpc/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Machine } from '#contract/local/machine.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { machineOf } from '../../../test/support/page/machine.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { createSampler } from '../../../test/support/page/sampler.ts';
import { machineOptions } from '../machine.ts';
import { SampleFeeds } from './SampleFeeds.tsx';
import { useSampleMs } from './samples.ts';

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A part of a page that shows the load of the processor. */
function Load({ everyMs }: { everyMs: number }) {
  const refetchInterval = useSampleMs(thisComputer.id, 'machine', everyMs);
  const { data } = useQuery({ ...machineOptions(thisComputer.id), refetchInterval });
  return <p>{`load ${data?.cpu.loadPercent}`}</p>;
}

const withLoad = (loadPercent: number): Machine => machineOf({ cpu: { model: 'CPU', cores: 8, loadPercent } });

/** An engine that sends what the test says, and counts the questions. */
function createEngine() {
  const { streams, say, open } = createSampler<Machine>();
  const questions = { count: 0 };
  return {
    streams,
    say,
    questions,
    machine: {
      machineSamples: open,
      get() {
        questions.count++;
        return withLoad(1);
      },
    },
  };
}

it('A page that is open for some samples shows each of them and asks for none; parts of a page share one stream', async () => {
  const engine = createEngine();
  const { screen } = renderPage(
    <>
      <SampleFeeds />
      <Load everyMs={5000} />
      <Load everyMs={2000} />
    </>,
    { accounts: { list: () => [thisComputer] }, machine: engine.machine },
  );
  await waitFor(() => expect(engine.streams).toEqual([{ everyMs: 2000, isOpen: true }]));
  await engine.say(withLoad(10));
  await waitFor(() => expect(screen.getAllByText('load 10')).toHaveLength(2));
  const before = engine.questions.count;
  for (const load of [11, 12, 13, 14, 15]) {
    await act(() => vi.advanceTimersByTimeAsync(12_000));
    await engine.say(withLoad(load));
    await waitFor(() => expect(screen.getAllByText(`load ${load}`)).toHaveLength(2));
  }
  expect(engine.questions.count).toBe(before);
  expect(engine.streams).toHaveLength(1);
});

it('A page that nobody sees follows nothing, and a stream that breaks is replaced by questions until it is open again', async () => {
  const engine = createEngine();
  const { screen } = renderPage(
    <>
      <SampleFeeds />
      <Load everyMs={2000} />
    </>,
    { accounts: { list: () => [thisComputer] }, machine: engine.machine },
  );
  await waitFor(() => expect(engine.streams).toHaveLength(1));
  await engine.say(withLoad(10));
  expect(await screen.findByText('load 10')).toBeVisible();
  const before = engine.questions.count;
  await engine.say(new Error('The stream broke.'));
  await act(() => vi.advanceTimersByTimeAsync(5000));
  await waitFor(() => expect(engine.questions.count).toBeGreaterThan(before));
  await waitFor(() => expect(engine.streams).toHaveLength(2));
  await engine.say(withLoad(20));
  expect(await screen.findByText('load 20')).toBeVisible();

  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
  await waitFor(() => expect(engine.streams[1]).toEqual({ everyMs: 2000, isOpen: false }));
});

it('An engine that is too old to send samples is asked for each of them, as before', async () => {
  const engine = createEngine();
  let opened = 0;
  renderPage(
    <>
      <SampleFeeds />
      <Load everyMs={2000} />
    </>,
    {
      accounts: { list: () => [thisComputer] },
      machine: {
        get: engine.machine.get,
        async *machineSamples() {
          opened++;
          throw new ORPCError('UNSUPPORTED', { message: 'The Hangar of this account is too old.' });
        },
      },
    },
  );
  await waitFor(() => expect(opened).toBe(1));
  const before = engine.questions.count;
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  await waitFor(() => expect(engine.questions.count).toBeGreaterThanOrEqual(before + 29));
  expect(opened).toBe(1);
});
