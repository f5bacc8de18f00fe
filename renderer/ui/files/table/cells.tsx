/** The cells of one file or folder: its name, size, time, and the button of its menu. */
import type { MouseEvent } from 'react';
import { ActionIcon } from '@mantine/core';
import { Ellipsis, File, Folder, Link2 } from 'lucide-react';
import type { VolumeFile } from '#contract/local/files.ts';
import type { GridColumn } from '../../primitives/DataGrid.tsx';
import { formatFileSize, formatMoment, formatSince } from '../../text/format.ts';
import { MiddleCut } from '../MiddleCut.tsx';
import { RenameField } from './RenameField.tsx';
import type { RemovalState } from './useRemoval.ts';
import styles from './table.module.css';
import { t } from '../../../language/text.ts';

export interface FileActions {
  /** Opens a folder, or shows a file. */
  onOpen: (entry: VolumeFile) => void;
  /** Downloads one file as it is, anything else as an archive. */
  onDownload: (entries: readonly VolumeFile[]) => void;
  /** Picks them up, to copy or move them into another folder. */
  onPickUp: (entries: readonly VolumeFile[]) => void;
  onRemove: (entries: readonly VolumeFile[]) => void;
  /** Rejects if the name cannot be had. */
  rename: (entry: VolumeFile, name: string) => Promise<void>;
}

/** What the cells show and do. */
export interface CellFacts extends Pick<FileActions, 'onOpen' | 'rename'> {
  now: number;
  /** The name that is a field; null for none. */
  renaming: string | null;
  /** All names of the folder. */
  names: readonly string[];
  stateOf: (name: string) => RemovalState | undefined;
  onMenu: (name: string, at: { x: number; y: number }) => void;
  onRenamed: (name: string) => void;
}

const icons = { file: File, folder: Folder, other: Link2 };

export const columnsOf = (facts: CellFacts): readonly GridColumn<VolumeFile>[] => [
  {
    title: t`Name`,
    sort: { id: 'name', valueOf: ({ name }) => name },
    cell: (entry) => <NameCell entry={entry} {...facts} />,
  },
  {
    title: t`Size`,
    sort: { id: 'size', valueOf: ({ kind, sizeBytes }) => (kind === 'file' ? sizeBytes : null) },
    cell: ({ kind, sizeBytes }) => (kind === 'file' ? formatFileSize(sizeBytes) : '–'),
  },
  {
    title: t`Changed`,
    sort: { id: 'changed', valueOf: ({ modifiedAt }) => Date.parse(modifiedAt) },
    cell: ({ modifiedAt }) => {
      const changedAt = Date.parse(modifiedAt);
      return <span title={formatMoment(changedAt)}>{formatSince(changedAt, facts.now)}</span>;
    },
  },
  { title: t`Actions`, cell: (entry) => <MenuCell entry={entry} {...facts} /> },
];

/** Whether a person may act on the entry: not while it is deleted. */
const isIdle = (removal: RemovalState | undefined): boolean => removal === undefined || removal.is === 'failed';

function MenuCell({ entry, stateOf, onMenu }: CellFacts & { entry: VolumeFile }) {
  const { name } = entry;
  if (!isIdle(stateOf(name))) return null;
  return (
    <ActionIcon
      aria-label={t`More for ${name}`}
      aria-haspopup="menu"
      // Keys reach the menu from the row.
      tabIndex={-1}
      onClick={(event: MouseEvent) => {
        event.stopPropagation();
        const { left, bottom } = event.currentTarget.getBoundingClientRect();
        onMenu(name, { x: left, y: bottom });
      }}
    >
      <Ellipsis size={15} aria-hidden />
    </ActionIcon>
  );
}

function NameCell({ entry, names, renaming, rename, onRenamed, onOpen, stateOf }: CellFacts & { entry: VolumeFile }) {
  const { name, kind } = entry;
  const Icon = icons[kind];
  const removal = stateOf(name);
  if (renaming === name) {
    const others = names.filter((other) => other !== name);
    return (
      <span className={styles.name}>
        <Icon size={14} strokeWidth={1.8} aria-hidden />
        <RenameField name={name} others={others} save={(to) => rename(entry, to)} onClose={onRenamed} />
      </span>
    );
  }
  return (
    <span className={styles.name} data-state={removal?.is}>
      <Icon size={14} strokeWidth={1.8} aria-hidden />
      {kind === 'other' ? (
        <MiddleCut text={name} />
      ) : (
        <button
          type="button"
          className={styles.open}
          data-kind={kind}
          // Enter opens the row.
          tabIndex={-1}
          onClick={(event) => {
            // With these keys, a click on the row selects it.
            if (event.shiftKey || event.ctrlKey || event.metaKey) return;
            event.stopPropagation();
            // The second click of a double click may meet a row of the folder that the first one has opened.
            if (event.detail < 2) onOpen(entry);
          }}
        >
          <MiddleCut text={name} />
        </button>
      )}
      {kind === 'other' && <em>{t`is not a file, so it cannot be opened`}</em>}
      {(removal?.is === 'running' || removal?.is === 'waiting') && <em>{t`Deleting…`}</em>}
      {removal?.is === 'failed' && (
        <em role="alert" title={removal.problem}>
          {t`Not deleted: ${removal.problem}`}
        </em>
      )}
    </span>
  );
}
