/** The confirmation before something is stopped or destroyed. For permanent loss, the person types its name. */
import { useEffect, useState, type ReactNode } from 'react';
import { Button, Modal, TextInput } from '@mantine/core';
import { Notice } from './Notice.tsx';
import dialog from '../theme/dialog.module.css';
import styles from './confirmDialog.module.css';
import { ReasonButton } from '../popover/ReasonButton.tsx';
import { rich, t } from '../../language/text.ts';

interface ConfirmDialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** The text of the button. */
  action: string;
  /** The text of the button that changes nothing, where "Cancel" could mean the action. */
  dismiss?: string;
  /** The text that must be typed; without it, a click is enough. */
  typed?: string;
  /** Another way to go on, which loses nothing. */
  other?: { label: string; onChoose: () => void };
  busy: boolean;
  /** Why the action failed. */
  problem: string | null;
  onConfirm: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened } = props;
  // React renders between two listeners of one event: the Escape that opens the question would also close it.
  const [takesEscape, setTakesEscape] = useState(false);
  // At once, because the next Escape may open it again before a timer has run.
  if (!opened && takesEscape) setTakesEscape(false);
  useEffect(() => {
    if (!opened) return;
    const afterEvent = setTimeout(() => setTakesEscape(true));
    return () => clearTimeout(afterEvent);
  }, [opened]);
  return (
    <Modal opened={opened} onClose={props.onClose} closeOnEscape={takesEscape} title={props.title} size={460}>
      {opened && <Question {...props} />}
    </Modal>
  );
}

function Question(props: ConfirmDialogProps) {
  const { onClose, children, action, dismiss, typed, other, busy, problem, onConfirm } = props;
  const [text, setText] = useState('');
  const ready = typed === undefined || text === typed;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready && !busy) onConfirm();
      }}
    >
      <div className={dialog.words}>{children}</div>
      {typed !== undefined && (
        <TextInput
          className={styles.typed}
          label={<>{rich`Type ${<code>{typed}</code>} to confirm`}</>}
          value={text}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      {problem !== null && (
        <div className={styles.problem}>
          <Notice tone="bad" title={t`Not done.`}>
            {problem}
          </Notice>
        </div>
      )}
      <div className={dialog.answers}>
        <Button variant="default" data-autofocus={typed === undefined || undefined} onClick={onClose}>
          {dismiss ?? t`Cancel`}
        </Button>
        {other !== undefined && (
          <Button variant="default" onClick={other.onChoose}>
            {other.label}
          </Button>
        )}
        <ReasonButton
          type="submit"
          className={dialog.danger ?? ''}
          loading={busy}
          whyNot={ready ? null : t`Type ${typed} first.`}
        >
          {action}
        </ReasonButton>
      </div>
    </form>
  );
}
