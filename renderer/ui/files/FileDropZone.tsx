/** A frame that accepts dropped files and folders. */
import { useState, type DragEvent, type ReactNode } from 'react';
import { readDrop, type Dropped } from './droppedFiles.ts';
import { readGrantedFolder } from './grantedFolder.ts';
import styles from './files.module.css';
import { t } from '../../language/text.ts';

interface FileDropZoneProps {
  isEnabled: boolean;
  onDrop: (dropped: Dropped) => void;
  children: ReactNode;
}

export function FileDropZone({ isEnabled, onDrop, children }: FileDropZoneProps) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (isEnabled) void readDrop(event.dataTransfer, readGrantedFolder).then(onDrop);
  };
  return (
    <div
      className={styles.browser}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        if (!isEnabled) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
        if (!isInside) setOver(false);
      }}
      onDrop={drop}
    >
      {isOver && <p className={styles.dropHere}>{t`Drop to upload into this folder`}</p>}
      {children}
    </div>
  );
}
