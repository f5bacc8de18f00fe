/** Dialogs that create a folder, or rename or delete a file or folder. */
import { useMutation } from '@tanstack/react-query';
import type { FileHolder, VolumeFile } from '#contract/local/files.ts';
import { api, errorText, orpc, queryClient } from '../../client/transport/orpc.ts';
import { ConfirmDialog } from '../primitives/ConfirmDialog.tsx';
import { NameDialog } from './NameDialog.tsx';
import { join } from './paths.ts';
import { rich, t } from '../../language/text.ts';

/** The open dialog, with its file or folder. */
export type FileQuestion = { what: 'folder' } | { what: 'rename' | 'remove'; entry: VolumeFile };

interface FileDialogsProps {
  accountId: string;
  holder: FileHolder;
  path: string;
  /** All names in the folder; names must be unique. */
  names: readonly string[];
  /** Null while no dialog is open. */
  question: FileQuestion | null;
  onClose: () => void;
}

export function FileDialogs({ accountId, holder, path, names, question, onClose }: FileDialogsProps) {
  const refresh = () => queryClient.invalidateQueries({ queryKey: orpc.files.list.key() });
  const remove = useMutation({
    mutationFn: (entry: VolumeFile) => api.files.remove({ accountId, holder, path: join(path, entry.name) }),
    onSuccess: async () => {
      onClose();
      await refresh();
    },
  });
  const close = () => {
    remove.reset();
    onClose();
  };
  const removed = question?.what === 'remove' ? question.entry : null;
  return (
    <>
      {question?.what === 'folder' && (
        <NameDialog
          title={t`New folder`}
          action={t`Create`}
          name=""
          others={names}
          onClose={close}
          save={async (name) => {
            await api.files.makeFolder({ accountId, holder, path: join(path, name) });
            await refresh();
          }}
        />
      )}
      {question?.what === 'rename' && (
        <NameDialog
          title={t`Rename ${question.entry.name}`}
          action={t`Rename`}
          name={question.entry.name}
          others={names.filter((name) => name !== question.entry.name)}
          onClose={close}
          save={async (name) => {
            await api.files.move({ accountId, holder, path: join(path, question.entry.name), to: join(path, name) });
            await refresh();
          }}
        />
      )}
      <ConfirmDialog
        opened={removed !== null}
        onClose={close}
        title={removed === null ? '' : t`Delete ${removed.name}?`}
        action={t`Delete`}
        busy={remove.isPending}
        problem={remove.isError ? errorText(remove.error) : null}
        onConfirm={() => removed !== null && remove.mutate(removed)}
      >
        {removed !== null && (
          <p>
            {removed.kind === 'folder' ? (
              <>{rich`The folder and ${(<b>{t`everything in it`}</b>)} are deleted.`}</>
            ) : (
              t`It is deleted.`
            )}{' '}
            {t`This cannot be undone.`}
          </p>
        )}
      </ConfirmDialog>
    </>
  );
}
