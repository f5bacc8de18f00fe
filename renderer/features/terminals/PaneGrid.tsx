/**
 * The panes of one tab and the dividers between them. The panes are one flat list in places of their own, and not
 * nested as the tree is: a terminal whose place in the tree changes would otherwise be made anew.
 */
import { useRef, type CSSProperties, type PointerEvent, type ReactNode } from 'react';
import { geometryOf, type Area, type Divider } from './geometry.ts';
import { panesOf, type Pane, type Side, type Tab } from '../../ui/terminal/layout.ts';
import { TabDrop } from './TabDrop.tsx';
import styles from './terminals.module.css';
import { t } from '../../language/text.ts';

interface PaneGridProps {
  tab: Tab;
  isShown: boolean;
  /** True: what is typed goes to all panes of the tab. */
  isBroadcast: boolean;
  /** The pane that keys and tools act on; null: none of this tab. Marked only among several. */
  focusedId: string | null;
  /** The pane that is shown alone, in the whole tab; null: all are shown. */
  aloneId: string | null;
  /** The id of the tab that is being dragged. */
  draggedTab: string | null;
  /** This tab itself is dragged over its panes, where it cannot be dropped. */
  onOwnTab: () => void;
  /** A tab was dropped at this side of a pane. */
  onDropTab: (tabId: string, pane: Pane, side: Side) => void;
  /** Moves the boundary after the part `index` by a share of its split. */
  onResize: (splitId: string, index: number, by: number) => void;
  children: (pane: Pane) => ReactNode;
}

const WHOLE: Area = { left: 0, top: 0, width: 1, height: 1 };
const percent = (fraction: number): string => `${(fraction * 100).toFixed(3)}%`;
const placeOf = ({ left, top, width, height }: Area): CSSProperties => ({
  left: percent(left),
  top: percent(top),
  width: percent(width),
  height: percent(height),
});

export function PaneGrid({
  tab,
  isShown,
  isBroadcast,
  focusedId,
  aloneId,
  onResize,
  children,
  ...drag
}: PaneGridProps) {
  const { draggedTab, onOwnTab, onDropTab } = drag;
  const grid = useRef<HTMLDivElement>(null);
  const { panes, dividers } = geometryOf(tab.root);
  /** The length of the tab in this direction, in pixels. */
  const lengthOf = ({ direction }: Divider): number => {
    const { clientWidth, clientHeight } = grid.current ?? { clientWidth: 0, clientHeight: 0 };
    return direction === 'row' ? clientWidth : clientHeight;
  };
  return (
    <div
      ref={grid}
      role="tabpanel"
      aria-labelledby={`tab-${tab.id}`}
      className={styles.panes}
      data-broadcast={isBroadcast || undefined}
      hidden={!isShown}
      onDragEnter={() => draggedTab === tab.id && onOwnTab()}
    >
      {panesOf(tab.root).map((pane) => {
        const area = pane.id === aloneId ? WHOLE : panes.get(pane.id);
        const isHidden = aloneId !== null && pane.id !== aloneId;
        return (
          area && (
            <div
              key={pane.id}
              className={styles.place}
              style={placeOf(area)}
              data-focused={(pane.id === focusedId && panes.size > 1 && aloneId === null) || undefined}
              hidden={isHidden}
            >
              {children(pane)}
              {draggedTab !== null && draggedTab !== tab.id && (
                <TabDrop onDrop={(side) => onDropTab(draggedTab, pane, side)} />
              )}
            </div>
          )
        );
      })}
      {(aloneId === null ? dividers : []).map((divider) => (
        <Handle
          key={`${divider.splitId}-${divider.index}`}
          divider={divider}
          onMove={(pixels) => {
            const length = lengthOf(divider) * divider.extent;
            if (length > 0) onResize(divider.splitId, divider.index, pixels / length);
          }}
          onStep={(share) => onResize(divider.splitId, divider.index, share)}
        />
      ))}
    </div>
  );
}

interface HandleProps {
  divider: Divider;
  /** By so many pixels to the right or down. */
  onMove: (pixels: number) => void;
  /** By this share of the split. */
  onStep: (share: number) => void;
}

const STEP = 0.03;

function Handle({ divider: { direction, area, share }, onMove, onStep }: HandleProps) {
  const last = useRef<number | null>(null);
  const isRow = direction === 'row';
  const at = (event: PointerEvent): number => (isRow ? event.clientX : event.clientY);
  const drag = (event: PointerEvent): void => {
    if (last.current === null) return;
    const now = at(event);
    onMove(now - last.current);
    last.current = now;
  };
  const end = (): void => {
    last.current = null;
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={t`Resize the panes`}
      aria-orientation={isRow ? 'vertical' : 'horizontal'}
      aria-valuenow={Math.round(share * 100)}
      className={styles.divider}
      data-direction={direction}
      style={placeOf(area)}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        last.current = at(event);
      }}
      onPointerMove={drag}
      onPointerUp={end}
      onPointerCancel={end}
      onKeyDown={({ key }) => {
        if (key === (isRow ? 'ArrowLeft' : 'ArrowUp')) onStep(-STEP);
        if (key === (isRow ? 'ArrowRight' : 'ArrowDown')) onStep(STEP);
      }}
    />
  );
}
