/** A form for a new record, with its buttons below the fields. */
import type { ReactNode, SubmitEvent } from 'react';
import { Button } from '@mantine/core';
import { Notice } from '../primitives/Notice.tsx';
import styles from './form.module.css';
import { ReasonButton } from '../popover/ReasonButton.tsx';
import { t } from '../../language/text.ts';

interface CreateFormProps {
  onSubmit: (event: SubmitEvent) => void;
  onCancel: () => void;
  /** The text of the submit button. */
  action: ReactNode;
  isPending: boolean;
  /** Why nothing can be created now; null if it can. */
  whyNot?: string | null;
  /** Whether the creation costs money. */
  spends?: boolean;
  /** Why the creation failed; null if it did not. */
  failure: { title: string; text: ReactNode } | null;
  /** Text beside the buttons. */
  note?: string;
  /** Buttons before the submit button. */
  moreActions?: ReactNode;
  /** The fields. They scroll while the buttons stay. */
  children: ReactNode;
}

export function CreateForm(props: CreateFormProps) {
  const { action, isPending, whyNot = null, spends = false, failure, note, moreActions, children } = props;
  return (
    <form className={styles.settings} onSubmit={props.onSubmit}>
      {children}
      {failure && (
        <Notice tone="bad" title={failure.title}>
          {failure.text}
        </Notice>
      )}
      <div className={styles.formFoot}>
        {note !== undefined && <span>{note}</span>}
        <div className={styles.formActions}>
          <Button variant="default" onClick={props.onCancel}>{t`Cancel`}</Button>
          {moreActions}
          <ReasonButton type="submit" loading={isPending} whyNot={whyNot} data-spends={spends || undefined}>
            {action}
          </ReasonButton>
        </div>
      </div>
    </form>
  );
}
