import { act, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useConnection } from './orpc.ts';
import { useSubscription } from './subscription.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Subscribes to a stream that lives for so many milliseconds, each time it is opened. */
function Subscriber({ open }: { open: () => number }) {
  useSubscription<number>({
    key: 'stream',
    ends: 'never',
    async open() {
      const lifeMs = open();
      return (async function* () {
        yield 1;
        await new Promise((resolve) => setTimeout(resolve, lifeMs));
        throw new Error('The stream broke.');
      })();
    },
    onEvent: () => undefined,
  });
  return null;
}

it('A stream that breaks soon after each opening is opened less and less often; one that held on, at once again', async () => {
  useConnection.setState({ state: 'open', generation: 1 });
  const startedAt = performance.now();
  const openedAt: number[] = [];
  let lifeMs = 0;
  const open = (): number => {
    openedAt.push(Math.round((performance.now() - startedAt) / 1000));
    return lifeMs;
  };
  const { unmount } = render(<Subscriber open={open} />);
  await act(() => vi.advanceTimersByTimeAsync(60_500));
  expect(openedAt).toEqual([0, 1, 3, 7, 15, 30, 45, 60]);
  openedAt.length = 0;
  lifeMs = 20_000;
  await act(() => vi.advanceTimersByTimeAsync(37_000));
  expect(openedAt).toEqual([75, 96]);
  unmount();
  openedAt.length = 0;
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(openedAt).toEqual([]);
});
