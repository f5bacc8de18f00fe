/** A frame that accepts dropped files; folders are refused with a notice. */
import { useState, type DragEvent, type ReactNode } from 'react';
import { notifications } from '@mantine/notifications';
import styles from './files.module.css';
import { t } from '../../language/text.ts';

interface FileDropZoneProps {
  isEnabled: boolean;
  onDrop: (files: Iterable<File>) => void;
  children: ReactNode;
}

export function FileDropZone({ isEnabled, onDrop, children }: FileDropZoneProps) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onDrop(filesOf(event.dataTransfer));
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
      {children}
    </div>
  );
}

function filesOf({ items }: DataTransfer): File[] {
  const dropped = [...items].filter(({ kind }) => kind === 'file');
  const folders = dropped.filter((item) => item.webkitGetAsEntry()?.isDirectory === true);
  if (folders.length > 0) {
    notifications.show({
      title: t`Folders were left out`,
      message: t`Create the folder here, then drop its files.`,
      'data-tone': 'bad',
    });
  }
  return dropped.flatMap((item) => (folders.includes(item) ? [] : (item.getAsFile() ?? [])));
}
