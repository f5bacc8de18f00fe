/** The files and folders in one folder of a volume or a Pod, sorted as the person wants. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { VolumeFile } from '#contract/local/files.ts';
import { asJson, personalSetting } from '../../../state/personalSetting.ts';
import { gridSortSchema, sortRows, type GridSort } from '../../grid/sorting.ts';
import { isFocusFree } from '../../keyboard/pageFocus.ts';
import { DataGrid, type GridHandle, type GridPlace } from '../../primitives/DataGrid.tsx';
import { useNow } from '../../primitives/useNow.ts';
import { join } from '../paths.ts';
import { columnsOf, type CellFacts, type FileActions } from './cells.tsx';
import { FileMenu } from './FileMenu.tsx';
import type { FileChoice } from './useFileChoice.ts';
import type { Removal } from './useRemoval.ts';
import styles from './table.module.css';
import { t } from '../../../language/text.ts';

interface FileTableProps extends FileActions {
  /** Those that are shown. */
  entries: readonly VolumeFile[];
  /** All names of the folder. */
  names: readonly string[];
  /** The folder of the entries. */
  path: string;
  /** The name of the entry that the keyboard begins at; null for the first one. */
  start: string | null;
  /** The name of the folder that files are dragged over. */
  dropId: string | null;
  gridPlace: GridPlace;
  choice: FileChoice;
  removal: Pick<Removal, 'stateOf'>;
}

/** Interval of updates: ages are shown in minutes. */
const AGO_MS = 30_000;

const fileSort = personalSetting('files.sort', asJson(gridSortSchema), null);

const nameOf = ({ name }: VolumeFile): string => name;
const isFolder = ({ kind }: VolumeFile): boolean => kind === 'folder';

/** Folders stay before files. */
function sortFiles(entries: readonly VolumeFile[], columns: ReturnType<typeof columnsOf>, sort: GridSort) {
  if (sort === null) return entries;
  const [folders, others] = [entries.filter(isFolder), entries.filter((entry) => !isFolder(entry))];
  return [...sortRows(folders, columns, sort), ...sortRows(others, columns, sort)];
}

/** The same functions as long as the table lives; they call the newest ones of `actions`. */
function useSteadyActions(actions: FileActions): FileActions {
  const newest = useRef(actions);
  useLayoutEffect(() => {
    newest.current = actions;
  });
  const [steady] = useState<FileActions>(() => ({
    onOpen: (entry) => newest.current.onOpen(entry),
    onDownload: (entries) => newest.current.onDownload(entries),
    onPickUp: (entries) => newest.current.onPickUp(entries),
    onRemove: (entries) => newest.current.onRemove(entries),
    rename: (entry, name) => newest.current.rename(entry, name),
  }));
  return steady;
}

export function FileTable(props: FileTableProps) {
  const { entries, names, path, start, dropId, gridPlace, choice, removal, ...callbacks } = props;
  const now = useNow(AGO_MS);
  const grid = useRef<GridHandle>(null);
  const actions = useSteadyActions(callbacks);
  /** The name that is a field. */
  const [renaming, setRenaming] = useState<string | null>(null);
  const [renamed, setRenamed] = useState<string | null>(null);
  const [menu, setMenu] = useState<{ name: string; at: { x: number; y: number } } | null>(null);
  const { stateOf } = removal;
  const columns = useMemo(() => {
    const facts: CellFacts = {
      now,
      renaming,
      names,
      stateOf: (name) => stateOf(join(path, name)),
      onOpen: actions.onOpen,
      onMenu: (name, at) => setMenu({ name, at }),
      rename: actions.rename,
      onRenamed(name) {
        setRenaming(null);
        setRenamed(name);
      },
    };
    return columnsOf(facts);
  }, [now, renaming, names, stateOf, path, actions]);
  const sort = fileSort.use();
  const rows = useMemo(() => sortFiles(entries, columns, sort), [entries, columns, sort]);

  // The field that had the focus is gone.
  useEffect(() => {
    if (renamed !== null && isFocusFree()) grid.current?.focus();
  }, [renamed]);

  const { chosen } = choice;
  const startRename = ({ name }: VolumeFile) => {
    setRenamed(null);
    setRenaming(name);
  };
  const menuEntry = entries.find(({ name }) => name === menu?.name);
  return (
    <>
      <DataGrid
        label={t`Files`}
        place="file"
        handle={grid}
        columns={columns}
        rows={rows}
        idOf={nameOf}
        columnsClass={styles.columns}
        clicks="choose"
        textOf={nameOf}
        startId={renamed ?? start}
        heldId={renaming}
        dropId={dropId}
        gridPlace={gridPlace}
        sorting={{ sort, onSort: fileSort.set }}
        onOpen={(id) => {
          const entry = entries.find(({ name }) => name === id);
          if (entry && entry.kind !== 'other') actions.onOpen(entry);
        }}
        onMenu={({ name }, at) => setMenu({ name, at })}
        // The chosen ones come before the active one.
        keys={{
          Delete: (entry) => actions.onRemove(chosen.length > 0 ? chosen : [entry]),
          F2: (entry) => startRename(chosen.length === 1 ? (chosen[0] ?? entry) : entry),
        }}
        choice={{
          isChosen: ({ name }) => choice.has(name),
          onChoose: choice.choose,
          onAll: choice.chooseAll,
          onNone: choice.clear,
          count: chosen.length,
          countInList: chosen.length,
          nameOf,
          allLabel: t`Select all`,
        }}
      />
      {menu && menuEntry && (
        <FileMenu
          key={`${menu.name} ${menu.at.x} ${menu.at.y}`}
          entry={menuEntry}
          at={menu.at}
          {...actions}
          onRename={startRename}
          onClose={() => setMenu(null)}
        />
      )}
    </>
  );
}
