import { useEffect, useRef } from 'react';
import { waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Answers } from '../../../test/support/page/app.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { CloseQuestion } from './CloseQuestion.tsx';
import { begun, emptyLayout, panesOf, split, withEnd, withTab } from './layout.ts';
import type { PaneHandle } from './pane/TerminalPane.tsx';
import { changeLayout, layoutNow, useTerminals } from './terminalStore.ts';
import { newId } from '../../client/newId.ts';
import { useTerminalPanes } from './useTerminalPanes.ts';

const ACCOUNT = 'work';

function Shell({ name, onHandle }: { name: string; onHandle: (handle: PaneHandle | null) => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    onHandle({ type: () => undefined, focus: () => field.current?.focus() });
    return () => onHandle(null);
    // oxlint-disable-next-line react/exhaustive-deps -- once, as a pane does
  }, []);
  return <textarea ref={field} aria-label={name} />;
}

function Terminals() {
  const { layout } = useTerminals(ACCOUNT);
  const panes = useTerminalPanes(ACCOUNT, layout);
  const { active, focused } = panes;
  const isBroadcast = active !== null && panes.broadcastId === active.id;
  return (
    <>
      <output>{isBroadcast ? 'to all' : 'to one'}</output>
      <button onClick={panes.toggleBroadcast}>All</button>
      <button onClick={() => panes.divide('row')}>Split</button>
      <button onClick={() => focused && panes.close([focused], 'it')}>Close</button>
      <CloseQuestion closing={panes.closing} onAnswered={panes.answerClosing} />
      <p>{layout.tabs.length} open</p>
      {panes.shown.map(({ id }, index) => (
        <Shell key={id} name={`Shell ${index + 1}`} onHandle={(handle) => panes.setHandle(id, handle)} />
      ))}
      <button onClick={panes.toggleAlone}>Alone</button>
      <button onClick={() => panes.toPane(1)}>Next</button>
      <p>
        {panes.shown.findIndex(({ id }) => id === focused?.id) + 1} of {panes.shown.length},{' '}
        {active !== null && panes.aloneIn(active) === focused ? 'alone' : 'with all'}
      </p>
    </>
  );
}

it('a closed pane ends the typing into all panes, also for the next split of its tab', async () => {
  changeLayout(ACCOUNT, () => withTab(emptyLayout, { kind: 'pod', targetId: 'p' }, newId));
  changeLayout(ACCOUNT, (layout) => split(layout, panesOf(layout.tabs[0]!.root)[0]!.id, 'row', newId));
  const { user, screen } = renderPage(<Terminals />);
  await user.click(screen.getByRole('button', { name: 'All' }));
  expect(screen.getByRole('status')).toHaveTextContent('to all');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await user.click(screen.getByRole('button', { name: 'Split' }));
  expect(screen.getByRole('status')).toHaveTextContent('to one');
});

it('the switch for typing into all panes gives the focus back to the pane', async () => {
  changeLayout(ACCOUNT, () => withTab(emptyLayout, { kind: 'pod', targetId: 'p' }, newId));
  changeLayout(ACCOUNT, (layout) => split(layout, panesOf(layout.tabs[0]!.root)[0]!.id, 'row', newId));
  const { user, screen } = renderPage(<Terminals />);
  for (const words of ['to all', 'to one']) {
    await user.click(screen.getByRole('button', { name: 'All' }));
    expect(screen.getByRole('status')).toHaveTextContent(words);
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Shell 1' })).toHaveFocus());
  }
});

/** One tab with one pane, whose shell runs unless `hasEnded`. */
function openOne({ hasEnded = false } = {}, programs: Answers = {}) {
  changeLayout(ACCOUNT, () => withTab(emptyLayout, { kind: 'pod', targetId: 'p' }, newId));
  const { id } = panesOf(layoutNow(ACCOUNT).tabs[0]!.root)[0]!;
  changeLayout(ACCOUNT, (layout) => begun(layout, id, 's'));
  if (hasEnded) changeLayout(ACCOUNT, (layout) => withEnd(layout, id, { exitCode: 0, reason: 'It has ended.' }));
  return renderPage(<Terminals />, programs);
}
const answering = (programs: string[] | null): Answers => ({ terminals: { programs: () => ({ programs }) } });

it('a pane in which a program runs is closed after a question that names it', async () => {
  const { user, screen } = openOne({}, answering(['python train.py', 'sleep 5']));
  await user.click(screen.getByRole('button', { name: 'Close' }));
  const question = await screen.findByRole('dialog', { name: 'Close it?' });
  expect(question).toHaveTextContent('2 programs still run there and end, too:python train.pysleep 5');
  await user.click(within(question).getByRole('button', { name: 'Cancel' }));
  expect(screen.getByText('1 open')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await user.click(await screen.findByRole('button', { name: 'End and close' }));
  expect(await screen.findByText('0 open')).toBeVisible();
});

it('a pane of which it is not known what runs there is closed after a question', async () => {
  const { user, screen } = openOne({}, answering(null));
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(await screen.findByText(/cannot see what runs there/)).toBeVisible();
});

it.each([
  ['an idle shell', {}, answering([])],
  ['a shell that has ended', { hasEnded: true }, {}],
])('a pane with %s is closed without a question', async (_words, how, programs) => {
  const { user, screen } = openOne(how, programs);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(await screen.findByText('0 open')).toBeVisible();
});

it('a pane is shown alone and then with all again; the next one takes its place, and a split or a close shows all', async () => {
  changeLayout(ACCOUNT, () => withTab(emptyLayout, { kind: 'pod', targetId: 'p' }, newId));
  const { user, screen } = renderPage(<Terminals />, answering([]));
  const press = (name: string) => user.click(screen.getByRole('button', { name }));
  // One pane has nothing to hide.
  await press('Alone');
  expect(screen.getByText('1 of 1, with all')).toBeVisible();
  await press('Split');
  await press('Alone');
  expect(screen.getByText('1 of 2, alone')).toBeVisible();
  await press('Next');
  expect(screen.getByText('2 of 2, alone')).toBeVisible();
  await press('Alone');
  expect(screen.getByText('2 of 2, with all')).toBeVisible();
  await press('Alone');
  await press('Split');
  expect(screen.getByText('2 of 3, with all')).toBeVisible();
  await press('Alone');
  await press('Close');
  expect(await screen.findByText(/of 2, with all/)).toBeVisible();
});
