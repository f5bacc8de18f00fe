/** The files and folders in one folder of a volume. */
import { useEffect, useRef } from 'react';
import { Download, File, Folder, Link2, SquarePen, Trash2 } from 'lucide-react';
import type { VolumeFile } from '#contract/local/files.ts';
import { formatAgo, formatBytes, formatMemory, formatMoment } from '../text/format.ts';
import { useNow } from '../primitives/useNow.ts';
import styles from '../theme/resources.module.css';
import { RowMenu } from '../primitives/RowMenu.tsx';
import own from './files.module.css';
import { join } from './paths.ts';
import { t } from '../../language/text.ts';

interface FileTableProps {
  entries: readonly VolumeFile[];
  /** The folder of the entries. */
  path: string;
  /** The folder that was shown before; null if there was none. */
  left: string | null;
  onOpen: (entry: VolumeFile) => void;
  onDownload: (entry: VolumeFile) => void;
  onRename: (entry: VolumeFile) => void;
  onRemove: (entry: VolumeFile) => void;
}

/** Interval of updates: ages are shown in minutes. */
const AGO_MS = 30_000;

const icons = { file: File, folder: Folder, other: Link2 };
const sizeText = (bytes: number): string => (bytes < 1024 * 1024 ? formatBytes(bytes) : formatMemory(bytes));

/** After a folder was opened or left by one of its rows, the focus is in the new list: at the folder that was left, or at the first row. */
function useRowFocus(path: string, left: string | null) {
  const table = useRef<HTMLTableElement>(null);
  useEffect(() => {
    // The focus was lost with its row; elsewhere it stays.
    if (left === null || document.activeElement !== document.body) return;
    const rows = [...(table.current?.tBodies[0]?.rows ?? [])];
    const row = rows.find(({ dataset }) => join(path, dataset['name'] ?? '') === left) ?? rows[0];
    row?.querySelector('button')?.focus();
  }, [path, left]);
  return table;
}

export function FileTable({ entries, path, left, onOpen, onDownload, onRename, onRemove }: FileTableProps) {
  const now = useNow(AGO_MS);
  const table = useRowFocus(path, left);
  return (
    <table ref={table} className={styles.table} aria-label={t`Files`}>
      <thead>
        <tr>
          <th scope="col">{t`Name`}</th>
          <th scope="col" data-number>{t`Size`}</th>
          <th scope="col" data-number data-wide>{t`Changed`}</th>
          <th scope="col">
            <span className={styles.hidden}>{t`Actions`}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => {
          const Icon = icons[entry.kind];
          const changedAt = Date.parse(entry.modifiedAt);
          return (
            <tr key={entry.name} data-name={entry.name}>
              <th scope="row">
                <span className={own.name}>
                  <Icon size={14} strokeWidth={1.8} aria-hidden />
                  {entry.kind === 'folder' ? (
                    <button type="button" className={styles.open} onClick={() => onOpen(entry)}>
                      {entry.name}
                    </button>
                  ) : (
                    <span title={entry.name}>{entry.name}</span>
                  )}
                  {entry.kind === 'other' && <em>{t`is not a file, so it cannot be opened`}</em>}
                </span>
              </th>
              <td data-number>{entry.kind === 'file' ? sizeText(entry.sizeBytes) : '–'}</td>
              <td data-number data-wide title={formatMoment(changedAt)}>
                {formatAgo(changedAt, now)}
              </td>
              <td>
                <RowMenu
                  inPalette={false}
                  name={entry.name}
                  items={[
                    ...(entry.kind === 'file'
                      ? [{ label: t`Download`, icon: Download, onClick: () => onDownload(entry) }]
                      : []),
                    { label: t`Rename…`, icon: SquarePen, onClick: () => onRename(entry) },
                    { label: t`Delete…`, icon: Trash2, onClick: () => onRemove(entry) },
                  ]}
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
