/** A sheet with a form for a record. It asks before what a person typed there is lost. */
import type { ReactNode } from 'react';
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

export function CreateSheet({ opened, onClose, title, children }: CreateSheetProps) {
  const hasPathDialog = useOverlays((overlays) => overlays.pathDialog);
  const { watch, isAsking, close, question } = useTypedText(opened, onClose);
  useFocusBack(opened);
  return (
    <>
      <Drawer
        opened={opened}
        // A dialog above the sheet takes Escape.
        closeOnEscape={!hasPathDialog && !isAsking}
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
