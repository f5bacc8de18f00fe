import { expect, it } from 'vitest';
import { geometryOf } from './geometry.ts';
import { emptyLayout, resize, split, withTab } from '../../ui/terminal/layout.ts';

it('panes and dividers of a tree lie beside each other and fill the tab', () => {
  let last = 0;
  const newId = (): string => `n${++last}`;
  let layout = withTab(emptyLayout, { kind: 'pod', targetId: 'p' }, newId);
  layout = split(layout, 'n2', 'row', newId);
  layout = split(resize(layout, 'n3', 0, 0.25), 'n4', 'column', newId);
  const { panes, dividers } = geometryOf(layout.tabs[0]!.root);
  expect(Object.fromEntries(panes)).toEqual({
    n2: { left: 0, top: 0, width: 0.75, height: 1 },
    n4: { left: 0.75, top: 0, width: 0.25, height: 0.5 },
    n6: { left: 0.75, top: 0.5, width: 0.25, height: 0.5 },
  });
  expect(dividers).toEqual([
    {
      splitId: 'n3',
      index: 0,
      direction: 'row',
      area: { left: 0.75, top: 0, width: 0, height: 1 },
      extent: 1,
      share: 0.75,
    },
    {
      splitId: 'n5',
      index: 0,
      direction: 'column',
      area: { left: 0.75, top: 0.5, width: 0.25, height: 0 },
      extent: 1,
      share: 0.5,
    },
  ]);
});
