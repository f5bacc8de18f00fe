/** Dialogs that create a folder, or ask before files and folders are deleted. */
import type { FileHolder, VolumeFile } from '#contract/local/files.ts';
import { api, orpc, queryClient } from '../../client/transport/orpc.ts';
import { ConfirmDialog } from '../primitives/ConfirmDialog.tsx';
import { formatCount } from '../text/format.ts';
import { NameDialog } from './NameDialog.tsx';
import { join } from './paths.ts';
import styles from './files.module.css';
import { counted, rich, t } from '../../language/text.ts';

/** The open dialog, with its files and folders. */
export type FileQuestion = { what: 'folder' } | { what: 'remove'; entries: readonly VolumeFile[] };

interface FileDialogsProps {
  accountId: string;
  holder: FileHolder;
  path: string;
  /** All names in the folder; names must be unique. */
  names: readonly string[];
  /** Null while no dialog is open. */
  question: FileQuestion | null;
  /** Deletes them; the list shows the result of each. */
  onRemove: (names: readonly string[]) => void;
  onClose: () => void;
}

/** So many names are listed. */
const MOST_NAMES = 8;

export function FileDialogs({ accountId, holder, path, names, question, onRemove, onClose }: FileDialogsProps) {
  const removed = question?.what === 'remove' ? question.entries : [];
  const [first] = removed;
  const hasFolder = removed.some(({ kind }) => kind === 'folder');
  return (
    <>
      {question?.what === 'folder' && (
        <NameDialog
          title={t`New folder`}
          action={t`Create`}
          name=""
          others={names}
          onClose={onClose}
          save={async (name) => {
            await api.files.makeFolder({ accountId, holder, path: join(path, name) });
            await queryClient.invalidateQueries({ queryKey: orpc.files.list.key() });
          }}
        />
      )}
      <ConfirmDialog
        opened={removed.length > 0}
        onClose={onClose}
        title={
          removed.length === 1 && first
            ? t`Delete ${first.name}?`
            : t`Delete ${counted(removed.length, '{0} entry', '{0} entries', formatCount(removed.length))}?`
        }
        action={t`Delete`}
        busy={false}
        problem={null}
        onConfirm={() => {
          onClose();
          onRemove(removed.map(({ name }) => name));
        }}
      >
        {removed.length > 1 && (
          <ul className={styles.names}>
            {removed.slice(0, MOST_NAMES).map(({ name, kind }) => (
              <li key={name}>{kind === 'folder' ? `${name}/` : name}</li>
            ))}
            {removed.length > MOST_NAMES && <li>{t`and ${formatCount(removed.length - MOST_NAMES)} more`}</li>}
          </ul>
        )}
        <p>
          {hasFolder ? (
            removed.length === 1 ? (
              <>{rich`The folder and ${<b>{t`everything in it`}</b>} will be deleted.`}</>
            ) : (
              <>{rich`They will be deleted, folders with ${<b>{t`everything in them`}</b>}.`}</>
            )
          ) : removed.length === 1 ? (
            t`The file will be deleted.`
          ) : (
            t`The files will be deleted.`
          )}{' '}
          {t`This cannot be undone.`}
        </p>
      </ConfirmDialog>
    </>
  );
}
