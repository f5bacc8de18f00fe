/** The bar of actions on the selected rows of a grid. It lies over the titles of the columns, so that no row moves. */
import type { ReactNode } from 'react';
import { ClearSelection } from '../popover/ClearSelection.tsx';
import { Strip } from '../scroll/Strip.tsx';
import styles from './selectionBar.module.css';

interface SelectionBarProps {
  /** "Selected jobs". */
  label: string;
  /** "3 selected". */
  count: ReactNode;
  onClear: () => void;
  /** The buttons. They scroll sideways where they have no room. */
  children: ReactNode;
}

/** Stands directly before the grid. */
export function SelectionBar({ label, count, onClear, children }: SelectionBarProps) {
  return (
    <div className={styles.bar} role="toolbar" aria-label={label}>
      <Strip>
        <div className={styles.content}>
          <ClearSelection onClear={onClear} />
          <span>{count}</span>
          {children}
        </div>
      </Strip>
    </div>
  );
}
