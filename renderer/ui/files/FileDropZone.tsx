/** A frame that accepts dropped files and folders: for the open folder, or for the folder of the row under the pointer. */
import type { DragEvent, ReactNode } from 'react';
import { readDrop, type Dropped } from './droppedFiles.ts';
import { readGrantedFolder } from './grantedFolder.ts';
import styles from './files.module.css';
import { t } from '../../language/text.ts';

interface FileDropZoneProps {
  isEnabled: boolean;
  /** The folder that is open. */
  path: string;
  /** The folder that would take the drop; null while nothing is dragged over the frame. */
  over: string | null;
  /** The folder that takes what is dropped on the row with this name, or elsewhere (null). */
  folderAt: (name: string | null) => string;
  onOver: (folder: string | null) => void;
  /** Uploads into a folder. */
  bringTo: (folder: string) => (dropped: Dropped) => void;
  children: ReactNode;
}

/** The name in the row under the pointer; null where there is none. */
const nameUnder = ({ target }: DragEvent): string | null =>
  (target instanceof Element ? target.closest<HTMLElement>('[data-row]')?.dataset['row'] : null) ?? null;

export function FileDropZone({ isEnabled, path, over, folderAt, onOver, bringTo, children }: FileDropZoneProps) {
  const isOver = over !== null;
  return (
    <div
      className={styles.browser}
      data-over={over === path || undefined}
      onDragOver={(event) => {
        if (!isEnabled) return;
        event.preventDefault();
        onOver(folderAt(nameUnder(event)));
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
        if (!isInside) onOver(null);
      }}
      onDrop={(event) => {
        event.preventDefault();
        onOver(null);
        if (isEnabled) void readDrop(event.dataTransfer, readGrantedFolder).then(bringTo(folderAt(nameUnder(event))));
      }}
    >
      {isOver && (
        <p className={styles.dropHere}>
          {over === path
            ? t`Drop to upload into this folder`
            : t`Drop to upload into ${over.slice(over.lastIndexOf('/') + 1)}`}
        </p>
      )}
      <div className={styles.scroll}>{children}</div>
    </div>
  );
}
