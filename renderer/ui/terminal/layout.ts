/**
 * The layout of terminals: tabs, each with a tree of panes, stored in this browser and joined with the sessions of the
 * engine. A split has two or more parts, side by side or one below the other; a part is a pane or a split of the other
 * direction.
 */
import type { PageTerminal } from '#contract/bridge/terminal.ts';

export type TerminalTarget = Pick<PageTerminal, 'kind' | 'targetId'>;

/** How a shell ended. `exitCode` is null if it is not known, because its terminal was gone. */
export interface ShellEnd {
  exitCode: number | null;
  reason: string;
}

export interface Pane extends TerminalTarget {
  /** A unique id. */
  id: string;
  /** Null until its shell has started. */
  session: string | null;
  /** Null while its shell runs. */
  ended: ShellEnd | null;
  /** The session in whose folder its shell begins, for a shell of this computer. */
  beside?: string | undefined;
}

export type Direction = 'row' | 'column';

export interface Split {
  id: string;
  /** Parts side by side (`row`), or one below the other (`column`). */
  direction: Direction;
  /** At least two. */
  parts: LayoutNode[];
  /** The share of each part, between 0 and 1. Together they are 1. */
  shares: number[];
}

export type LayoutNode = Pane | Split;

export interface Tab {
  id: string;
  root: LayoutNode;
}

export interface Layout {
  tabs: Tab[];
  /** The id of the visible tab. */
  active: string | null;
}

export const emptyLayout: Layout = { tabs: [], active: null };

/** A part never becomes smaller than this share of its split. */
export const LEAST_SHARE = 0.08;

export const isSplit = (node: LayoutNode): node is Split => 'parts' in node;

/** All panes of a tree, from left to right and from top to bottom. */
export const panesOf = (node: LayoutNode): Pane[] => (isSplit(node) ? node.parts.flatMap(panesOf) : [node]);

/** A split whose parts have the same size. */
const evenSplit = (id: string, direction: Direction, parts: LayoutNode[]): Split => ({
  id,
  direction,
  parts,
  shares: parts.map(() => 1 / parts.length),
});

/** A tree of one or more panes: the only one, or a split with this id in which all have the same size. */
export const treeOf = (panes: Pane[], direction: Direction, splitId: string): LayoutNode =>
  panes.length === 1 && panes[0] !== undefined ? panes[0] : evenSplit(splitId, direction, panes);

/** Replaces each node by `change`, from the panes upwards. A part that becomes null is removed; its neighbours grow. */
function mapTree(node: LayoutNode, change: (node: LayoutNode) => LayoutNode | null): LayoutNode | null {
  if (!isSplit(node)) return change(node);
  const left = node.parts.flatMap((part, index) => {
    const mapped = mapTree(part, change);
    return mapped === null ? [] : [{ part: mapped, share: node.shares[index] ?? 0 }];
  });
  const [first] = left;
  if (first === undefined) return null;
  if (left.length === 1) return first.part;
  const whole = left.reduce((sum, { share }) => sum + share, 0);
  return change({
    ...node,
    parts: left.map(({ part }) => part),
    shares: left.map(({ share }) => (whole > 0 ? share / whole : 1 / left.length)),
  });
}

/** Changes the panes of all tabs; null removes a pane, and its tab with the last one. The neighbour of a removed tab is shown. */
function mapPanes(layout: Layout, change: (pane: Pane) => Pane | null): Layout {
  const tabs = layout.tabs.flatMap((tab) => {
    const root = mapTree(tab.root, (node) => (isSplit(node) ? node : change(node)));
    return root === null ? [] : [{ ...tab, root }];
  });
  if (tabs.some(({ id }) => id === layout.active)) return { tabs, active: layout.active };
  const at = layout.tabs.findIndex(({ id }) => id === layout.active);
  return { tabs, active: tabs[Math.min(Math.max(at, 0), tabs.length - 1)]?.id ?? null };
}

const onTree = (layout: Layout, change: (node: LayoutNode) => LayoutNode): Layout => ({
  ...layout,
  tabs: layout.tabs.map((tab) => ({ ...tab, root: mapTree(tab.root, change) ?? tab.root })),
});

/**
 * Removes panes whose shell never began, and adds a tab for each session without a pane. A pane whose session is not
 * there any more stays: its connection says how the shell has ended.
 */
