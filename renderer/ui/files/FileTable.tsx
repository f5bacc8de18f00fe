/** What is in one folder of a volume. */
import { Download, File, Folder, Link2, SquarePen, Trash2 } from 'lucide-react';
import type { VolumeFile } from '#contract/local/files.ts';
import { formatAgo, formatBytes, formatMemory, formatMoment } from '../text/format.ts';
import { useNow } from '../primitives/useNow.ts';
import styles from '../theme/resources.module.css';
import { RowMenu } from '../primitives/RowMenu.tsx';
import own from './files.module.css';

interface FileTableProps {
  entries: readonly VolumeFile[];
  onOpen: (entry: VolumeFile) => void;
  onDownload: (entry: VolumeFile) => void;
  onRename: (entry: VolumeFile) => void;
  onRemove: (entry: VolumeFile) => void;
}

/** Ages are told in minutes. */
const AGO_MS = 30_000;

const icons = { file: File, folder: Folder, other: Link2 };
const sizeText = (bytes: number): string => (bytes < 1024 * 1024 ? formatBytes(bytes) : formatMemory(bytes));

export function FileTable({ entries, onOpen, onDownload, onRename, onRemove }: FileTableProps) {
  const now = useNow(AGO_MS);
  return (
    <table className={styles.table} aria-label="Files">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col" data-number>
            Size
          </th>
          <th scope="col" data-number data-wide>
            Changed
          </th>
          <th scope="col">
            <span className={styles.hidden}>Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => {
          const Icon = icons[entry.kind];
          const changedAt = Date.parse(entry.modifiedAt);
          return (
            <tr key={entry.name}>
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
                  {entry.kind === 'other' && <em>is no file, and stays closed</em>}
                </span>
              </th>
              <td data-number>{entry.kind === 'file' ? sizeText(entry.sizeBytes) : '–'}</td>
              <td data-number data-wide title={formatMoment(changedAt)}>
                {formatAgo(changedAt, now)}
              </td>
              <td>
                <RowMenu
                  name={entry.name}
                  items={[
                    ...(entry.kind === 'file'
                      ? [{ label: 'Download', icon: Download, onClick: () => onDownload(entry) }]
                      : []),
                    { label: 'Rename…', icon: SquarePen, onClick: () => onRename(entry) },
                    { label: 'Delete…', icon: Trash2, onClick: () => onRemove(entry) },
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
