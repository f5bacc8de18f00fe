import { describe, expect, it } from 'vitest';
import type { PageTerminal } from '#contract/bridge/terminal.ts';
import {
  begun,
  emptyLayout,
  isSplit,
  joined,
  joinTab,
  LEAST_SHARE,
  moveTab,
  panesOf,
  resize,
  separate,
  split,
  tabOf,
  withEnd,
  withPodNames,
  without,
  withTab,
  type Layout,
  type LayoutNode,
} from './layout.ts';

function ids(): () => string {
  let last = 0;
  return () => `n${++last}`;
}
const session = (id: string): PageTerminal => ({
  id,
  kind: 'pod',
  targetId: 'p',
  command: ['/bin/sh'],
  startedAt: '',
  viewers: 0,
});
const target = { kind: 'pod', targetId: 'p' } as const;
/** A layout of one tab with one pane: tab n1, pane n2. */
const one = (newId: () => string): Layout => withTab(emptyLayout, target, newId);
const sessionsOf = ({ tabs }: Layout) => tabs.map(({ root }) => panesOf(root).map((pane) => pane.session));
/** The tree of the first tab in short: panes by their ids, splits as `row(…)` and `column(…)` with shares in percent. */
const treeText = (node: LayoutNode): string =>
  isSplit(node)
    ? `${node.direction}(${node.parts.map((part, at) => `${treeText(part)} ${Math.round(node.shares[at]! * 100)}`).join(', ')})`
    : node.id;
const firstTree = ({ tabs }: Layout) => treeText(tabs[0]!.root);

