/** Chooses a folder or a file of the computer on which Hangar runs. What is typed is completed. */
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { Button, Modal, Skeleton, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CornerLeftUp, File, Folder, FolderPlus, House } from 'lucide-react';
import type { FolderListing } from '#contract/bridge/host.ts';
import { NODE_HANDLERS, PYTHON_HANDLERS } from '#contract/local/folder.ts';
import { api, errorText, orpc } from '../../client/transport/orpc.ts';
import { setDialogAbove } from '../../state/overlays.ts';
import { completed, entryPath, matches, withoutEnd } from './completion.ts';
import { NameDialog } from '../files/NameDialog.tsx';
import styles from './pathDialog.module.css';
import { useFocusBack } from '../keyboard/useFocusBack.ts';
import { ReasonButton } from '../popover/ReasonButton.tsx';
import { rich, t } from '../../language/text.ts';

const TYPING_MS = 120;

interface PathDialogProps {
  kind: 'folder' | 'file';
  /** Where it begins; empty for the home folder. */
  path: string;
  onChosen: (path: string) => void;
  onClose: () => void;
}

export default function PathDialog({ kind, path, onChosen, onClose }: PathDialogProps) {
  useFocusBack(true);
  const [typed, setTyped] = useState(path.trim());
  /** Whether the name of a new folder is asked for. */
  const [isNaming, setIsNaming] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const [settled] = useDebouncedValue(typed, TYPING_MS);
  const listing = useQuery(
    orpc.host.listFolder.queryOptions({
      input: { path: settled },
      placeholderData: keepPreviousData,
      staleTime: 0,
      gcTime: 0,
      retry: false,
    }),
  );
  // A sheet below this dialog leaves Escape to it.
  useEffect(() => {
    setDialogAbove(true);
    return () => setDialogAbove(false);
  }, []);
  const { data, error } = listing;
  const isCurrent = settled === typed && !listing.isPlaceholderData;
  const chosen = data && isCurrent && !error ? chosenPath(data, kind) : null;
  const complete = () => {
    const next = data && completed(data, kind === 'file');
    if (next) setTyped(next);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (
      event.key === 'Tab' &&
      event.target === field.current &&
      !event.shiftKey &&
      data &&
      data.rest !== '' &&
      completed(data, kind === 'file')
    ) {
      event.preventDefault();
      complete();
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus(event, field.current);
  };
  const go = (path: string) => {
    setTyped(path);
    // The list of another folder has other buttons.
    field.current?.focus();
  };
  const notYet = kind === 'folder' ? t`Not a folder yet` : t`Not a file yet`;
  const title = kind === 'folder' ? t`Choose a folder of this computer` : t`Choose a file of this computer`;
  return (
    <Modal opened onClose={onClose} closeOnEscape={!isNaming} title={title} size={520}>
      <form
        className={styles.form}
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault();
          // React passes events of a portal on to the form of the field as well.
          event.stopPropagation();
          if (chosen !== null) onChosen(chosen);
          else complete();
        }}
      >
        <TextInput
          ref={field}
          label={t`Path`}
          description={t`Press Tab to complete it, and the arrow keys to move through the list. ~ is your home folder`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data-autofocus
          spellCheck={false}
          autoComplete="off"
          value={typed}
          error={
            error
              ? errorText(error)
              : data?.rest && matches(data, true).length === 0
                ? t`No such file or folder.`
                : undefined
          }
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Entries listing={data} kind={kind} onGo={go} />
        {kind === 'folder' && (
          <div>
            <ReasonButton
              size="xs"
              variant="default"
              leftSection={<FolderPlus size={14} aria-hidden />}
              whyNot={data === undefined || error ? t`The folder could not be read.` : null}
              onClick={() => setIsNaming(true)}
            >{t`New folder…`}</ReasonButton>
          </div>
        )}
        <div className={styles.foot}>
          <code title={chosen ?? undefined}>{chosen ?? notYet}</code>
          <Button variant="default" onClick={onClose}>{t`Cancel`}</Button>
          <ReasonButton type="submit" whyNot={chosen === null ? notYet : null}>
            {kind === 'folder' ? t`Choose this folder` : t`Choose this file`}
          </ReasonButton>
        </div>
      </form>
      {isNaming && data && (
        <NameDialog
          title={t`New folder in ${data.path}`}
          action={t`Create the folder`}
          name=""
          others={data.entries.map(({ name }) => name)}
          save={async (name) => {
            const made = entryPath(data.path, { name, isFolder: true });
            await api.host.makeFolder({ path: withoutEnd(made) });
            setTyped(made);
          }}
          onClose={() => setIsNaming(false)}
        />
      )}
    </Modal>
  );
}

