/**
 * What a person does with the tabs and panes of an account: open, split, close with a question and an undo, move, type
 * into several.
 */
import { useRef, useState } from 'react';
import { api } from '../../client/transport/orpc.ts';
import { offerUndo } from '../undo/offerUndo.tsx';
import { t } from '../../language/text.ts';
import { isTypedByPerson } from './broadcast.ts';
import {
  isSplit,
  joinTab,
  moveTab,
  panesOf,
  resize,
  separate,
  split,
  treeOf,
  without,
  withTab,
  withTabBeside,
  type Direction,
  type Layout,
  type Pane,
  type Side,
  type Tab,
  type TerminalTarget,
} from './layout.ts';
import type { PaneHandle } from './pane/TerminalPane.tsx';
import { runningIn, type Running } from './runningPrograms.ts';
import { changeLayout, layoutNow } from './terminalStore.ts';
import { newId } from '../../client/newId.ts';

/** Panes that a person wants to close, although something runs in them or may run. */
export interface Closing extends Running {
  panes: Pane[];
  title: string;
}

/** Puts closed panes back: in their old places if nothing has changed since, otherwise as a tab. */
function putBack(now: Layout, { before, after, panes }: { before: Layout; after: Layout; panes: Pane[] }): Layout {
  if (now === after) return before;
  const tab: Tab = { id: newId(), root: treeOf(panes, 'row', newId()) };
  return { tabs: [...now.tabs, tab], active: tab.id };
}

/** Which panes are shown alone in their tabs. `shown`: the panes of the active tab. */
function useAlone(shown: readonly Pane[]) {
  const [aloneIds, setAlone] = useState<readonly string[]>([]);
  return {
    aloneIn: ({ root }: Tab): Pane | null =>
      (isSplit(root) ? panesOf(root).find(({ id }) => aloneIds.includes(id)) : undefined) ?? null,
    /** Shows this pane of the active tab alone; null: all of them. */
    showAlone: (pane: Pane | null) => {
      const others = aloneIds.filter((id) => !shown.some((one) => one.id === id));
      setAlone(pane === null ? others : [...others, pane.id]);
    },
  };
}

/** Closes panes, after a question where it matters, and with an undo. `onRemove`: called before panes leave. */
function useClosing(accountId: string, change: (edit: (before: Layout) => Layout) => void, onRemove: () => void) {
  const [closing, setClosing] = useState<Closing | null>(null);
  /** Ends the shells once the undo has gone, because a shell without a pane would continue invisibly. */
  const remove = (panes: Pane[], title: string) => {
    const before = layoutNow(accountId);
    const there = before.tabs.flatMap(({ root }) => panesOf(root)).map(({ id }) => id);
    // A second press of the same button.
    if (!panes.some(({ id }) => there.includes(id))) return;
    onRemove();
    change((now) =>
      without(
        now,
        panes.map(({ id }) => id),
      ),
    );
    const after = layoutNow(accountId);
    offerUndo(
      t`Closed ${title}`,
      () => change((now) => putBack(now, { before, after, panes })),
      () => {
        for (const { session } of panes) {
          // A terminal that has already ended no longer exists.
          if (session !== null) void api.terminals.close({ accountId, session }).catch(() => undefined);
        }
      },
    );
  };

  /** Asks first if something runs in them, or if that is not known. */
  const close = (panes: Pane[], title: string) => {
    void runningIn(accountId, panes).then((running) => {
      if (running.programs.length === 0 && running.unknownCount === 0) remove(panes, title);
      else setClosing({ panes, title, ...running });
    });
  };
  const answerClosing = (isWanted: boolean) => {
    if (isWanted && closing !== null) remove(closing.panes, closing.title);
    setClosing(null);
  };
  return { closing, close, answerClosing };
}

