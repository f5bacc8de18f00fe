/** The name of a file as a field in its row: Enter or a click elsewhere renames it, Escape leaves it. */
import { useEffect, useRef, useState, type SyntheticEvent } from 'react';
import { useMutation } from '@tanstack/react-query';
import { errorText } from '../../../client/transport/orpc.ts';
import { isOfInputMethod } from '../../keyboard/inputMethod.ts';
import { nameProblem } from '../paths.ts';
import styles from './table.module.css';
import { t } from '../../../language/text.ts';

interface RenameFieldProps {
  name: string;
  /** The other names in the folder. */
  others: readonly string[];
  /** Rejects if the name cannot be had. */
  save: (name: string) => Promise<void>;
  /** `name`: its name from now on. */
  onClose: (name: string) => void;
}

const stop = (event: SyntheticEvent): void => event.stopPropagation();

/** The pointer in the field selects no row and opens no menu of one. */
const ofTheField = { onMouseDown: stop, onClick: stop, onDoubleClick: stop, onContextMenu: stop };

export function RenameField({ name, others, save, onClose }: RenameFieldProps) {
  const [text, setText] = useState(name);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    // Without its extension, which mostly stays.
    const end = name.lastIndexOf('.');
    field.current?.setSelectionRange(0, end > 0 ? end : name.length);
    // oxlint-disable-next-line react/exhaustive-deps -- only when the field appears
  }, []);
  /** The blur of a field that goes away is no wish to rename. */
  const isOver = useRef(false);
  const saving = useMutation({
    mutationFn: () => save(text),
    onSuccess: () => {
      isOver.current = true;
      onClose(text);
    },
  });
  const problem = saving.isError ? errorText(saving.error) : nameProblem(text, others);
  const cancel = () => {
    isOver.current = true;
    onClose(name);
  };
  const finish = () => {
    if (text === name) cancel();
    else if (problem === null || saving.isError) saving.mutate();
  };
  return (
    <span className={styles.rename}>
      <input
        ref={field}
        aria-label={t`New name of ${name}`}
        aria-invalid={problem !== null}
        spellCheck={false}
        autoComplete="off"
        value={text}
        readOnly={saving.isPending}
        onChange={(event) => {
          saving.reset();
          setText(event.currentTarget.value);
        }}
        {...ofTheField}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (isOfInputMethod(event.nativeEvent)) return;
          if (event.key === 'Enter') finish();
          if (event.key !== 'Escape') return;
          // It goes no step back in the page.
          event.preventDefault();
          event.nativeEvent.stopImmediatePropagation();
          cancel();
        }}
        onBlur={() => {
          if (isOver.current || saving.isPending) return;
          if (problem === null) finish();
          else cancel();
        }}
      />
      {problem !== null && text !== name && <em role="alert">{problem}</em>}
    </span>
  );
}
