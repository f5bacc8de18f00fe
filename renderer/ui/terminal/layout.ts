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
  /** The last known name of its Pod, by which the pane is called once the Pod is deleted. */
  name?: string | undefined;
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
const paneBeside = ({ kind, targetId, session, name }: Pane, id: string): Pane => ({
  kind,
  targetId,
  ...(name !== undefined && { name }),
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

/** Where something is put: at this side of a pane. */
export type Side = 'left' | 'right' | 'top' | 'bottom';

/**
 * Puts a part beside the part `at` of a split, which both then share; in a tree of its own, if that split goes in the
 * other direction.
 */
function insert(node: Split, at: number, side: Side, makeAdded: () => LayoutNode, newId: () => string): Split {
  const direction = side === 'left' || side === 'right' ? 'row' : 'column';
  const isBefore = side === 'left' || side === 'top';
  const target = node.parts[at];
  if (target === undefined) return node;
  if (node.direction !== direction) {
    const both = insertBeside(target, side, makeAdded, newId);
    return { ...node, parts: node.parts.toSpliced(at, 1, both) };
  }
  const half = (node.shares[at] ?? 0) / 2;
  const added = makeAdded();
  // A part is never a split of the same direction.
  const same = isSplit(added) && added.direction === direction ? added : null;
  const parts = same?.parts ?? [added];
  const shares = (same?.shares ?? [1]).map((share) => share * half);
  return {
    ...node,
    parts: node.parts.toSpliced(at, 1, ...(isBefore ? [...parts, target] : [target, ...parts])),
    shares: node.shares.toSpliced(at, 1, ...(isBefore ? [...shares, half] : [half, ...shares])),
  };
}

/** A split of a part and what is put beside it. */
const insertBeside = (target: LayoutNode, side: Side, makeAdded: () => LayoutNode, newId: () => string): Split =>
  insert(
    {
      id: newId(),
      direction: side === 'left' || side === 'right' ? 'row' : 'column',
      parts: [target],
      shares: [1],
    },
    0,
    side,
    makeAdded,
    newId,
  );

/** Puts `added` beside the pane with this id, if it is in the tree. All other panes keep their places. */
function besidePane(
  root: LayoutNode,
  paneId: string,
  side: Side,
  added: (pane: Pane) => LayoutNode,
  newId: () => string,
): LayoutNode {
  if (!isSplit(root)) return root.id === paneId ? insertBeside(root, side, () => added(root), newId) : root;
  const at = root.parts.findIndex((part) => !isSplit(part) && part.id === paneId);
  const pane = root.parts[at];
  if (pane !== undefined && !isSplit(pane)) return insert(root, at, side, () => added(pane), newId);
  return {
    ...root,
    parts: root.parts.map((part) => (isSplit(part) ? besidePane(part, paneId, side, added, newId) : part)),
  };
}

/** Adds a pane of the same target after that one: to its right in a row, below it in a column. */
export function split(layout: Layout, paneId: string, direction: Direction, newId: () => string): Layout {
  const side = direction === 'row' ? 'right' : 'bottom';
  const added = (pane: Pane): Pane => paneBeside(pane, newId());
  return {
    ...layout,
    tabs: layout.tabs.map((tab) => ({ ...tab, root: besidePane(tab.root, paneId, side, added, newId) })),
  };
}

/** Puts all panes of a tab beside a pane of another one, which is shown then. Within one tab nothing changes. */
export function joinTab(layout: Layout, tabId: string, paneId: string, side: Side, newId: () => string): Layout {
  const moved = layout.tabs.find(({ id }) => id === tabId);
  const into = layout.tabs.find(({ root }) => panesOf(root).some(({ id }) => id === paneId));
  if (moved === undefined || into === undefined || moved === into) return layout;
  const tabs = layout.tabs
    .filter((tab) => tab !== moved)
    .map((tab) => (tab === into ? { ...tab, root: besidePane(tab.root, paneId, side, () => moved.root, newId) } : tab));
  return { tabs, active: into.id };
}

/** Moves one of several panes into a tab of its own, after that tab, and shows it. */
export function separate(layout: Layout, paneId: string, newId: () => string): Layout {
  const at = layout.tabs.findIndex(({ root }) => isSplit(root) && panesOf(root).some(({ id }) => id === paneId));
  const pane = layout.tabs[at] && panesOf(layout.tabs[at].root).find(({ id }) => id === paneId);
  if (pane === undefined) return layout;
  const tab: Tab = { id: newId(), root: pane };
  return { tabs: without(layout, [paneId]).tabs.toSpliced(at + 1, 0, tab), active: tab.id };
}

const onPane = (layout: Layout, paneId: string, change: (pane: Pane) => Pane): Layout =>
  mapPanes(layout, (pane) => (pane.id === paneId ? change(pane) : pane));

/** The shell of a pane has started. */
export const begun = (layout: Layout, paneId: string, session: string): Layout =>
  onPane(layout, paneId, (pane) => ({ ...pane, session, ended: null }));

/** The shell of a pane has ended. The pane stays, and offers the next shell. */
export const withEnd = (layout: Layout, paneId: string, end: ShellEnd): Layout =>
  onPane(layout, paneId, (pane) => ({ ...pane, ended: end }));

/** Notes the names of Pods, by their ids, at their panes. Returns `layout` itself if it has them all. */
export function withPodNames(layout: Layout, names: ReadonlyMap<string, string>): Layout {
  const newName = ({ kind, targetId, name }: Pane): string | null => {
    const now = kind === 'pod' ? names.get(targetId) : undefined;
    return now === undefined || now === name ? null : now;
  };
  if (!layout.tabs.some(({ root }) => panesOf(root).some((pane) => newName(pane) !== null))) return layout;
  return mapPanes(layout, (pane) => ({ ...pane, name: newName(pane) ?? pane.name }));
}

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
