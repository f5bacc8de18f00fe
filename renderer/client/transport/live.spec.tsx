import { useState } from 'react';
import { act, screen, waitFor } from '@testing-library/react';
import { useQuery } from '@tanstack/react-query';
import { ORPCError } from '@orpc/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { EngineStatus } from '#contract/app/account.ts';
import { loseApp } from '../../../test/support/page/app.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { useEngine } from '../engine.ts';
import { useLiveView } from './live.ts';
import { orpc, queryClient } from './orpc.ts';

/** A list of the target, as pages show theirs. */
function Names() {
  const query = useQuery(orpc.apiKeys.list.queryOptions({ input: { accountId: 'local' }, retry: false }));
  const { now, problem } = useLiveView(query);
  return (
    <>
      <output aria-label="Shown">{now?.map(({ name }) => name).join() ?? 'nothing'}</output>
      <output aria-label="Problem">{problem ?? 'none'}</output>
    </>
  );
}

const key = { id: 'k', name: 'nightly', scope: 'all', disabled: false, last4: 'abcd', lastUsedAt: null } as const;
const keys = [{ ...key, endpointIds: [], createdAt: '2026-01-01T00:00:00.000Z' }];
const shown = () => screen.getByLabelText('Shown');
const problem = () => screen.getByLabelText('Problem');

/** Shows the list, which `list` answers from the second time on. */
async function renderNames(list: () => typeof keys | Promise<typeof keys>): Promise<void> {
  let calls = 0;
  const first = () => (calls++ === 0 ? keys : list());
  renderPage(<Names />, { accounts: { list: () => [thisComputer] }, apiKeys: { list: first } });
  await waitFor(() => expect(shown()).toHaveTextContent('nightly'));
}

const askAgain = () => act(() => void queryClient.refetchQueries({ queryKey: orpc.apiKeys.key() }));

afterEach(() => {
  vi.useRealTimers();
  useEngine.setState({ status: null });
});

describe('a list that is asked again while somebody looks', () => {
  it('has no problem while answers come', async () => {
    await renderNames(() => keys);
    expect(problem()).toHaveTextContent('none');
  });

  it('keeps what came last when the app refuses, with the reason', async () => {
    await renderNames(() => {
      throw new ORPCError('SERVICE_UNAVAILABLE', { message: 'The engine is starting.' });
    });
    askAgain();
    await waitFor(() => expect(problem()).toHaveTextContent('The engine is starting.'));
    expect(shown()).toHaveTextContent('nightly');
  });

  it('shows the reason in place of a list that never came', async () => {
    const list = () => {
      throw new ORPCError('SERVICE_UNAVAILABLE', { message: 'The engine is starting.' });
    };
    renderPage(<Names />, { accounts: { list: () => [thisComputer] }, apiKeys: { list } });
    await waitFor(() => expect(problem()).toHaveTextContent('The engine is starting.'));
    expect(shown()).toHaveTextContent('nothing');
  });

  it('keeps what came last while the app is away, and says so until it is back', async () => {
    await renderNames(() => keys);
    const comeBack = await act(loseApp);
    expect(problem()).toHaveTextContent('Hangar cannot be reached.');
    expect(shown()).toHaveTextContent('nightly');
    await act(comeBack);
    expect(problem()).toHaveTextContent('none');
  });

  it('says that the engine cannot be reached while it is not ready', async () => {
    await renderNames(() => keys);
    act(() => useEngine.setState({ status: { state: 'restarting' } as EngineStatus }));
    expect(problem()).toHaveTextContent('The engine cannot be reached.');
    expect(shown()).toHaveTextContent('nightly');
  });

  it('says after 8 seconds that no answer has come, beside the last one', async () => {
    const waiting: ((answer: typeof keys) => void)[] = [];
    await renderNames(() => new Promise((resolve) => waiting.push(resolve)));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    askAgain();
    // That it is asked is told by a timer of its own.
    act(() => void vi.advanceTimersByTime(0));
    act(() => void vi.advanceTimersByTime(7999));
    expect(problem()).toHaveTextContent('none');
    act(() => void vi.advanceTimersByTime(1));
    expect(problem()).toHaveTextContent('No answer for 8 s.');
    expect(shown()).toHaveTextContent('nightly');
    vi.useRealTimers();
    await waitFor(() => expect(waiting).toHaveLength(1));
    waiting[0]?.(keys);
    await waitFor(() => expect(problem()).toHaveTextContent('none'));
  });
});

/** A page that is opened by a click. */
function Page() {
  const [isOpen, setOpen] = useState(false);
  return isOpen ? <Names /> : <button type="button" onClick={() => setOpen(true)} aria-label="Open" />;
}

it('a page without data that is opened while Hangar is away says so, and reads it when Hangar is back', async () => {
  const { user } = renderPage(<Page />, { accounts: { list: () => [thisComputer] }, apiKeys: { list: () => keys } });
  const back = await act(loseApp);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await waitFor(() => expect(problem()).toHaveTextContent('The connection to Hangar was lost'));
  expect(shown()).toHaveTextContent('nothing');
  await act(back);
  await waitFor(() => expect(shown()).toHaveTextContent('nightly'));
  expect(problem()).toHaveTextContent('none');
});
