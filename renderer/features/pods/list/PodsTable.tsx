/** The list of Pods with their current load, sorted as the person wants. */
import { useMemo, type Dispatch, type SetStateAction } from 'react';
import { costPerHourNow } from '#contract/app/podCost.ts';
import { useCommands } from '../../../state/commands.ts';
import { asJson, personalSetting } from '../../../state/personalSetting.ts';
import { gridSortSchema, sortRows } from '../../../ui/grid/sorting.ts';
import { formatUptime, formatPercent } from '../../../ui/text/format.ts';
import { DataGrid, GridSkeleton, type GridColumn } from '../../../ui/primitives/DataGrid.tsx';
import { formatMoney } from '../../../ui/text/money.ts';
import { useNow } from '../../../ui/primitives/useNow.ts';
import { PortsCell } from '../actions/firstPage.tsx';
import { stopWords } from '../autoStop/autoStopWords.ts';
import { PodChip } from '../PodChip.tsx';
import { hardwareOf, loadOf, restartWords, startWords } from '../podState.ts';
import { stateOf, type PodState, type ShownPod } from '../../../ui/text/podWords.ts';
import styles from './table.module.css';
import { t } from '../../../language/text.ts';

const percent = (value: number | null): string => (value === null ? '–' : formatPercent(value));

const uptimeOf = ({ facts }: ShownPod): number | null => facts?.runtime?.uptimeInSeconds ?? null;
/** What it costs now; null while it should not run, has no price, or nothing of its price is billed. */
function priceOf(row: ShownPod): number | null {
  const { desiredStatus, costPerHr } = row.pod;
  const price = costPerHourNow(row);
  return desiredStatus !== 'RUNNING' || costPerHr === 0 || price < costPerHr ? null : price;
}
const memoryOf = (row: ShownPod): number | null => loadOf(row).gpuMemory ?? loadOf(row).memory;

/** What needs a person stands first. */
const stateOrder: readonly PodState[] = [
  'looping',
  'failing',
  'restarting',
  'preparing',
  'unreported',
  'running',
  'stopping',
  'resetting',
  'deleting',
  'stopped',
];

const columnsOf = (accountId: string): readonly GridColumn<ShownPod>[] => [
  {
    title: t`Name`,
    sort: { id: 'name', valueOf: ({ pod }) => pod.name },
    cell: (row) => <NameCell row={row} />,
  },
  {
    title: t`State`,
    isState: true,
    sort: { id: 'state', valueOf: (row) => stateOrder.indexOf(stateOf(row).state) },
    cell: (row) => <PodChip {...stateOf(row)} />,
  },
  { title: t`GPU`, sort: { id: 'gpu', valueOf: hardwareOf }, cell: hardwareOf },
  {
    title: '$/h',
    sort: { id: 'price', valueOf: priceOf },
    cell: (row) => {
      const price = priceOf(row);
      return price === null ? '–' : formatMoney(price);
    },
  },
  {
    title: t`Up`,
    sort: { id: 'up', valueOf: uptimeOf },
    cell: (row) => {
      const seconds = uptimeOf(row);
      return seconds === null ? '–' : formatUptime(seconds * 1000);
    },
  },
  {
    title: t`GPU %`,
    sort: { id: 'load', valueOf: (row) => loadOf(row).gpu },
    cell: (row) => percent(loadOf(row).gpu),
  },
  { title: t`GPU mem %`, sort: { id: 'memory', valueOf: memoryOf }, cell: (row) => percent(memoryOf(row)) },
  { title: t`Ports`, cell: (row) => <PortsCell accountId={accountId} row={row} /> },
];

/** The words of an automatic stop count minutes. */
const MINUTES_SHOWN_MS = 10_000;

/** Its name, and below it what a person should know of it, else its image. */
function NameCell({ row }: { row: ShownPod }) {
  const now = useNow((row.autoStop?.next ?? null) === null ? null : MINUTES_SHOWN_MS);
  const stop = stopWords(row, now);
  const words = stop ?? restartWords(row) ?? startWords(row);
  return (
    <span className={styles.name} data-told={words !== null || undefined}>
      <b title={row.pod.name}>{row.pod.name}</b>
      <em
        title={words?.long ?? row.pod.imageName}
        data-told={words !== null || undefined}
        data-stops={(stop !== null && row.pod.desiredStatus === 'RUNNING') || undefined}
      >
        {words?.short ?? row.pod.imageName}
      </em>
    </span>
  );
}

const podSort = personalSetting('pods.sort', asJson(gridSortSchema), null);

export interface PodsTableProps {
  accountId: string;
  rows: readonly ShownPod[];
  stale: boolean;
  openId: string | null;
  onOpen: (podId: string) => void;
  onClose: () => void;
  /** The ids of the Pods that are selected. */
  chosen: ReadonlySet<string>;
  onChosen: Dispatch<SetStateAction<ReadonlySet<string>>>;
  /** Opens the menu of a Pod at a place of the window. */
  onMenu: (row: ShownPod, at: { x: number; y: number }) => void;
}

const idOf = ({ pod }: ShownPod): string => pod.id;

export function PodsTable({ accountId, rows, chosen, onChosen, ...rest }: PodsTableProps) {
  const columns = useMemo(() => columnsOf(accountId), [accountId]);
  const sort = podSort.use();
  const sorted = useMemo(() => sortRows(rows, columns, sort), [rows, columns, sort]);
  const choose = (changed: readonly ShownPod[], isChosen: boolean) =>
    onChosen((before) => {
      const next = new Set(before);
      for (const { pod } of changed) {
        if (isChosen) next.add(pod.id);
        else next.delete(pod.id);
      }
      return next;
    });
  const count = rows.filter(({ pod }) => chosen.has(pod.id)).length;
  const chooseAll = () => choose(rows, true);
  const chooseNone = () => onChosen(new Set());
  useCommands([
    count < rows.length && { label: t`Select all Pods`, run: chooseAll },
    count > 0 && { label: t`Clear the selection of Pods`, run: chooseNone },
  ]);
  return (
    <DataGrid
      label={t`Pods`}
      place="pod"
      columns={columns}
      rows={sorted}
      idOf={idOf}
      columnsClass={styles.columns}
      sorting={{ sort, onSort: podSort.set }}
      choice={{
        isChosen: ({ pod }) => chosen.has(pod.id),
        onChoose: choose,
        onAll: chooseAll,
        onNone: chooseNone,
        count,
        countInList: count,
        nameOf: ({ pod }) => pod.name,
        allLabel: t`Select all Pods`,
      }}
      {...rest}
    />
  );
}

const SKELETON_WIDTHS = ['14px', '70%', '80px', '70%', '36px', '40px', '28px', '28px', '80%'];

export const TableSkeleton = () => <GridSkeleton columnsClass={styles.columns} widths={SKELETON_WIDTHS} />;
