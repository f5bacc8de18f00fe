/** Which terminals are shown where: tabs of panes, kept in this browser, and joined with the sessions that the engine has. */
import type { TerminalSession } from '#contract/local/terminal.ts';

export type TerminalTarget = Pick<TerminalSession, 'kind' | 'targetId'>;

export interface Pane extends TerminalTarget {
  /** Unlike that of every other pane. */
  id: string;
  /** Null until its shell has begun. */
  session: string | null;
}

export interface Tab {
  id: string;
  panes: Pane[];
  /** Panes beside, or below each other. */
  direction: 'row' | 'column';
}

export interface Layout {
  tabs: Tab[];
  /** Of the tab that is shown. */
  active: string | null;
}

export const emptyLayout: Layout = { tabs: [], active: null };

/** Panes whose session has ended meanwhile go; sessions that no pane shows get a tab each. */
export function joined(kept: Layout, sessions: readonly TerminalSession[], newId: () => string): Layout {
  const there = new Map(sessions.map((session) => [session.id, session]));
  const isThere = ({ session }: Pane): boolean => session !== null && there.has(session);
  const tabs = kept.tabs
    .map((tab) => ({ ...tab, panes: tab.panes.filter(isThere) }))
    .filter(({ panes }) => panes.length > 0);
  const shown = new Set(tabs.flatMap(({ panes }) => panes.map(({ session }) => session)));
  for (const { id, kind, targetId } of sessions) {
    if (!shown.has(id)) tabs.push(tabOf({ kind, targetId }, newId, id));
  }
  const active = tabs.some(({ id }) => id === kept.active) ? kept.active : (tabs[0]?.id ?? null);
  return { tabs, active };
}

export const tabOf = (target: TerminalTarget, newId: () => string, session: string | null = null): Tab => ({
  id: newId(),
  panes: [{ ...target, id: newId(), session }],
  direction: 'row',
});

/** Another pane of the same target behind that one. */
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

/** A tab goes with its last pane; its neighbour is shown then. */
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
