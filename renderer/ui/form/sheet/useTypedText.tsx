/** The question before what a person typed in a form is lost with its sheet or its dialog. */
import { useRef, useState, type FocusEvent, type InputEvent, type ReactNode } from 'react';
import { ConfirmDialog } from '../../primitives/ConfirmDialog.tsx';
import { t } from '../../../language/text.ts';

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

interface TypedText {
  /** Handlers for the element with the fields. */
  watch: Pick<ReturnType<typeof useTypedFields>, 'onFocusCapture' | 'onInputCapture'>;
  /** While it is true, the question takes Escape. */
  isAsking: boolean;
  /** Closes at once where nothing was typed, and else after the question. */
  close: () => void;
  /** The question, to be shown beside what it is about. */
  question: ReactNode;
}

/** `opened`: whether the sheet or the dialog is shown; `onClose`: closes it. */
export function useTypedText(opened: boolean, onClose: () => void): TypedText {
  const [isAsking, setAsking] = useState(false);
  const { hasTyped, forget, ...watch } = useTypedFields();
  const discard = () => {
    setAsking(false);
    forget();
    onClose();
  };
  if (!opened && isAsking) setAsking(false);
  return {
    watch,
    isAsking,
    close: () => (hasTyped() ? setAsking(true) : discard()),
    question: (
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t`Close without saving?`}
        action={t`Discard what was typed`}
        dismiss={t`Go on editing`}
        busy={false}
        problem={null}
        onConfirm={discard}
      >
        <p>{t`What you typed in this form is lost then.`}</p>
      </ConfirmDialog>
    ),
  };
}
