/** The files of a volume, a Pod or this computer: browse, upload, download, rename and delete. */
import { useState, type ReactNode } from 'react';
import { Button, Skeleton } from '@mantine/core';
import type { FileHolder } from '#contract/local/files.ts';
import { bring } from './bring.ts';
import { useListing } from '../../client/files/listing.ts';
import { pickUp } from '../../client/files/pickedUp.ts';
import { errorText } from '../../client/transport/orpc.ts';
import { useBackStep } from '../../state/backStep.ts';
import { StaleNotice } from '../domain/StaleNotice.tsx';
import { Empty } from '../primitives/Notice.tsx';
import { questionIn, SshQuestionNotice } from '../domain/SshQuestionNotice.tsx';
import styles from './files.module.css';
import type { Dropped } from './droppedFiles.ts';
import { FileDialogs, type FileQuestion } from './FileDialogs.tsx';
import { FileDropZone } from './FileDropZone.tsx';
import { FolderBar } from './FolderBar.tsx';
import { join, parentOf } from './paths.ts';
import { PickedUpBar } from './PickedUpBar.tsx';
import { useFolderPlaces } from './useFolderPlaces.ts';
import { BelowResults } from './search/BelowResults.tsx';
import { useFolderSearch } from './search/useFolderSearch.ts';
import { FolderFiles } from './table/FolderFiles.tsx';
import { useRemoval } from './table/useRemoval.ts';
import { TransferList } from './transfers/TransferList.tsx';
import { UnfinishedList } from './transfers/UnfinishedList.tsx';
import { t } from '../../language/text.ts';

interface FileBrowserProps {
  accountId: string;
  holder: FileHolder;
  /** The name of the holder. */
  name: string;
  /** Its name where it is not shown: "trainer, /workspace". */
  fullName?: string;
  /** What stands above the files, and scrolls with them. */
  head?: ReactNode;
  path: string;
  /** A file of the folder that is open at once. */
  file?: string | null;
  /** Why there are no files, and what to do; null if there are. */
  absent: { title: string; text: string } | null;
  onShow: (path: string) => void;
  /** The file that was open at once is closed. */
  onFileClosed?: () => void;
  /** The button back to the earlier view; null if that is visible. */
  back: { label: string; onBack: () => void } | null;
}

export function FileBrowser(props: FileBrowserProps) {
  const { accountId, holder, name, path, file = null, absent, onShow: change, onFileClosed, back } = props;
  const hasFiles = absent === null;
  const [question, setQuestion] = useState<FileQuestion | null>(null);
  const { start, setMarked, gridPlace } = useFolderPlaces(path);
  /** The folder that would take what a person drags over it; null for none. */
  const [drop, setDrop] = useState<string | null>(null);
  const search = useFolderSearch(path);
  const removal = useRemoval(accountId, holder);
  /** `marked`: the entry of the folder that the keyboard begins at; without it, the folder that is left. */
  const onShow = (to: string, marked?: string) => {
    search.end();
    setMarked(marked ?? null);
    change(to);
  };
  useBackStep(hasFiles && path !== '', () => onShow(parentOf(path)));
  useBackStep(search.isDeep, search.end);
  const { query: listing, everyMs } = useListing({ accountId, holder, path }, hasFiles);
  const bringTo = (to: string) => (dropped: Dropped) => bring({ accountId, holder, path: to }, dropped);
  const onBring = bringTo(path);
  const { data } = listing;
  /** The folder that takes what is dropped here: that of a row, else the one that is shown. */
  const folderAt = (name: string | null): string => {
    const isFolder = data?.entries.some((entry) => entry.name === name && entry.kind === 'folder') ?? false;
    return name !== null && isFolder ? join(path, name) : path;
  };
  return (
    <FileDropZone isEnabled={hasFiles} path={path} over={drop} folderAt={folderAt} onOver={setDrop} bringTo={bringTo}>
      {props.head}
      <FolderBar
        name={name}
        path={path}
        onShow={onShow}
        back={back}
        search={
          // Also in an empty folder: the buttons would move when the first file is there.
          hasFiles
            ? { text: search.text, onChange: search.setText, onBelow: search.isDeep ? null : search.goDeep }
            : null
        }
        write={hasFiles ? { onNewFolder: () => setQuestion({ what: 'folder' }), onUpload: onBring } : null}
      />
      {hasFiles && <PickedUpBar folder={{ accountId, holder, path }} />}
      <TransferList accountId={accountId} holder={holder} />
      {listing.isSuccess && holder.in === 'pod' && (
        <UnfinishedList accountId={accountId} holder={holder} everyMs={everyMs} />
      )}
      {listing.isError && data !== undefined && (
        <StaleNotice
          at={listing.dataUpdatedAt}
          problem={errorText(listing.error)}
          retry={() => void listing.refetch()}
        >{t`This is the last known list.`}</StaleNotice>
      )}
      {absent !== null ? (
        <Empty title={absent.title}>{absent.text}</Empty>
      ) : search.isDeep ? (
        <BelowResults
          key={`${path}\n${search.text}`}
          folder={{ accountId, holder, path }}
          text={search.text}
          onShow={onShow}
          onClose={search.end}
        />
      ) : data !== undefined ? (
        <FolderFiles
          key={file === null ? path : `${path}\n${file}`}
          accountId={accountId}
          holder={holder}
          name={name}
          path={path}
          file={file}
          start={start}
          drop={drop}
          gridPlace={gridPlace}
          listing={data}
          search={search.text}
          removal={removal}
          onPickUp={(entries) =>
            pickUp({ folder: { accountId, holder, path }, holderName: props.fullName ?? name, entries })
          }
          onShow={onShow}
          onRemove={(entries) => setQuestion({ what: 'remove', entries })}
          onFileClosed={onFileClosed}
        />
      ) : listing.isError ? (
        <UnreadFolder
          name={name}
          path={path}
          onShow={onShow}
          error={listing.error}
          retry={() => void listing.refetch()}
        />
      ) : (
        <div className={styles.loading} role="group" aria-label={t`Loading`} aria-busy="true">
          <Skeleton h={12} w="60%" radius={4} />
          <Skeleton h={12} w="45%" radius={4} />
          <Skeleton h={12} w="52%" radius={4} />
        </div>
      )}
      <FileDialogs
        accountId={accountId}
        holder={holder}
        path={path}
        question={question}
        names={data?.entries.map((entry) => entry.name) ?? []}
        onRemove={(names) => void removal.remove(names.map((name) => join(path, name)))}
        onClose={() => setQuestion(null)}
      />
    </FileDropZone>
  );
}

interface UnreadFolderProps extends Pick<FileBrowserProps, 'name' | 'path' | 'onShow'> {
  error: unknown;
  retry: () => void;
}

function UnreadFolder({ name, path, onShow, error, retry }: UnreadFolderProps) {
  const question = questionIn(error);
  if (question !== null) return <SshQuestionNotice question={question} why={errorText(error)} onAnswered={retry} />;
  const action =
    path === '' ? (
      <Button onClick={retry}>{t`Try again`}</Button>
    ) : (
      <Button onClick={() => onShow('')}>{t`Go to ${name}`}</Button>
    );
  return (
    <Empty tone="bad" title={t`This folder could not be read`} action={action}>
      {errorText(error)}
    </Empty>
  );
}