describe('the layout of terminals', () => {
  it('finds its sessions again, and gives those that nobody shows a tab each', () => {
    const newId = ids();
    let layout = begun(one(newId), 'n2', 'a');
    layout = split(layout, 'n2', 'column', newId);
    layout = begun(layout, panesOf(layout.tabs[0]!.root)[1]!.id, 'b');
    expect(sessionsOf(joined(layout, [session('a'), session('b'), session('c')], newId))).toEqual([['a', 'b'], ['c']]);
    // Their connections say how they have ended.
    expect(sessionsOf(joined(layout, [session('b')], newId))).toEqual([['a', 'b']]);
    expect(joined(one(newId), [], newId)).toEqual(emptyLayout);
  });

  it('keeps the last name of a Pod with its panes, also with those beside them', () => {
    const newId = ids();
    const namesIn = ({ tabs }: Layout) => tabs.flatMap(({ root }) => panesOf(root)).map(({ name }) => name);
    const two = withTab(one(newId), { kind: 'host', targetId: 'p' }, newId);
    const named = withPodNames(withPodNames(two, new Map([['p', 'old']])), new Map([['p', 'trainer']]));
    expect(namesIn(named)).toEqual(['trainer', undefined]);
    // The Pod was deleted.
    expect(withPodNames(named, new Map())).toBe(named);
    expect(withPodNames(named, new Map([['p', 'trainer']]))).toBe(named);
    expect(namesIn(split(named, 'n2', 'row', newId))).toEqual(['trainer', 'trainer', undefined]);
  });

  it('keeps a pane whose shell was seen to end, until the next shell begins in it', () => {
    const newId = ids();
    const ended = withEnd(begun(one(newId), 'n2', 'a'), 'n2', { exitCode: 3, reason: '' });
    const after = joined(ended, [], newId);
    expect(panesOf(after.tabs[0]!.root)).toMatchObject([{ id: 'n2', ended: { exitCode: 3 } }]);
    expect(panesOf(begun(after, 'n2', 'b').tabs[0]!.root)).toMatchObject([{ session: 'b', ended: null }]);
  });

  it('splits a pane and leaves all others where they are', () => {
    const newId = ids();
    const row = split(one(newId), 'n2', 'row', newId);
    expect(firstTree(row)).toBe('row(n2 50, n4 50)');
    const third = split(row, 'n2', 'row', newId);
    expect(firstTree(third)).toBe('row(n2 25, n5 25, n4 50)');
    const nested = split(third, 'n4', 'column', newId);
    expect(firstTree(nested)).toBe('row(n2 25, n5 25, column(n4 50, n7 50) 50)');
    expect(panesOf(nested.tabs[0]!.root).map(({ targetId }) => targetId)).toEqual(['p', 'p', 'p', 'p']);
  });

  it('gives the place of a closed pane to its neighbours, and a split of one part becomes this part', () => {
    const newId = ids();
    let layout = split(split(one(newId), 'n2', 'row', newId), 'n4', 'column', newId);
    expect(firstTree(layout)).toBe('row(n2 50, column(n4 50, n6 50) 50)');
    layout = without(layout, ['n4']);
    expect(firstTree(layout)).toBe('row(n2 50, n6 50)');
    expect(firstTree(without(layout, ['n2']))).toBe('n6');
  });

  it('moves a boundary, and no part becomes smaller than the least share', () => {
    const newId = ids();
    const layout = split(one(newId), 'n2', 'row', newId);
    expect(firstTree(resize(layout, 'n3', 0, 0.2))).toBe('row(n2 70, n4 30)');
    expect(firstTree(resize(layout, 'n3', 0, -2))).toBe(`row(n2 ${LEAST_SHARE * 100}, n4 ${100 - LEAST_SHARE * 100})`);
    expect(firstTree(resize(layout, 'n3', 0, 2))).toBe(`row(n2 ${100 - LEAST_SHARE * 100}, n4 ${LEAST_SHARE * 100})`);
    expect(resize(layout, 'n3', 1, 0.2)).toEqual(layout);
  });

  it('shows the neighbour of a tab whose last pane went', () => {
    const newId = ids();
    const both = withTab(one(newId), target, newId);
    const [a, b] = both.tabs;
    const after = without(both, [panesOf(b!.root)[0]!.id]);
    expect(after).toEqual({ tabs: [a], active: a!.id });
    expect(without(after, [panesOf(a!.root)[0]!.id])).toEqual(emptyLayout);
  });

  it('moves a tab to another place', () => {
    const newId = ids();
    const tabs = [tabOf(target, newId), tabOf(target, newId), tabOf(target, newId)];
    const [a, b, c] = tabs;
    expect(moveTab({ tabs, active: null }, a!.id, 2).tabs).toEqual([b, c, a]);
    expect(moveTab({ tabs, active: null }, c!.id, 0).tabs).toEqual([c, a, b]);
  });

  it('puts the panes of a tab beside a pane of another one, in the split that is there if it has that direction', () => {
    const newId = ids();
    // Tabs n1 with the pane n2, n3 with n4, n5 with n6.
    const three = [1, 2, 3].reduce((layout) => withTab(layout, target, newId), emptyLayout);
    const right = joinTab(three, 'n5', 'n2', 'right', newId);
    expect(right.active).toBe('n1');
    expect(right.tabs.map(({ id }) => id)).toEqual(['n1', 'n3']);
    expect(firstTree(right)).toBe('row(n2 50, n6 50)');
    expect(firstTree(joinTab(right, 'n3', 'n6', 'left', newId))).toBe('row(n2 50, n4 25, n6 25)');
    expect(firstTree(joinTab(right, 'n3', 'n6', 'top', newId))).toBe('row(n2 50, column(n4 50, n6 50) 50)');
    // The row of a tab that comes becomes a part of the row that is there.
    const rows = joinTab(right, 'n1', 'n4', 'left', newId);
    expect(firstTree(rows)).toBe('row(n2 25, n6 25, n4 50)');
    expect(firstTree(joinTab(right, 'n1', 'n4', 'bottom', newId))).toBe('column(n4 50, row(n2 50, n6 50) 50)');
  });

  it('leaves everything as it is where a tab is put beside its own pane, or beside one that is gone', () => {
    const newId = ids();
    const two = withTab(one(newId), target, newId);
    expect(joinTab(two, 'n1', 'n2', 'left', newId)).toBe(two);
    expect(joinTab(two, 'n1', 'gone', 'left', newId)).toBe(two);
    expect(joinTab(two, 'gone', 'n2', 'left', newId)).toBe(two);
  });

  it('moves one of several panes into a tab of its own, behind the tab that it was in', () => {
    const newId = ids();
    const two = withTab(split(one(newId), 'n2', 'row', newId), target, newId);
    const [, second] = panesOf(two.tabs[0]!.root);
    const moved = separate(two, second!.id, newId);
    expect(moved.tabs.map(({ root }) => treeText(root))).toEqual(['n2', second!.id, treeText(two.tabs[1]!.root)]);
    expect(moved.active).toBe(moved.tabs[1]!.id);
    expect(separate(moved, 'n2', newId)).toBe(moved);
  });
});
