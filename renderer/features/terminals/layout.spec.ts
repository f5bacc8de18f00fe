import { describe, expect, it } from 'vitest';
import type { TerminalSession } from '#contract/local/terminal.ts';
import { begun, emptyLayout, joined, split, tabOf, without, type Layout } from './layout.ts';

function ids(): () => string {
  let last = 0;
  return () => `n${++last}`;
}
const session = (id: string): TerminalSession => ({
  id,
  kind: 'pod',
  targetId: 'p',
  command: ['/bin/sh'],
  startedAt: '',
  viewers: 0,
});
const one = (newId: () => string): Layout => {
  const tab = tabOf({ kind: 'pod', targetId: 'p' }, newId);
  return { tabs: [tab], active: tab.id };
};
const sessionsOf = ({ tabs }: Layout) => tabs.map(({ panes }) => panes.map((pane) => pane.session));

describe('the layout of terminals', () => {
  it('finds its sessions again, and gives those that nobody shows a tab each', () => {
    const newId = ids();
    let layout = one(newId);
    const [first] = layout.tabs[0]!.panes;
    layout = begun(layout, first!.id, 'a');
    layout = split(layout, first!.id, 'column', newId);
    layout = begun(layout, layout.tabs[0]!.panes[1]!.id, 'b');
    expect(sessionsOf(joined(layout, [session('a'), session('b'), session('c')], newId))).toEqual([['a', 'b'], ['c']]);
    expect(sessionsOf(joined(layout, [session('b')], newId))).toEqual([['b']]);
    expect(joined(layout, [], newId)).toEqual(emptyLayout);
  });

  it('splits beside the pane, with a shell of its own', () => {
    const newId = ids();
    const layout = begun(one(newId), 'n2', 'a');
    const after = split(layout, layout.tabs[0]!.panes[0]!.id, 'row', newId);
    expect(sessionsOf(after)).toEqual([['a', null]]);
    expect(after.tabs[0]!.panes.map(({ targetId }) => targetId)).toEqual(['p', 'p']);
  });

  it('shows the neighbour of a tab whose last pane went', () => {
    const newId = ids();
    const [a, b] = [one(newId), one(newId)];
    const both = { tabs: [...a.tabs, ...b.tabs], active: b.active };
    const after = without(both, b.tabs[0]!.panes[0]!.id);
    expect(after).toEqual({ tabs: a.tabs, active: a.active });
    expect(without(after, a.tabs[0]!.panes[0]!.id)).toEqual(emptyLayout);
  });
});
