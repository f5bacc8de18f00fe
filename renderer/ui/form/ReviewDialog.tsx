/** Shows changed settings as old and new, with their effect, before they are saved. */
import { Button, Modal } from '@mantine/core';
import { changedNothing, errorText } from '../../client/transport/orpc.ts';
import { Notice } from '../primitives/Notice.tsx';
import dialog from '../theme/dialog.module.css';
import changes from './changes.module.css';
import { Changes, type ChangeText } from './Changes.tsx';
import { counted, t } from '../../language/text.ts';

/** The mutation that saves the changes. */
export interface Save {
  isPending: boolean;
  isError: boolean;
  error: unknown;
  mutate: () => void;
  reset: () => void;
}

interface ReviewDialogProps {
  opened: boolean;
  /** The name of the changed record. */
  name: string;
  list: readonly ChangeText[];
  /** The effect of the change, as a sentence. */
  effect: string;
  /** A failure is shown here until the dialog closes. */
  save: Save;
  onClose: () => void;
}

export function ReviewDialog({ opened, name, list, effect, save, onClose }: ReviewDialogProps) {
  const close = () => {
    save.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={t`Change ${name}?`} size={560}>
      <Changes list={list} />
      <p className={changes.rolled}>{effect}</p>
      {save.isError && (
        <Notice
          tone="bad"
          title={changedNothing(save.error) ? t`Not saved. Nothing was changed.` : t`Not saved, or only partly.`}
        >
          {errorText(save.error)}
        </Notice>
      )}
      <div className={dialog.answers}>
        <Button variant="default" onClick={close}>{t`Continue editing`}</Button>
        <Button data-autofocus loading={save.isPending} onClick={() => save.mutate()}>
          {counted(list.length, 'Save {0} change', 'Save {0} changes')}
        </Button>
      </div>
    </Modal>
  );
}
