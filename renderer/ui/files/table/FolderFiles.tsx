/** The list of one folder, with what is chosen in it, and the file that is open. */
import { useMemo, useState } from 'react';
import type { FileHolder, VolumeFile, VolumeListing } from '#contract/local/files.ts';
import { downloadArchive } from '../../../client/files/archive.ts';
import { download } from '../../../client/files/transfers.ts';
import { api, orpc, queryClient } from '../../../client/transport/orpc.ts';
import { useBackStep } from '../../../state/backStep.ts';
import { formatCount } from '../../text/format.ts';
import { Empty } from '../../primitives/Notice.tsx';
import shared from '../files.module.css';
import type { GridPlace } from '../../primitives/DataGrid.tsx';
import { join, parentOf } from '../paths.ts';
import { FileViewer } from '../preview/FileViewer.tsx';
import { ChosenFiles } from './ChosenFiles.tsx';
import { FileTable } from './FileTable.tsx';
import { useFileChoice } from './useFileChoice.ts';
import type { Removal } from './useRemoval.ts';
import { t } from '../../../language/text.ts';

interface FolderFilesProps {
  accountId: string;
  holder: FileHolder;
  /** The name of the holder. */
  name: string;
  path: string;
  /** A file that is open at once; null for none. */
  file: string | null;
  /** The path of the entry that the keyboard begins at, such as the folder that was left; null for the first one. */
  start: string | null;
  /** The path of the folder that files are dragged over; null for none. */
  drop: string | null;
  gridPlace: GridPlace;
  listing: VolumeListing;
  /** Only files whose name has this text are shown. */
  search: string;
  removal: Removal;
  onShow: (path: string) => void;
  onRemove: (entries: readonly VolumeFile[]) => void;
  /** Keeps them in mind, to copy or move them into another folder. */
  onPickUp: (entries: readonly VolumeFile[]) => void;
  onFileClosed: (() => void) | undefined;
}

/** Whether a name has the searched text, in any case. */
const fits = (name: string, search: string): boolean => name.toLowerCase().includes(search.toLowerCase());

/** The name of an entry of the folder; null for a path elsewhere. */
const nameIn = (folder: string, path: string | null): string | null =>
  path === null || path === '' || parentOf(path) !== folder ? null : path.slice(path.lastIndexOf('/') + 1);

export function FolderFiles(props: FolderFilesProps) {
  const { accountId, holder, path, start, drop, gridPlace, listing, search, removal } = props;
  const { onShow, onRemove, onPickUp } = props;
  const { entries: all, truncated } = listing;
  const present = all.filter(({ name }) => removal.stateOf(join(path, name))?.is !== 'gone');
  const entries = search === '' ? present : present.filter(({ name }) => fits(name, search));
  const names = useMemo(() => all.map(({ name }) => name), [all]);
  const choice = useFileChoice(entries);
  const [opened, setOpened] = useState<VolumeFile | null>(
    () => all.find(({ kind, name }) => kind === 'file' && name === props.file) ?? null,
  );
  const hasChoice = choice.chosen.length > 0;
  useBackStep(hasChoice, choice.clear);
  return (
    <>
      {present.length === 0 ? (
        <Empty title={t`This folder is empty`}>{t`Drop files or folders here, or choose Upload.`}</Empty>
      ) : entries.length === 0 ? (
        <Empty title={t`No name in this folder contains "${search}"`} />
      ) : (
        <>
          {hasChoice && (
            <ChosenFiles
              chosen={choice.chosen}
              onDownload={downloadAll}
              onPickUp={(entries) => {
                onPickUp(entries);
                choice.clear();
              }}
              onRemove={onRemove}
              onClear={choice.clear}
            />
          )}
          <div className={shared.list} data-grow>
            <FileTable
              entries={entries}
              names={names}
              path={path}
              start={nameIn(path, start)}
              dropId={nameIn(path, drop)}
              gridPlace={gridPlace}
              choice={choice}
              removal={removal}
              onOpen={(entry) => (entry.kind === 'folder' ? onShow(join(path, entry.name)) : setOpened(entry))}
              onDownload={downloadAll}
              onPickUp={onPickUp}
              onRemove={onRemove}
              rename={async ({ name }, to) => {
                await api.files.move({ accountId, holder, path: join(path, name), to: join(path, to) });
                await queryClient.invalidateQueries({ queryKey: orpc.files.list.key() });
              }}
            />
            {truncated && (
              <p
                className={shared.more}
              >{t`The first ${formatCount(all.length)} are shown. There are more: a terminal shows them all.`}</p>
            )}
          </div>
        </>
      )}
      {opened !== null && (
        <FileViewer
          place={{ accountId, holder, path: join(path, opened.name) }}
          holderName={props.name}
          entry={opened}
          current={all.find(({ kind, name }) => kind === 'file' && name === opened.name) ?? opened}
          onClose={() => {
            setOpened(null);
            if (props.file !== null) props.onFileClosed?.();
          }}
        />
      )}
    </>
  );

  function downloadAll(entries: readonly VolumeFile[]) {
    const [first] = entries;
    if (first === undefined) return;
    if (entries.length === 1 && first.kind === 'file') {
      return download({ accountId, holder, path: join(path, first.name) }, first.sizeBytes);
    }
    const name = entries.length === 1 ? first.name : path === '' ? t`files` : path.slice(path.lastIndexOf('/') + 1);
    downloadArchive({ accountId, holder, path }, entries, `${name}.zip`);
  }
}
