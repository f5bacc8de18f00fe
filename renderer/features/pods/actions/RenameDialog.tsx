/** Asks for another name of a Pod. Its container runs on. */
import { useState } from 'react';
import { Button, Modal, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { limits } from '#contract/core/limits.ts';
import type { Pod } from '#contract/api/pod.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import dialog from '../../../ui/theme/dialog.module.css';
import styles from '../../../ui/theme/resources.module.css';
import { podsChanged } from '../../../ui/pod/podWork.ts';
import { useFocusBack } from '../../../ui/keyboard/useFocusBack.ts';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { t } from '../../../language/text.ts';

interface RenameDialogProps {
  accountId: string;
  pod: Pod;
  onClose: () => void;
}

export function RenameDialog({ accountId, pod, onClose }: RenameDialogProps) {
  const [text, setText] = useState(pod.name);
  const name = text.trim();
  const saving = useMutation({
    mutationFn: () => api.pods.update({ accountId, podId: pod.id, change: { name } }),
    onSuccess: async () => {
      await podsChanged();
      onClose();
    },
  });
  const whyNot = name === '' ? t`Enter a name first.` : name === pod.name ? t`Nothing has changed.` : null;
  useFocusBack(true);
  return (
    <Modal opened onClose={onClose} title={t`Rename the Pod ${pod.name}`} size={420}>
      <form
        className={styles.fields}
        onSubmit={(event) => {
          event.preventDefault();
          if (whyNot === null) saving.mutate();
        }}
      >
        <TextInput
          label={t`Name`}
          data-autofocus
          spellCheck={false}
          autoComplete="off"
          maxLength={limits.pod.nameLength}
          value={text}
          error={saving.isError ? errorText(saving.error) : undefined}
          onChange={(event) => {
            saving.reset();
            setText(event.currentTarget.value);
          }}
        />
        <div className={dialog.answers}>
          <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
          <ReasonButton type="submit" loading={saving.isPending} whyNot={whyNot}>{t`Rename`}</ReasonButton>
        </div>
      </form>
    </Modal>
  );
}
