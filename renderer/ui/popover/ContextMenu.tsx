/** The menu of a row, at the pointer or, by the menu key, at the row. */
import type { ReactNode } from 'react';
import { Menu } from '@mantine/core';
import { useFocusBack } from '../keyboard/useFocusBack.ts';
import styles from './contextMenu.module.css';

interface ContextMenuProps {
  /** Its name: "Actions for trainer". */
  label: string;
  /** Where it opens, in pixels of the window. */
  at: { x: number; y: number };
  onClose: () => void;
  children: ReactNode;
}

export function ContextMenu({ label, at, onClose, children }: ContextMenuProps) {
  useFocusBack(true);
  return (
    <Menu opened onClose={onClose} position="bottom-start" withinPortal offset={2}>
      <Menu.Target>
        {/* The menu is named after its target. */}
        <div role="group" aria-label={label} className={styles.place} style={{ left: at.x, top: at.y }} />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
