import { expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { emptyLayout, panesOf, split, withTab } from './layout.ts';
import { changeLayout, newId, useTerminals } from './terminalStore.ts';
import { useTerminalPanes } from './useTerminalPanes.ts';

const ACCOUNT = 'work';

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
