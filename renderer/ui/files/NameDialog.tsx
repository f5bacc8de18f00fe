/** Requests the name of a new folder, or a new name. */
import { useState } from 'react';
import { Button, Modal, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { errorText } from '../../client/transport/orpc.ts';
import dialog from '../theme/dialog.module.css';
import styles from '../theme/resources.module.css';
import { nameProblem } from './paths.ts';
import { useFocusBack } from '../keyboard/useFocusBack.ts';
import { ReasonButton } from '../popover/ReasonButton.tsx';
import { t } from '../../language/text.ts';

interface NameDialogProps {
  title: string;
  action: string;
  name: string;
  /** Other names in the folder. */
  others: readonly string[];
  save: (name: string) => Promise<void>;
  onClose: () => void;
}

export function NameDialog({ title, action, name, others, save, onClose }: NameDialogProps) {
  const [text, setText] = useState(name);
  const saving = useMutation({ mutationFn: () => save(text), onSuccess: onClose });
  const problem = nameProblem(text, others);
  const error = saving.isError ? errorText(saving.error) : text === '' ? undefined : problem;
  useFocusBack(true);
  return (
    <Modal opened onClose={onClose} title={title} size={420}>
      <form
        className={styles.fields}
        onSubmit={(event) => {
          event.preventDefault();
          // React passes events of a portal on to a form that the dialog is opened from.
          event.stopPropagation();
          if (problem === null && text !== name) saving.mutate();
        }}
      >
        <TextInput
          label={t`Name`}
          data-autofocus
          spellCheck={false}
          autoComplete="off"
          value={text}
          error={error}
          onChange={(event) => {
            saving.reset();
            setText(event.currentTarget.value);
          }}
        />
        <div className={dialog.answers}>
          <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
          <ReasonButton
            type="submit"
            loading={saving.isPending}
            whyNot={text === '' ? t`Enter a name first.` : text === name ? t`Nothing has changed.` : problem}
          >
            {action}
          </ReasonButton>
        </div>
      </form>
    </Modal>
  );
}
