/**
 * A dialog with a form. As a sheet, it asks before what a person typed there is lost. A dialog with one short field, such
 * as a name, is a plain `Modal`: to type it again takes less than the question.
 */
import type { ReactNode } from 'react';
import { Modal } from '@mantine/core';
import { useTypedText } from './useTypedText.tsx';

interface FormDialogProps {
  opened: boolean;
  /** Called by Escape, by the button with the cross and by a click beside the dialog, after the question if there is one. */
  onClose: () => void;
  title: ReactNode;
  /** Its width in CSS pixels. */
  size: number;
  /** Whether neither Escape nor a click beside it closes the dialog. */
  isFixed?: boolean;
  children: ReactNode;
}

export function FormDialog({ opened, onClose, title, size, isFixed = false, children }: FormDialogProps) {
  const { watch, isAsking, close, question } = useTypedText(opened, onClose);
  return (
    <>
      <Modal
        opened={opened}
        onClose={close}
        closeOnEscape={!isFixed && !isAsking}
        closeOnClickOutside={!isFixed}
        title={title}
        size={size}
      >
        <div {...watch}>{children}</div>
      </Modal>
      {question}
    </>
  );
}
