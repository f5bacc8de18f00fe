/** Where the panes of a tab and the dividers between them lie, in fractions of the tab between 0 and 1. */
import { isSplit, type Direction, type LayoutNode } from '../../ui/terminal/layout.ts';

export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The boundary between the parts `index` and `index + 1` of a split. */
export interface Divider {
  splitId: string;
  index: number;
  direction: Direction;
  /** A line: its width is 0 in a row, its height in a column. */
  area: Area;
  /** The length of the split in its direction, in fractions of the tab. */
  extent: number;
  /** The share of the part before it, for a screen reader. */
  share: number;
}

export interface Geometry {
  /** By the id of the pane. */
  panes: ReadonlyMap<string, Area>;
  dividers: readonly Divider[];
}

export function geometryOf(root: LayoutNode): Geometry {
  const panes = new Map<string, Area>();
  const dividers: Divider[] = [];
  const place = (node: LayoutNode, area: Area): void => {
    if (!isSplit(node)) {
      panes.set(node.id, area);
      return;
    }
    const isRow = node.direction === 'row';
    const extent = isRow ? area.width : area.height;
    let at = isRow ? area.left : area.top;
    node.parts.forEach((part, index) => {
      const share = node.shares[index] ?? 0;
      const size = share * extent;
      place(part, isRow ? { ...area, left: at, width: size } : { ...area, top: at, height: size });
      at += size;
      if (index === node.parts.length - 1) return;
      const line = isRow ? { ...area, left: at, width: 0 } : { ...area, top: at, height: 0 };
      dividers.push({ splitId: node.id, index, direction: node.direction, area: line, extent, share });
    });
  };
  place(root, { left: 0, top: 0, width: 1, height: 1 });
  return { panes, dividers };
}
