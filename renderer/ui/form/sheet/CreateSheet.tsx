/** A sheet with a form for a record. It asks before what a person typed there is lost. */
import { useRef, useState, type FocusEvent, type InputEvent, type ReactNode } from 'react';
import { Drawer } from '@mantine/core';
import { useOverlays } from '../../../state/overlays.ts';
import { useFocusBack } from '../../keyboard/useFocusBack.ts';
import { ConfirmDialog } from '../../primitives/ConfirmDialog.tsx';
import sheet from '../sheet.module.css';
import { t } from '../../../language/text.ts';

interface CreateSheetProps {
  opened: boolean;
  /** Called by Escape, by the button with the cross and by a click beside the sheet, after the question if there is one. */
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
}

type TextField = HTMLInputElement | HTMLTextAreaElement;

const isTextField = (target: EventTarget): target is TextField =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && !['checkbox', 'radio', 'file', 'range'].includes(target.type));

/**
 * Notes the fields that a person types in, with their values before. A field that has left the page does not count: its
 * form was sent, or another one is in its place.
 */
function useTypedFields() {
  const before = useRef(new Map<TextField, string>());
  const typed = useRef(new Set<TextField>());
  return {
    onFocusCapture({ target }: FocusEvent) {
      if (isTextField(target) && !before.current.has(target)) before.current.set(target, target.value);
    },
    onInputCapture({ target }: InputEvent) {
      if (isTextField(target)) typed.current.add(target);
    },
    hasTyped: () => [...typed.current].some((field) => field.isConnected && field.value !== before.current.get(field)),
    forget() {
      before.current.clear();
      typed.current.clear();
    },
  };
}

export function CreateSheet({ opened, onClose, title, children }: CreateSheetProps) {
  const hasPathDialog = useOverlays((overlays) => overlays.pathDialog);
  const [isAsking, setAsking] = useState(false);
  const { hasTyped, forget, ...watch } = useTypedFields();
  const close = () => {
    setAsking(false);
    forget();
    onClose();
  };
  if (!opened && isAsking) setAsking(false);
  useFocusBack(opened);
  return (
    <>
      <Drawer
        opened={opened}
        // A dialog above the sheet takes Escape.
        closeOnEscape={!hasPathDialog && !isAsking}
        onClose={() => (hasTyped() ? setAsking(true) : close())}
        position="right"
        size={560}
        title={title}
        classNames={{ content: sheet.sheet ?? '', header: sheet.head ?? '', body: sheet.body ?? '' }}
      >
        <div className={sheet.watched} {...watch}>
          {children}
        </div>
      </Drawer>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t`Close without saving?`}
        action={t`Discard what was typed`}
        dismiss={t`Go on editing`}
        busy={false}
        problem={null}
        onConfirm={close}
      >
        <p>{t`What you typed in this form is lost then.`}</p>
      </ConfirmDialog>
    </>
  );
}
