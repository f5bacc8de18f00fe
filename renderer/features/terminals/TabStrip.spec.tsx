import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import {
  emptyLayout,
  moveTab,
  split,
  withTab,
  without,
  panesOf,
  type Layout,
  type Tab,
} from '../../ui/terminal/layout.ts';
import { PaneGrid } from './PaneGrid.tsx';
import { TabStrip } from './TabStrip.tsx';

const NO_DRAG = { dragged: null, onDrag: () => undefined, onMenu: () => undefined };
const NO_DROP = { draggedTab: null, onOwnTab: () => undefined, onDropTab: () => undefined };

/** Three tabs of one pane each, the last one shown. */
function threeTabs(): Layout {
  let last = 0;
  const newId = (): string => `n${++last}`;
  const targets = ['a', 'b', 'c'].map((targetId) => ({ kind: 'pod', targetId }) as const);
  return targets.reduce<Layout>((layout, target) => withTab(layout, target, newId), emptyLayout);
}

function Strip() {
  const [layout, change] = useState(threeTabs);
  return (
    <TabStrip
      tabs={layout.tabs}
      active={layout.active}
      namesOf={({ root }) => ({ title: `shell of ${panesOf(root)[0]!.targetId}`, place: panesOf(root)[0]!.targetId })}
      onSelect={(active) => change({ ...layout, active })}
      onClose={({ root }) => change(without(layout, [panesOf(root)[0]!.id]))}
      onMove={(tabId, to) => change(moveTab(layout, tabId, to))}
      isAlone={() => false}
      {...NO_DRAG}
    />
  );
}

function renderStrip() {
  const page = renderPage(<Strip />);
  return { ...page, names: () => page.screen.getAllByRole('tab').map(({ textContent }) => textContent) };
}

it('A tab is named by its shell, and the arrow keys show the one beside it', async () => {
  const { user, screen, names } = renderStrip();
  expect(names()).toEqual(['shell of a', 'shell of b', 'shell of c']);
  screen.getByRole('tab', { selected: true }).focus();
  await user.keyboard('{ArrowLeft}');
  expect(screen.getByRole('tab', { selected: true })).toHaveTextContent('shell of b');
  expect(screen.getByRole('tab', { selected: true })).toHaveFocus();
  await user.keyboard('{Home}');
  expect(screen.getByRole('tab', { selected: true })).toHaveTextContent('shell of a');
});

it('Alt and the arrow keys move a tab, Delete and its ✕ close it', async () => {
  const { user, screen, names } = renderStrip();
  screen.getByRole('tab', { name: 'shell of c' }).focus();
  await user.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  expect(names()).toEqual(['shell of a', 'shell of c', 'shell of b']);
  await user.keyboard('{Delete}');
  expect(names()).toEqual(['shell of a', 'shell of b']);
  await user.click(screen.getByTitle('Close the tab shell of a'));
  expect(names()).toEqual(['shell of b']);
});

it('The arrow keys move the divider between two panes by a share of their split', async () => {
  const layout = split(threeTabs(), 'n2', 'column', () => crypto.randomUUID());
  const [tab] = layout.tabs;
  const moves: unknown[] = [];
  const { user, screen } = renderPage(
    <PaneGrid
      tab={tab!}
      isShown
      isBroadcast={false}
      focusedId={null}
      aloneId={null}
      onResize={(...move) => moves.push(move.slice(1))}
      {...NO_DROP}
    >
      {(pane) => pane.id}
    </PaneGrid>,
  );
  const divider = screen.getByRole('separator', { name: 'Resize the panes' });
  expect(divider).toHaveAttribute('aria-orientation', 'horizontal');
  expect(divider).toHaveAttribute('aria-valuenow', '50');
  divider.focus();
  await user.keyboard('{ArrowDown}{ArrowUp}{ArrowRight}');
  expect(moves).toEqual([
    [0, 0.03],
    [0, -0.03],
  ]);
});

it('A pane that is shown alone has the whole tab, and the tab says that it is one of several', () => {
  const layout = split(threeTabs(), 'n2', 'column', () => crypto.randomUUID());
  const [tab] = layout.tabs;
  const [first, second] = panesOf(tab!.root);
  const { screen } = renderPage(
    <>
      <TabStrip
        tabs={layout.tabs}
        active={tab!.id}
        namesOf={() => ({ title: 'shell', place: 'here' })}
        onSelect={() => undefined}
        onClose={() => undefined}
        onMove={() => undefined}
        isAlone={({ id }) => id === tab!.id}
        {...NO_DRAG}
      />
      <PaneGrid
        tab={tab!}
        isShown
        isBroadcast={false}
        focusedId={null}
        aloneId={second!.id}
        onResize={() => undefined}
        {...NO_DROP}
      >
        {(pane) => <p>{pane.id}</p>}
      </PaneGrid>
    </>,
  );
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['shell 1 of 2', 'shell', 'shell']);
  expect(screen.getByText(first!.id)).not.toBeVisible();
  expect(screen.getByText(second!.id)).toBeVisible();
  expect(screen.getByText(second!.id).parentElement).toHaveStyle({ width: '100%', height: '100%' });
  expect(screen.queryByRole('separator')).toBeNull();
});

it('The pane that keys act on is marked among several, and not where it is alone', () => {
  const [single] = threeTabs().tabs;
  const [double] = split(threeTabs(), 'n2', 'column', () => crypto.randomUUID()).tabs;
  const [first, second] = panesOf(double!.root);
  const grid = (tab: Tab, focusedId: string, aloneId: string | null) => (
    <PaneGrid
      tab={tab}
      isShown
      isBroadcast={false}
      focusedId={focusedId}
      aloneId={aloneId}
      onResize={() => undefined}
      {...NO_DROP}
    >
      {(pane) => <p>{pane.id}</p>}
    </PaneGrid>
  );
  const marked = () => [...document.querySelectorAll('[data-focused]')].map(({ textContent }) => textContent);
  const shown = renderPage(
    <>
      {grid(double!, second!.id, null)}
      {grid(double!, first!.id, first!.id)}
      {grid(single!, panesOf(single!.root)[0]!.id, null)}
    </>,
  );
  expect(shown.screen.getAllByText(second!.id)).toHaveLength(2);
  expect(marked()).toEqual([second!.id]);
});
