/** Shows changed settings as old and new, with what they do, before they are saved. */
import { Button, Modal } from '@mantine/core';
import { errorText } from '../../client/transport/orpc.ts';
import { Notice } from '../primitives/Notice.tsx';
import changes from './changes.module.css';
import { Changes, countText, type ChangeText } from './Changes.tsx';

interface ReviewDialogProps {
  opened: boolean;
  /** What is changed, by its name. */
  name: string;
  list: readonly ChangeText[];
  /** What comes of saving it, in a sentence. */
  effect: string;
  /** The mutation that saves it. A failure is shown here, and forgotten when the dialog closes. */
  save: { isPending: boolean; isError: boolean; error: unknown; mutate: () => void; reset: () => void };
  onClose: () => void;
}

export function ReviewDialog({ opened, name, list, effect, save, onClose }: ReviewDialogProps) {
  const close = () => {
    save.reset();
    onClose();
  };
  return (
    <Modal opened={opened} onClose={close} title={`Change ${name}?`} size={560}>
      <Changes list={list} />
      <p className={changes.rolled}>{effect}</p>
      {save.isError && (
        <Notice tone="bad" title="Not saved; nothing was changed.">
          {errorText(save.error)}
        </Notice>
      )}
      <div className={changes.answers}>
        <Button variant="default" onClick={close}>
          Go on editing
        </Button>
        <Button data-autofocus loading={save.isPending} onClick={() => save.mutate()}>
          Save {countText(list.length).toLowerCase()}
        </Button>
      </div>
    </Modal>
  );
}
