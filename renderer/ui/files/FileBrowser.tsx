/** The files of a volume, or of a Pod: looked through, brought in, taken out, renamed and deleted. */
import { useRef, useState, type DragEvent } from 'react';
import { ActionIcon, Button, Skeleton, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ArrowLeft, FolderPlus, Upload } from 'lucide-react';
import type { FileHolder, VolumeFile } from '#contract/local/files.ts';
import { download, upload } from '../../client/fileTransfers.ts';
import { api, errorText, orpc, queryClient } from '../../client/transport/orpc.ts';
import { ConfirmDialog } from '../primitives/ConfirmDialog.tsx';
import { formatCount } from '../text/format.ts';
import { Empty, Notice } from '../primitives/Notice.tsx';
import { questionIn, SshQuestionNotice } from '../domain/SshQuestionNotice.tsx';
import styles from './files.module.css';
import { FileTable } from './FileTable.tsx';
import { NameDialog } from './NameDialog.tsx';
import { crumbsOf, join } from './paths.ts';
import { TransferList } from './TransferList.tsx';
import { UnfinishedList } from './UnfinishedList.tsx';

interface FileBrowserProps {
  accountId: string;
  holder: FileHolder;
  /** Of the holder. */
  name: string;
  path: string;
  /** Why there are none to look at, and what to do; null where there are. */
  absent: { title: string; text: string } | null;
  onShow: (path: string) => void;
  /** Where a person goes back to from here; null where that is in sight. */
  back: { label: string; onBack: () => void } | null;
}

/** Programs write into volumes, too. */
const EVERY_MS = 5000;

type Asking = { what: 'folder' } | { what: 'rename' | 'remove'; entry: VolumeFile };

