/** The tabs of terminals: named by their shells, moved by dragging, also into a pane of another tab, closed by their ✕. */
import type { KeyboardEvent } from 'react';
import { X } from 'lucide-react';
import { panesOf, type Tab } from '../../ui/terminal/layout.ts';
import styles from './terminals.module.css';
import { t } from '../../language/text.ts';

export interface TabStripProps {
  tabs: readonly Tab[];
  /** The id of the visible tab. */
  active: string | null;
  /** What the tab shows, and where its shells run. */
  namesOf: (tab: Tab) => { title: string; place: string };
  onSelect: (tabId: string) => void;
  onClose: (tab: Tab) => void;
  /** To the place `to`, counted without the tab. */
  onMove: (tabId: string, to: number) => void;
  /** Whether a tab shows one of its panes alone. */
  isAlone: (tab: Tab) => boolean;
  /** The id of the tab that is being dragged. */
  dragged: string | null;
  /** A drag of a tab begins, or ends wherever it was dropped (null). */
  onDrag: (tabId: string | null) => void;
  onMenu: (tab: Tab, at: { x: number; y: number }) => void;
}

export function TabStrip(props: TabStripProps) {
  const { tabs, active, namesOf, onSelect, onClose, onMove, isAlone, dragged, onDrag, onMenu } = props;
  const select = (index: number): void => {
    const tab = tabs[Math.min(Math.max(index, 0), tabs.length - 1)];
    if (tab === undefined) return;
    onSelect(tab.id);
    document.getElementById(`tab-${tab.id}`)?.focus();
  };
  const onKey = (event: KeyboardEvent, tab: Tab, index: number): void => {
    const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (event.key === 'Delete') onClose(tab);
    else if (to === undefined) return;
    else if (event.altKey) onMove(tab.id, Math.min(Math.max(to, 0), tabs.length - 1));
    else select(to);
    event.preventDefault();
  };
  return (
    <div className={styles.tabs} role="tablist" aria-label={t`Terminals`}>
      {tabs.map((tab, index) => {
        const { title, place } = namesOf(tab);
        const count = panesOf(tab.root).length;
        return (
          <div
            key={tab.id}
            role="presentation"
            className={styles.tab}
            draggable
            data-active={tab.id === active || undefined}
            data-dragged={tab.id === dragged || undefined}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              event.dataTransfer.setData('text/plain', title);
              onDrag(tab.id);
            }}
            onDragOver={(event) => {
              if (dragged === null) return;
              event.preventDefault();
              if (dragged !== tab.id) onMove(dragged, index);
            }}
            onDrop={(event) => event.preventDefault()}
            onDragEnd={() => onDrag(null)}
            onContextMenu={(event) => {
              event.preventDefault();
              onMenu(tab, { x: event.clientX, y: event.clientY });
            }}
            onAuxClick={(event) => event.button === 1 && onClose(tab)}
          >
            <button
              type="button"
              role="tab"
              id={`tab-${tab.id}`}
              aria-selected={tab.id === active}
              tabIndex={tab.id === active ? 0 : -1}
              title={title === place ? place : `${title}\n${place}`}
              onClick={() => onSelect(tab.id)}
              onKeyDown={(event) => onKey(event, tab, index)}
            >
              <span>{title}</span>
              {/* The space keeps the count apart from the title where it is read aloud. */}
              {count > 1 && ' '}
              {count > 1 && <em>{isAlone(tab) ? t`1 of ${count}` : count}</em>}
            </button>
            {/* For the mouse: the keyboard has Delete and the command, and a list of tabs may hold nothing but tabs. */}
            <button
              type="button"
              aria-hidden
              tabIndex={-1}
              className={styles.tabClose}
              title={t`Close the tab ${title}`}
              onClick={() => onClose(tab)}
            >
              <X size={12} />
            </button>
          </div>
        );
      })}
    </div>
  );
}