/** `layout`: the tabs and panes of the account as they are stored now. Each action stores the next layout. */
export function useTerminalPanes(accountId: string, layout: Layout) {
  const [focusedId, setFocused] = useState<string | null>(null);
  /** The tab in which typed text goes to all panes. */
  const [broadcastId, setBroadcast] = useState<string | null>(null);
  /** By the id of the pane. */
  const handles = useRef(new Map<string, PaneHandle>());
  const active = layout.tabs.find(({ id }) => id === layout.active) ?? null;
  const shown = active === null ? [] : panesOf(active.root);
  const { aloneIn, showAlone } = useAlone(shown);
  const alone = active === null ? null : aloneIn(active);
  const focused = alone ?? shown.find(({ id }) => id === focusedId) ?? shown[0] ?? null;
  const change = (edit: (before: Layout) => Layout) => changeLayout(accountId, edit);

  /** After the next paint, because a tab that is not shown yet takes no focus. */
  const focus = (pane: Pane | undefined) => {
    if (pane === undefined) return;
    setFocused(pane.id);
    requestAnimationFrame(() => handles.current.get(pane.id)?.focus());
  };
  const select = (tab: Tab | undefined) => {
    if (tab === undefined) return;
    change((before) => ({ ...before, active: tab.id }));
    focus(aloneIn(tab) ?? panesOf(tab.root)[0]);
  };
  /** The next one after the last is the first. */
  const nextOf = <Item>(list: readonly Item[], index: number, by: number): Item | undefined =>
    list[(index + by + list.length) % Math.max(list.length, 1)];

  const { closing, close, answerClosing } = useClosing(accountId, change, () => {
    // A later split of the last pane must not begin to type into two by itself.
    setBroadcast(null);
  });

  return {
    active,
    focused,
    shown,
    broadcastId: active !== null && isSplit(active.root) ? broadcastId : null,
    setFocused,
    select,
    close,
    /** The question before a close; null while nothing is asked. */
    closing,
    answerClosing,
    begin: ({ kind, targetId }: TerminalTarget) => change((before) => withTab(before, { kind, targetId }, newId)),
    beginBeside: (pane: Pane) => change((before) => withTabBeside(before, pane, newId)),
    /** Shows all panes of the tab again, so that the new one is seen beside the others. */
    divide: (direction: Direction) => {
      if (focused === null) return;
      showAlone(null);
      change((before) => split(before, focused.id, direction, newId));
    },
    resize: (splitId: string, index: number, by: number) => change((before) => resize(before, splitId, index, by)),
    /** Puts the panes of another tab beside this pane, and shows all of them. */
    join: (tabId: string, pane: Pane, side: Side) => {
      const moved = layout.tabs.find(({ id }) => id === tabId);
      showAlone(null);
      change((before) => joinTab(before, tabId, pane.id, side, newId));
      focus(moved && panesOf(moved.root)[0]);
    },
    /** Moves this pane into a tab of its own. */
    separate: (pane: Pane) => {
      // A later split of what is left must not begin to type into two by itself.
      setBroadcast(null);
      showAlone(null);
      change((before) => separate(before, pane.id, newId));
      focus(pane);
    },
    move: (tabId: string, to: number) => change((before) => moveTab(before, tabId, to)),
    /** The pane that a tab shows alone; null if it shows all of them. */
    aloneIn,
    toggleAlone: () => {
      showAlone(alone === null ? focused : null);
      focus(focused ?? undefined);
    },
    /** If one pane is shown alone, the next one is shown alone in its place. */
    toPane: (by: number) => {
      const next = focused === null ? undefined : nextOf(shown, shown.indexOf(focused), by);
      if (next !== undefined && alone !== null) showAlone(next);
      focus(next);
    },
    toTab: (by: number) => active !== null && select(nextOf(layout.tabs, layout.tabs.indexOf(active), by)),
    /** The focus goes back to the pane: what is typed next is for it, or for all of them. */
    toggleBroadcast: () => {
      setBroadcast((before) => (active === null || before === active.id ? null : active.id));
      focus(focused ?? undefined);
    },
    setHandle: (paneId: string, handle: PaneHandle | null) => {
      if (handle === null) handles.current.delete(paneId);
      else handles.current.set(paneId, handle);
    },
    /** Whether this was sent to all panes of the tab. Answers of a terminal to its own program never are. */
    typeIntoAll: (tab: Tab, data: string): boolean => {
      if (tab.id !== broadcastId || !isTypedByPerson(data)) return false;
      for (const { id } of panesOf(tab.root)) handles.current.get(id)?.type(data);
      return true;
    },
  };
}

export type TerminalPanes = ReturnType<typeof useTerminalPanes>;