export function FileBrowser({ accountId, holder, name, path, absent, onShow: show, back }: FileBrowserProps) {
  const hasFiles = absent === null;
  const [asking, setAsking] = useState<Asking | null>(null);
  const [over, setOver] = useState(false);
  const picker = useRef<HTMLInputElement>(null);
  const listing = useQuery(
    orpc.files.list.queryOptions({
      input: { accountId, holder, path },
      enabled: hasFiles,
      refetchInterval: EVERY_MS,
      retry: false,
    }),
  );
  const changed = () => queryClient.invalidateQueries({ queryKey: orpc.files.list.key() });
  const remove = useMutation({
    mutationFn: (entry: VolumeFile) => api.files.remove({ accountId, holder, path: join(path, entry.name) }),
    onSuccess: async () => {
      setAsking(null);
      await changed();
    },
  });
  const close = () => {
    remove.reset();
    setAsking(null);
  };
  const bring = (files: Iterable<File>) => {
    for (const file of files) upload({ accountId, holder, path: join(path, file.name) }, file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const items = [...event.dataTransfer.items].filter(({ kind }) => kind === 'file');
    const folders = items.filter((item) => item.webkitGetAsEntry()?.isDirectory === true);
    if (folders.length > 0) {
      notifications.show({
        title: 'Folders were left out',
        message: 'Make the folder here, and drop the files that are in it.',
        'data-tone': 'bad',
      });
    }
    bring(items.flatMap((item) => (folders.includes(item) ? [] : (item.getAsFile() ?? []))));
  };
  const entries = listing.data?.entries ?? [];
  const question = listing.data === undefined ? questionIn(listing.error) : null;
  const names = entries.map(({ name }) => name);
  const crumbs = crumbsOf(path);

  return (
    <div
      className={styles.browser}
      data-over={over || undefined}
      onDragOver={(event) => {
        if (!hasFiles) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => !event.currentTarget.contains(event.relatedTarget as Node | null) && setOver(false)}
      onDrop={drop}
    >
      <div className={styles.bar}>
        {back !== null && (
          <Tooltip label={back.label}>
            <ActionIcon aria-label={back.label} onClick={back.onBack}>
              <ArrowLeft size={15} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
        <nav aria-label="Folder">
          <ol className={styles.crumbs}>
            {[{ name, path: '' }, ...crumbs].map((crumb, index) => (
              <li key={crumb.path}>
                <button
                  type="button"
                  aria-current={index === crumbs.length ? 'location' : undefined}
                  onClick={() => show(crumb.path)}
                >
                  {crumb.name}
                </button>
              </li>
            ))}
          </ol>
        </nav>
        {hasFiles && (
          <>
            <Button
              size="xs"
              variant="default"
              leftSection={<FolderPlus size={13} aria-hidden />}
              onClick={() => setAsking({ what: 'folder' })}
            >
              New folder
            </Button>
            <Button size="xs" leftSection={<Upload size={13} aria-hidden />} onClick={() => picker.current?.click()}>
              Upload
            </Button>
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              aria-label="Files to upload"
              onChange={(event) => {
                bring(event.currentTarget.files ?? []);
                // The same file can be chosen again.
                event.currentTarget.value = '';
              }}
            />
          </>
        )}
      </div>
      <TransferList holder={holder} />
      {listing.isSuccess && holder.in === 'pod' && (
        <UnfinishedList accountId={accountId} holder={holder} everyMs={EVERY_MS} />
      )}
      {listing.isError && listing.data !== undefined && (
        <Notice tone="wait" title="This list may be old.">
          {errorText(listing.error)}
        </Notice>
      )}
      {absent !== null ? (
        <Empty title={absent.title}>{absent.text}</Empty>
      ) : question !== null ? (
        <SshQuestionNotice
          question={question}
          why={errorText(listing.error)}
          onAnswered={() => void listing.refetch()}
        />
      ) : listing.data === undefined && listing.isError ? (
        <Empty
          title="This folder could not be read"
          action={
            <Button onClick={() => (path === '' ? void listing.refetch() : show(''))}>
              {path === '' ? 'Try again' : `Go to ${name}`}
            </Button>
          }
        >
          {errorText(listing.error)}
        </Empty>
      ) : listing.data === undefined ? (
        <div className={styles.loading} role="group" aria-label="Loading" aria-busy="true">
          <Skeleton h={12} w="60%" radius={4} />
          <Skeleton h={12} w="45%" radius={4} />
          <Skeleton h={12} w="52%" radius={4} />
        </div>
      ) : entries.length === 0 ? (
        <Empty title="Nothing is in this folder">Drop files here, or choose them with Upload.</Empty>
      ) : (
        <div className={styles.list}>
          <FileTable
            entries={entries}
            onOpen={(entry) => show(join(path, entry.name))}
            onDownload={(entry) => download({ accountId, holder, path: join(path, entry.name) }, entry.sizeBytes)}
            onRename={(entry) => setAsking({ what: 'rename', entry })}
            onRemove={(entry) => setAsking({ what: 'remove', entry })}
          />
          {listing.data.truncated && (
            <p className={styles.more}>
              The first {formatCount(entries.length)} are shown. There are more: a terminal shows them all.
            </p>
          )}
        </div>
      )}
      {asking?.what === 'folder' && (
        <NameDialog
          title="New folder"
          action="Make it"
          name=""
          others={names}
          onClose={close}
          save={async (name) => {
            await api.files.makeFolder({ accountId, holder, path: join(path, name) });
            await changed();
          }}
        />
      )}
      {asking?.what === 'rename' && (
        <NameDialog
          title={`Rename ${asking.entry.name}`}
          action="Rename"
          name={asking.entry.name}
          others={names.filter((name) => name !== asking.entry.name)}
          onClose={close}
          save={async (name) => {
            await api.files.move({ accountId, holder, path: join(path, asking.entry.name), to: join(path, name) });
            await changed();
          }}
        />
      )}
      <ConfirmDialog
        opened={asking?.what === 'remove'}
        onClose={close}
        title={asking?.what === 'remove' ? `Delete ${asking.entry.name}?` : ''}
        action="Delete it"
        busy={remove.isPending}
        problem={remove.isError ? errorText(remove.error) : null}
        onConfirm={() => asking?.what === 'remove' && remove.mutate(asking.entry)}
      >
        {asking?.what === 'remove' && (
          <p>
            {asking.entry.kind === 'folder' ? (
              <>
                The folder goes <b>with everything in it</b>.
              </>
            ) : (
              'It is deleted.'
            )}{' '}
            This cannot be undone.
          </p>
        )}
      </ConfirmDialog>
    </div>
  );
}
