/** A form for an existing record: its changes are shown as old and new before they are saved. */
import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { countText } from './Changes.tsx';
import styles from './form.module.css';
import { ReviewDialog, type Save } from './ReviewDialog.tsx';
import type { ReviewedForm } from './useSchemaForm.ts';
import { ReasonButton } from '../popover/ReasonButton.tsx';
import { t } from '../../language/text.ts';

interface ReviewFormProps {
  form: Pick<
    ReviewedForm<unknown, unknown>,
    'problems' | 'list' | 'isReviewing' | 'review' | 'closeReview' | 'discard'
  >;
  /** The name of the changed record. */
  name: string;
  /** The effect of the changes, as a sentence. */
  effect: string;
  save: Save;
  /** Closes a sheet. Without it the form stays, and a button discards the changes. */
  onCancel?: () => void;
  /** The fields. They scroll while the buttons stay. */
  children: ReactNode;
}

export function ReviewForm({ form, name, effect, save, onCancel, children }: ReviewFormProps) {
  const { problems, list } = form;
  const same = list.length === 0 ? t`Nothing has changed.` : null;
  const wrong = problems.size > 0 ? t`Correct the marked fields first` : null;
  const size = onCancel ? 'sm' : 'xs';
  return (
    <form className={styles.settings} onSubmit={form.review}>
      {children}
      <div className={styles.formFoot}>
        <span aria-live="polite">{wrong ?? countText(list.length)}</span>
        {onCancel ? (
          <Button variant="default" size={size} onClick={onCancel}>{t`Cancel`}</Button>
        ) : (
          <ReasonButton variant="default" size={size} whyNot={same} onClick={form.discard}>{t`Discard`}</ReasonButton>
        )}
        <ReasonButton type="submit" size={size} whyNot={wrong ?? same}>{t`Review and save…`}</ReasonButton>
      </div>
      <ReviewDialog
        opened={form.isReviewing}
        name={name}
        list={list}
        effect={effect}
        save={save}
        onClose={form.closeReview}
      />
    </form>
  );
}
