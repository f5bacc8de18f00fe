/** One file or folder: its name, size, time, and what can be done with it. */
import { memo, useState, type MouseEvent } from 'react';
import { Copy, Download, Eye, File, Folder, Link2, SquarePen, Trash2 } from 'lucide-react';
import type { VolumeFile } from '#contract/local/files.ts';
import { formatFileSize, formatMoment, formatSince } from '../../text/format.ts';
import { PointedMenu, RowMenu, type RowMenuItem } from '../../primitives/RowMenu.tsx';
import shared from '../../theme/resources.module.css';
import { MiddleCut } from '../MiddleCut.tsx';
import { RenameField } from './RenameField.tsx';
import { stepOf, type ChoiceStep } from './useFileChoice.ts';
import type { RemovalState } from './useRemoval.ts';
import ticks from '../../primitives/tick.module.css';
import styles from './table.module.css';
import { t } from '../../../language/text.ts';

export interface FileRowActions {
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

/** What a row asks of its table. */
export interface RowCalls extends FileRowActions {
  onChoose: (name: string, step: ChoiceStep) => void;
  onRename: (entry: VolumeFile) => void;
  onRenamed: (name: string) => void;
}

interface FileRowProps extends RowCalls {
  entry: VolumeFile;
  now: number;
  isChosen: boolean;
  /** The other names of the folder while the name of this one is a field; null otherwise. */
  others: readonly string[] | null;
  removal: RemovalState | undefined;
}

const icons = { file: File, folder: Folder, other: Link2 };

/** What in a row takes its clicks for itself. */
const OWN = 'button, input, a, [role=menu], em';

/** A folder may have thousands of rows: only those are drawn again whose properties changed. */
export const FileRow = memo((props: FileRowProps) => {
  const { entry, now, isChosen, onChoose, removal } = props;
  const { name, kind } = entry;
  const changedAt = Date.parse(entry.modifiedAt);
  const onClick = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest(OWN)) return;
    onChoose(name, stepOf(event, 'only'));
  };
  const hasMenu = removal === undefined || removal.is === 'failed';
  const [menuAt, setMenuAt] = useState<{ x: number; y: number } | null>(null);
  const onContextMenu = (event: MouseEvent) => {
    // A field has the menu of the browser.
    if (!hasMenu || (event.target instanceof Element && event.target.closest('input:not([type=checkbox])'))) return;
    event.preventDefault();
    setMenuAt({ x: event.clientX, y: event.clientY });
  };
  return (
    <tr data-name={name} data-chosen={isChosen || undefined} onClick={onClick} onContextMenu={onContextMenu}>
      <td>
        <input
          type="checkbox"
          className={ticks.tick}
          aria-label={t`Select ${name}`}
          checked={isChosen}
          onClick={(event) => onChoose(name, event.shiftKey ? 'range' : 'toggle')}
          // The click has the Shift key, a change has not.
          onChange={() => undefined}
        />
      </td>
      <th scope="row">
        <NameCell {...props} />
      </th>
      <td data-number>{kind === 'file' ? formatFileSize(entry.sizeBytes) : '–'}</td>
      <td data-number data-medium title={formatMoment(changedAt)}>
        {formatSince(changedAt, now)}
      </td>
      <td>
        {hasMenu && <RowMenu inPalette={false} name={name} items={itemsOf(props)} />}
        {hasMenu && menuAt !== null && (
          <PointedMenu name={name} items={itemsOf(props)} at={menuAt} onClose={() => setMenuAt(null)} />
        )}
      </td>
    </tr>
  );
});

const itemsOf = ({ entry, onOpen, onDownload, onPickUp, onRename, onRemove }: FileRowProps): RowMenuItem[] => [
  ...(entry.kind === 'file' ? [{ label: t`Open`, icon: Eye, onClick: () => onOpen(entry) }] : []),
  ...(entry.kind === 'other'
    ? []
    : [
        {
          label: entry.kind === 'folder' ? t`Download as ZIP` : t`Download`,
          icon: Download,
          onClick: () => onDownload([entry]),
        },
      ]),
  { label: t`Rename`, icon: SquarePen, onClick: () => onRename(entry) },
  { label: t`Copy or move`, icon: Copy, onClick: () => onPickUp([entry]) },
  { label: t`Delete…`, icon: Trash2, onClick: () => onRemove([entry]) },
];

function NameCell({ entry, others, rename, onRenamed, onOpen, onChoose, removal }: FileRowProps) {
  const { name, kind } = entry;
  const Icon = icons[kind];
  if (others !== null) {
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
          className={shared.open}
          data-kind={kind}
          onClick={(event) => {
            const step = stepOf(event, 'only');
            if (step === 'only') onOpen(entry);
            else onChoose(name, step);
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
