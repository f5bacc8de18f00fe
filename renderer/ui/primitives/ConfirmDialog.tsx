/** Asks before something is stopped or destroyed: what will happen, and, for what cannot be brought back, its name typed. */
import { useState, type ReactNode } from 'react';
import { Button, Modal, TextInput } from '@mantine/core';
import { Notice } from './Notice.tsx';
import styles from './confirmDialog.module.css';

interface ConfirmDialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  children: ReactNode;
  /** On the button: what it does. */
  action: string;
  /** What must be typed before it can be done; without it, the question alone is enough. */
  typed?: string;
  busy: boolean;
  /** Why it could not be done. */
  problem: string | null;
  onConfirm: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title} size={460}>
      {props.opened && <Question {...props} />}
    </Modal>
  );
}

function Question({ onClose, children, action, typed, busy, problem, onConfirm }: ConfirmDialogProps) {
  const [text, setText] = useState('');
  const ready = typed === undefined || text === typed;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready && !busy) onConfirm();
      }}
    >
      <div className={styles.words}>{children}</div>
      {typed !== undefined && (
        <TextInput
          className={styles.typed}
          label={
            <>
              Type <code>{typed}</code> to go on
            </>
          }
          value={text}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      {problem !== null && (
        <div className={styles.problem}>
          <Notice tone="bad" title="Not done.">
            {problem}
          </Notice>
        </div>
      )}
      <div className={styles.answers}>
        <Button variant="default" data-autofocus={typed === undefined || undefined} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" className={styles.danger ?? ''} loading={busy} disabled={!ready}>
          {action}
        </Button>
      </div>
    </form>
  );
}