export function joined(layout: Layout, sessions: readonly PageTerminal[], newId: () => string): Layout {
  const present = mapPanes(layout, (pane) => (pane.ended !== null || pane.session !== null ? pane : null));
  const shown = new Set(present.tabs.flatMap(({ root }) => panesOf(root)).map(({ session }) => session));
  const added = sessions
    .filter(({ id }) => !shown.has(id))
    .map(({ id, kind, targetId }) => tabOf({ kind, targetId }, newId, id));
  const tabs = [...present.tabs, ...added];
  return { tabs, active: present.active ?? tabs[0]?.id ?? null };
}

export const tabOf = ({ kind, targetId }: TerminalTarget, newId: () => string, session: string | null = null): Tab => ({
  id: newId(),
  root: { kind, targetId, id: newId(), session, ended: null },
});

/** A pane of the same target, whose shell begins in the folder of that one where it can. */
const paneBeside = ({ kind, targetId, session }: Pane, id: string): Pane => ({
  kind,
  targetId,
  id,
  session: null,
  ended: null,
  ...(kind === 'host' && session !== null && { beside: session }),
});

/** Adds and shows a new tab with a pane of the same target. */
export function withTabBeside(layout: Layout, pane: Pane, newId: () => string): Layout {
  const tab = { id: newId(), root: paneBeside(pane, newId()) };
  return { tabs: [...layout.tabs, tab], active: tab.id };
}

/** Adds and shows a new tab with one pane. */
export function withTab(layout: Layout, target: TerminalTarget, newId: () => string): Layout {
  const tab = tabOf(target, newId);
  return { tabs: [...layout.tabs, tab], active: tab.id };
}

/**
 * Adds a pane of the same target after that one. In a split of that direction, both share the place of the pane;
 * otherwise the pane is replaced by a split of its own, and all other panes keep their places.
 */
export function split(layout: Layout, paneId: string, direction: Direction, newId: () => string): Layout {
  const isTarget = (node: LayoutNode): node is Pane => !isSplit(node) && node.id === paneId;
  const next = (pane: Pane): Pane => paneBeside(pane, newId());
  const divided = (node: LayoutNode): LayoutNode => {
    if (isTarget(node)) return evenSplit(newId(), direction, [node, next(node)]);
    if (!isSplit(node)) return node;
    const at = node.parts.findIndex(isTarget);
    const pane = node.parts[at];
    if (node.direction !== direction || pane === undefined || !isTarget(pane)) {
      return { ...node, parts: node.parts.map(divided) };
    }
    const half = (node.shares[at] ?? 0) / 2;
    return {
      ...node,
      parts: node.parts.toSpliced(at + 1, 0, next(pane)),
      shares: node.shares.toSpliced(at, 1, half, half),
    };
  };
  return { ...layout, tabs: layout.tabs.map((tab) => ({ ...tab, root: divided(tab.root) })) };
}

const onPane = (layout: Layout, paneId: string, change: (pane: Pane) => Pane): Layout =>
  mapPanes(layout, (pane) => (pane.id === paneId ? change(pane) : pane));

/** The shell of a pane has started. */
export const begun = (layout: Layout, paneId: string, session: string): Layout =>
  onPane(layout, paneId, (pane) => ({ ...pane, session, ended: null }));

/** The shell of a pane has ended. The pane stays, and offers the next shell. */
export const withEnd = (layout: Layout, paneId: string, end: ShellEnd): Layout =>
  onPane(layout, paneId, (pane) => ({ ...pane, ended: end }));

/** Removes panes. A tab is removed with its last pane, and its neighbour is shown. */
export const without = (layout: Layout, paneIds: readonly string[]): Layout =>
  mapPanes(layout, (pane) => (paneIds.includes(pane.id) ? null : pane));

/**
 * Moves the boundary between the parts `index` and `index + 1` of a split by a share of the split, to the right or down.
 * Neither part becomes smaller than `LEAST_SHARE`.
 */
export function resize(layout: Layout, splitId: string, index: number, by: number): Layout {
  return onTree(layout, (node) => {
    if (!isSplit(node) || node.id !== splitId) return node;
    const [before, after] = [node.shares[index], node.shares[index + 1]];
    if (before === undefined || after === undefined) return node;
    const moved = Math.min(Math.max(by, LEAST_SHARE - before), after - LEAST_SHARE);
    return { ...node, shares: node.shares.toSpliced(index, 2, before + moved, after - moved) };
  });
}

/** Moves a tab to a place in the row of tabs, counted without it from 0. */
export function moveTab(layout: Layout, tabId: string, to: number): Layout {
  const tab = layout.tabs.find(({ id }) => id === tabId);
  if (tab === undefined) return layout;
  return { ...layout, tabs: layout.tabs.filter(({ id }) => id !== tabId).toSpliced(to, 0, tab) };
}
