/** What a terminal says whose Pod has no shell, and what it offers. */
import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { lenientPodSchema } from '#contract/api/lenient.ts';
import type { PodFacts } from '#contract/api/pod.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { isWithoutShell, usePodOf } from './NoShellNotice.tsx';
import { ConnectionNotice } from './pane/notices.tsx';
import type { LinkState } from './pane/terminalLink.ts';

const refused: LinkState = { kind: 'refused', why: 'No container of a Pod "p" runs here.', question: null };
const ended: LinkState = { kind: 'ended', exitCode: null, reason: 'The container has stopped.' };
const waiting: LinkState = { kind: 'attaching', waitsFor: 'There is no image trainer.' };

const podOf = (desiredStatus: string) =>
  lenientPodSchema.parse({ id: 'p', name: 'trainer', desiredStatus, imageName: 'trainer', costPerHr: 0.5 });
const failingFacts: PodFacts = {
  id: 'p',
  runtime: null,
  preparing: null,
  problem: 'There is no image trainer.',
  httpAddresses: {},
  notes: [],
  gpus: [],
};

interface ShownProps {
  state: LinkState;
  isPodShown: boolean;
  done: string[];
}

function Shown({ state, isPodShown, done }: ShownProps) {
  const accountId = thisComputer.id;
  const pane = { id: 'x', kind: 'pod', targetId: 'p', session: null, ended: null } as const;
  const row = usePodOf(accountId, pane, true);
  return (
    <ConnectionNotice
      state={state}
      isSsh={false}
      noShell={row !== undefined && isWithoutShell(row) && { accountId, row, isPodShown }}
      onRetry={() => done.push('retry')}
      onNext={() => done.push('next')}
      onClose={() => done.push('close')}
    />
  );
}

function renderShown(row: PodRow | null, state: LinkState, isPodShown = false) {
  const done: string[] = [];
  const acts: unknown[] = [];
  const page = renderPage(<Shown state={state} isPodShown={isPodShown} done={done} />, {
    accounts: { list: () => [thisComputer] },
    pods: {
      now: () => ({ rows: row === null ? [] : [row], factsProblem: null, lacks: [], containerProblem: null }),
      act(input) {
        acts.push(input);
        return podOf('RUNNING');
      },
    },
  });
  return { ...page, done, acts };
}

it('a terminal whose Pod was deleted says so, and only closes', async () => {
  const { screen, user, done } = renderShown(null, refused);
  expect(await screen.findByText('The Pod was deleted.')).toBeVisible();
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Close']);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(done).toEqual(['close']);
});

it('a terminal whose Pod is stopped starts it, and then begins the next shell', async () => {
  const { screen, user, done, acts } = renderShown({ pod: podOf('EXITED'), facts: null }, ended);
  expect(await screen.findByText('The Pod is stopped.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Close' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Start the Pod · $0.50/h' }));
  await waitFor(() => expect(done).toEqual(['next']));
  expect(acts).toEqual([{ accountId: thisComputer.id, podId: 'p', action: 'start' }]);
});

it('a terminal whose Pod does not start says why, what it waits for, and offers both', async () => {
  const { screen } = renderShown({ pod: podOf('RUNNING'), facts: failingFacts }, waiting);
  expect(await screen.findByText('The Pod is not running.')).toBeVisible();
  expect(screen.getByText(/^There is no image trainer\. The terminal opens as soon as/)).toBeVisible();
  expect(screen.getByRole('button', { name: /^Start the Pod/ })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Close' })).toBeVisible();
});

it('beside the state of its Pod, it repeats neither the reason nor the button', async () => {
  const { screen } = renderShown({ pod: podOf('RUNNING'), facts: failingFacts }, waiting, true);
  expect(await screen.findByText('The Pod is not running.')).toBeVisible();
  expect(screen.getByText(/^The terminal opens as soon as/)).toBeVisible();
  expect(screen.queryByText(/There is no image/)).toBeNull();
  expect(screen.queryByRole('button', { name: /^Start the Pod/ })).toBeNull();
});
