/** A drag of a tab, which ends among the other tabs or at a side of a pane. */
import { useState } from 'react';
import type { Pane, Side, Tab } from '../../ui/terminal/layout.ts';
import type { TerminalPanes } from '../../ui/terminal/useTerminalPanes.ts';

/** `tabs`: in the order of the row. */
export function useTabDrag(panes: TerminalPanes, tabs: readonly Tab[]) {
  const [dragged, setDragged] = useState<string | null>(null);
  /** The tab that gave way to another one, because it was dragged over its own panes. */
  const [hidden, setHidden] = useState<Tab | null>(null);
  return {
    dragged,
    onDrag: (tabId: string | null) => {
      setDragged(tabId);
      setHidden(null);
      // It was dropped nowhere.
      if (tabId === null && hidden !== null && tabs.includes(hidden)) panes.select(hidden);
    },
    /** Shows the tab beside it, whose panes can take the dragged one. */
    onOwnTab: () => {
      const at = tabs.findIndex(({ id }) => id === dragged);
      const other = tabs[at - 1] ?? tabs[at + 1];
      if (at < 0 || other === undefined) return;
      setHidden(tabs[at] ?? null);
      panes.select(other);
    },
    /** A dragged element that leaves the page reports no end of its drag. */
    onDropTab: (tabId: string, pane: Pane, side: Side) => {
      setDragged(null);
      setHidden(null);
      panes.join(tabId, pane, side);
    },
  };
}

export type TabDrag = ReturnType<typeof useTabDrag>;
