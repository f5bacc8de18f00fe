/** The files and folders in one folder of a volume or a Pod. */
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import type { VolumeFile } from '#contract/local/files.ts';
import { isFocusFree } from '../../keyboard/pageFocus.ts';
import { useNow } from '../../primitives/useNow.ts';
import shared from '../../theme/resources.module.css';
import { join } from '../paths.ts';
import { FileRow, type FileRowActions, type RowCalls } from './FileRow.tsx';
import type { FileChoice } from './useFileChoice.ts';
import type { Removal } from './useRemoval.ts';
import ticks from '../../primitives/tick.module.css';
import styles from './table.module.css';
import { t } from '../../../language/text.ts';

interface FileTableProps extends FileRowActions {
  /** Those that are shown. */
  entries: readonly VolumeFile[];
  /** All names of the folder. */
  names: readonly string[];
  /** The folder of the entries. */
  path: string;
  /** The folder that was shown before; null if there was none. */
  left: string | null;
  choice: FileChoice;
  removal: Pick<Removal, 'stateOf'>;
}

/** Interval of updates: ages are shown in minutes. */
const AGO_MS = 30_000;

/**
 * The focus that was lost with its row goes to the row `wanted` (the folder that was left, or the file that has another
 * name now), else to the first row. Elsewhere it stays.
 */
function useRowFocus(path: string, wanted: string | null) {
  const table = useRef<HTMLTableElement>(null);
  useEffect(() => {
    if (wanted === null || !isFocusFree()) return;
    const rows = [...(table.current?.tBodies[0]?.rows ?? [])];
    const row = rows.find(({ dataset }) => join(path, dataset['name'] ?? '') === wanted) ?? rows[0];
    (row?.querySelector<HTMLElement>('th button') ?? row?.querySelector('input'))?.focus();
  }, [path, wanted]);
  return table;
}

/** The same functions as long as the table lives; they call the newest ones of `calls`. */
function useSteadyCalls(calls: RowCalls): RowCalls {
  const newest = useRef(calls);
  useLayoutEffect(() => {
    newest.current = calls;
  });
  const [steady] = useState<RowCalls>(() => ({
    onOpen: (entry) => newest.current.onOpen(entry),
    onDownload: (entries) => newest.current.onDownload(entries),
    onPickUp: (entries) => newest.current.onPickUp(entries),
    onRemove: (entries) => newest.current.onRemove(entries),
    rename: (entry, name) => newest.current.rename(entry, name),
    onChoose: (name, step) => newest.current.onChoose(name, step),
    onRename: (entry) => newest.current.onRename(entry),
    onRenamed: (name) => newest.current.onRenamed(name),
  }));
  return steady;
}

export function FileTable({ entries, names, path, left, choice, removal, ...actions }: FileTableProps) {
  const now = useNow(AGO_MS);
  const [renaming, setRenaming] = useState<string | null>(null);
  const [renamed, setRenamed] = useState<string | null>(null);
  const table = useRowFocus(path, renamed === null ? left : join(path, renamed));
  const { chosen } = choice;
  const startRename = (name: string) => {
    setRenamed(null);
    setRenaming(name);
  };

  const calls = useSteadyCalls({
    ...actions,
    onChoose: choice.choose,
    onRename: ({ name }) => startRename(name),
    onRenamed(name) {
      setRenaming(null);
      setRenamed(name);
    },
  });

  /** The file whose row has the focus; the chosen ones come before it. */
  const focusedIn = (event: KeyboardEvent): VolumeFile | undefined => {
    const name = event.target instanceof Element ? event.target.closest('tr')?.dataset['name'] : undefined;
    return entries.find((entry) => entry.name === name);
  };
  const keys: Record<string, (event: KeyboardEvent) => void> = {
    Delete(event) {
      const focused = focusedIn(event);
      if (chosen.length > 0) actions.onRemove(chosen);
      else if (focused) actions.onRemove([focused]);
    },
    F2(event) {
      const entry = chosen.length === 1 ? chosen[0] : focusedIn(event);
      if (entry) startRename(entry.name);
    },
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isAll = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a';
    const act = isAll ? choice.chooseAll : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act(event);
  };

  return (
    <table ref={table} className={`${shared.table} ${styles.table}`} aria-label={t`Files`} onKeyDown={onKeyDown}>
      <thead>
        <tr>
          <th scope="col">
            <input
              type="checkbox"
              className={ticks.tick}
              aria-label={t`Select all`}
              checked={chosen.length > 0 && chosen.length === entries.length}
              onChange={chosen.length === entries.length ? choice.clear : choice.chooseAll}
            />
          </th>
          <th scope="col">{t`Name`}</th>
          <th scope="col" data-number>{t`Size`}</th>
          <th scope="col" data-number data-medium>{t`Changed`}</th>
          <th scope="col">
            <span className={shared.hidden}>{t`Actions`}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <FileRow
            key={entry.name}
            {...calls}
            entry={entry}
            now={now}
            isChosen={choice.has(entry.name)}
            others={renaming === entry.name ? names.filter((name) => name !== entry.name) : null}
            removal={removal.stateOf(join(path, entry.name))}
          />
        ))}
      </tbody>
    </table>
  );
}
