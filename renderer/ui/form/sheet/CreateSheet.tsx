/** A sheet with a form for a record. It asks before what a person typed there is lost. */
import { useEffect, type ReactNode } from 'react';
import { Drawer } from '@mantine/core';
import { useOverlays } from '../../../state/overlays.ts';
import { useFocusBack } from '../../keyboard/useFocusBack.ts';
import sheet from '../sheet.module.css';
import { useTypedText } from './useTypedText.tsx';

interface CreateSheetProps {
  opened: boolean;
  /** Called by Escape, by the button with the cross and by a click beside the sheet, after the question if there is one. */
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
}

/** Marks the document, so that notices do not cover the actions of the sheet. */
function useMark(opened: boolean): void {
  useEffect(() => {
    document.documentElement.toggleAttribute('data-sheet', opened);
    return () => document.documentElement.removeAttribute('data-sheet');
  }, [opened]);
}

export function CreateSheet({ opened, onClose, title, children }: CreateSheetProps) {
  const hasDialogAbove = useOverlays((overlays) => overlays.dialogAbove);
  const { watch, isAsking, close, question } = useTypedText(opened, onClose);
  useFocusBack(opened);
  useMark(opened);
  return (
    <>
      <Drawer
        opened={opened}
        // A dialog above the sheet takes Escape.
        closeOnEscape={!hasDialogAbove && !isAsking}
        onClose={close}
        position="right"
        size={560}
        title={title}
        classNames={{ content: sheet.sheet ?? '', header: sheet.head ?? '', body: sheet.body ?? '' }}
      >
        <div className={sheet.watched} {...watch}>
          {children}
        </div>
      </Drawer>
      {question}
    </>
  );
}