/** Moves the focus among the field of the path and the entries below it. */
function moveFocus(event: KeyboardEvent<HTMLFormElement>, field: HTMLInputElement | null): void {
  if (field === null) return;
  const entries = event.currentTarget.querySelectorAll<HTMLElement>(`.${CSS.escape(styles.entry ?? '')}`);
  const stops: (HTMLElement | EventTarget)[] = [field, ...entries];
  const at = stops.indexOf(event.target);
  const next = stops[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (at === -1) return;
  event.preventDefault();
  if (next instanceof HTMLElement) next.focus();
}

/** The path that is typed if it is of the wanted kind; null otherwise. */
function chosenPath({ path, rest, entries }: FolderListing, kind: 'folder' | 'file'): string | null {
  if (kind === 'folder') return rest === '' ? withoutEnd(path) : null;
  const file = entries.find(({ name, isFolder }) => !isFolder && name === rest);
  return file ? entryPath(path, file) : null;
}

/** The file that Hangar would run of a folder. */
const handlerIn = ({ entries }: FolderListing): string | undefined =>
  [...NODE_HANDLERS, ...PYTHON_HANDLERS].find((file) =>
    entries.some(({ name, isFolder }) => !isFolder && name === file),
  );

interface EntriesProps {
  listing: FolderListing | undefined;
  kind: 'folder' | 'file';
  onGo: (path: string) => void;
}

function Entries({ listing, kind, onGo }: EntriesProps) {
  if (!listing) {
    return (
      <div className={styles.list} aria-busy="true">
        <Skeleton h={12} w="50%" radius={4} m={10} />
      </div>
    );
  }
  const matching = matches(listing, kind === 'file');
  const { path, parent, home, isCut } = listing;
  const handler = kind === 'folder' && listing.rest === '' ? handlerIn(listing) : undefined;
  return (
    <div className={styles.list} role="group" aria-label={t`In ${path}`}>
      {parent !== null && (
        <UnstyledButton className={styles.entry} onClick={() => onGo(entryPath(parent, { name: '', isFolder: false }))}>
          <CornerLeftUp size={14} aria-hidden />
          <span>{t`One folder up`}</span>
        </UnstyledButton>
      )}
      {path !== home && (
        <UnstyledButton className={styles.entry} onClick={() => onGo(entryPath(home, { name: '', isFolder: false }))}>
          <House size={14} aria-hidden />
          <span>{t`Home folder`}</span>
        </UnstyledButton>
      )}
      {matching.map((entry) => (
        <UnstyledButton key={entry.name} className={styles.entry} onClick={() => onGo(entryPath(path, entry))}>
          {entry.isFolder ? <Folder size={14} aria-hidden /> : <File size={14} aria-hidden />}
          <span>{entry.name}</span>
        </UnstyledButton>
      ))}
      {matching.length === 0 && (
        <p>{kind === 'folder' ? t`No folders in here. You can choose this one.` : t`Empty folder`}</p>
      )}
      {handler !== undefined && <p>{rich`This folder has a handler: ${<b>{handler}</b>}`}</p>}
      {isCut && <p>{t`There are more. Type the first letters of a name.`}</p>}
    </div>
  );
}
