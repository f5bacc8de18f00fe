/** One row of a grid: its place in the list, its checkbox, and what the pointer does on it. */
import type { ReactNode, SyntheticEvent } from 'react';
import grid from '../primitives/dataGrid.module.css';
import ticks from '../primitives/tick.module.css';
import type { GridChoice } from './rows.ts';
import { t } from '../../language/text.ts';

/**
 * `open`: a click opens the row, with Shift it selects a range. `choose`, as in a file manager: a click selects that row
 * alone, with Ctrl or Shift it adds rows, and a double click opens the row.
 */
export type RowClicks = 'open' | 'choose';

/** The keys that a person holds during a click. */
export interface ClickKeys {
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
}

interface GridRowProps<Row> {
  /** Null for a row that is not loaded. */
  id: string | null;
  elementId: string | undefined;
  index: number;
  className: string | undefined;
  /** Both in pixels. */
  top: number;
  height: number;
  row: Row | undefined;
  cells: ReactNode;
  choice: GridChoice<Row> | undefined;
  isOpen: boolean;
  isActive: boolean;
  isDropTarget: boolean;
  onClick: (keys: ClickKeys) => void;
  onDoubleClick: () => void;
  onMenu: ((row: Row, at: { x: number; y: number }) => void) | undefined;
  /** `isRange`: with Shift, for all rows up to this one. */
  onTick: (row: Row, isRange: boolean) => void;
}

/** React also passes on the events of a menu that a row has opened, which is elsewhere in the document. */
export const isInside = ({ currentTarget, target }: SyntheticEvent): boolean =>
  target instanceof Node && currentTarget.contains(target);

export function GridRow<Row>(props: GridRowProps<Row>) {
  const { id, index, row, choice, isOpen, onMenu } = props;
  return (
    <div
      id={props.elementId}
      data-row={id ?? undefined}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={row !== undefined && (choice ? choice.isChosen(row) : isOpen)}
      aria-busy={row === undefined || undefined}
      data-open={isOpen || undefined}
      data-active={props.isActive || undefined}
      data-drop={props.isDropTarget || undefined}
      className={`${grid.row} ${props.className}`}
      style={{ height: props.height, transform: `translateY(${props.top}px)` }}
      // With Shift, a click selects rows: the browser would select their text.
      onMouseDown={(event) => choice && event.shiftKey && event.preventDefault()}
      onClick={(event) => isInside(event) && props.onClick(event)}
      onDoubleClick={(event) => isInside(event) && props.onDoubleClick()}
      onContextMenu={(event) => {
        if (!onMenu || row === undefined || !isInside(event)) return;
        event.preventDefault();
        onMenu(row, { x: event.clientX, y: event.clientY });
      }}
    >
      {choice && (
        <span role="gridcell">
          {row !== undefined && (
            <Tick
              name={choice.nameOf(row)}
              isChosen={choice.isChosen(row)}
              onChoose={(isRange) => props.onTick(row, isRange)}
            />
          )}
        </span>
      )}
      {props.cells}
    </div>
  );
}

interface TickProps {
  name: string;
  isChosen: boolean;
  /** `isRange`: with Shift, for all rows up to this one. */
  onChoose: (isRange: boolean) => void;
}

function Tick({ name, isChosen, onChoose }: TickProps) {
  return (
    <input
      type="checkbox"
      className={ticks.tick}
      tabIndex={-1}
      aria-label={t`Select ${name}`}
      checked={isChosen}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onChange={({ nativeEvent }) => onChoose(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  );
}
