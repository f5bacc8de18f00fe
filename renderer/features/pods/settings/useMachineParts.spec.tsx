import { useState } from 'react';
import { act, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Machine } from '#contract/local/machine.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import { machineOf } from '../../../../test/support/page/machine.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { createSampler } from '../../../../test/support/page/sampler.ts';
import { SampleFeeds } from '../../../client/changes/SampleFeeds.tsx';
import { useMachineParts } from './useMachineParts.ts';

afterEach(() => void vi.useRealTimers());

const withMemory = (gb: number): Machine => machineOf({ memory: { totalBytes: gb * 1024 ** 3, usedBytes: 1024 ** 3 } });

/** A form that a person opens and closes. */
function Form() {
  const [isOpen, setOpen] = useState(true);
  const { size } = useMachineParts(thisComputer.id, isOpen);
  return <button onClick={() => setOpen(false)}>{`${size?.memoryGb} GB`}</button>;
}

it('The form of a new Pod follows its machine without questions, and only while it is open', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { streams, say, open } = createSampler<Machine>();
  let questions = 0;
  const get = () => {
    questions++;
    return withMemory(8);
  };
  const { screen } = renderPage(
    <>
      <SampleFeeds />
      <Form />
    </>,
    { accounts: { list: () => [thisComputer] }, machine: { get, machineSamples: open } },
  );
  expect(await screen.findByText('8 GB')).toBeVisible();
  await waitFor(() => expect(streams).toHaveLength(1));
  await say(withMemory(16));
  expect(await screen.findByText('16 GB')).toBeVisible();
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(questions).toBe(1);
  act(() => screen.getByRole('button').click());
  await waitFor(() => expect(streams[0]?.isOpen).toBe(false));
});
