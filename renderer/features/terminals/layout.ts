/** The layout of terminals: tabs of panes, stored in this browser, and joined with the sessions of the engine. */
import type { TerminalSession } from '#contract/local/terminal.ts';

export type TerminalTarget = Pick<TerminalSession, 'kind' | 'targetId'>;

export interface Pane extends TerminalTarget {
  /** A unique id. */
  id: string;
  /** Null until its shell has started. */
  session: string | null;
}

export interface Tab {
  id: string;
  panes: Pane[];
  /** Panes side by side, or one below the other. */
  direction: 'row' | 'column';
}

export interface Layout {
  tabs: Tab[];
  /** The id of the visible tab. */
  active: string | null;
}

export const emptyLayout: Layout = { tabs: [], active: null };

/** Removes panes whose session has ended, and adds a tab for each session without a pane. */
export function joined(layout: Layout, sessions: readonly TerminalSession[], newId: () => string): Layout {
  const there = new Map(sessions.map((session) => [session.id, session]));
  const isThere = ({ session }: Pane): boolean => session !== null && there.has(session);
  const tabs = layout.tabs
    .map((tab) => ({ ...tab, panes: tab.panes.filter(isThere) }))
    .filter(({ panes }) => panes.length > 0);
  const shown = new Set(tabs.flatMap(({ panes }) => panes.map(({ session }) => session)));
  for (const { id, kind, targetId } of sessions) {
    if (!shown.has(id)) tabs.push(tabOf({ kind, targetId }, newId, id));
  }
  const active = tabs.some(({ id }) => id === layout.active) ? layout.active : (tabs[0]?.id ?? null);
  return { tabs, active };
}

export const tabOf = (target: TerminalTarget, newId: () => string, session: string | null = null): Tab => ({
  id: newId(),
  panes: [{ ...target, id: newId(), session }],
  direction: 'row',
});

/** Adds and shows a new tab with one pane. */
export function withTab(layout: Layout, target: TerminalTarget, newId: () => string): Layout {
  const tab = tabOf(target, newId);
  return { tabs: [...layout.tabs, tab], active: tab.id };
}

/** Adds a pane of the same target after that one. */
export function split(layout: Layout, paneId: string, direction: Tab['direction'], newId: () => string): Layout {
  return onTab(layout, paneId, (tab) => ({
    ...tab,
    direction,
    panes: tab.panes.flatMap((pane) => (pane.id === paneId ? [pane, { ...pane, id: newId(), session: null }] : [pane])),
  }));
}

export const begun = (layout: Layout, paneId: string, session: string): Layout =>
  onTab(layout, paneId, (tab) => ({
    ...tab,
    panes: tab.panes.map((pane) => (pane.id === paneId ? { ...pane, session } : pane)),
  }));

/** Removes a pane. Its tab is removed with the last pane, and the neighbour is shown. */
export function without(layout: Layout, paneId: string): Layout {
  const at = layout.tabs.findIndex(({ panes }) => panes.some(({ id }) => id === paneId));
  const less = onTab(layout, paneId, (tab) => ({ ...tab, panes: tab.panes.filter(({ id }) => id !== paneId) }));
  const tabs = less.tabs.filter(({ panes }) => panes.length > 0);
  const isThere = tabs.some(({ id }) => id === less.active);
  return { tabs, active: isThere ? less.active : (tabs[Math.min(at, tabs.length - 1)]?.id ?? null) };
}

const onTab = (layout: Layout, paneId: string, change: (tab: Tab) => Tab): Layout => ({
  ...layout,
  tabs: layout.tabs.map((tab) => (tab.panes.some(({ id }) => id === paneId) ? change(tab) : tab)),
});
