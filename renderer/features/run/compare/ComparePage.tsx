/** Compare: one input on several endpoints, on this computer and on other accounts, side by side. */
import { Suspense, useRef, useState } from 'react';
import { Button, Kbd, SegmentedControl, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueries } from '@tanstack/react-query';
import { Play, Square } from 'lucide-react';
import type { Account } from '#contract/app/account.ts';
import type { RunMode } from '#contract/app/ledger.ts';
import { useAccounts } from '../../../client/accounts.ts';
import { ownJobsOptions } from '../../../client/jobs/ownJobs.ts';
import { useJobRates } from '../../../client/jobs/jobRates.ts';
import { api, errorText, orpc, useConnection } from '../../../client/transport/orpc.ts';
import { useCommands } from '../../../state/commands.ts';
import { draftText, runMode, setDraft } from '../../../state/drafts.ts';
import { navigate } from '../../../state/route.ts';
import { lastEndpoint, targetAccount } from '../../../state/selection.ts';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { PageTitle } from '../../../ui/page/PageTitle.tsx';
import { Card } from '../../../ui/primitives/Card.tsx';
import { ScrollGroupContext } from '../../../ui/scroll/equalScroll.ts';
import { lazyPart } from '../../../ui/primitives/lazyPart.ts';
import { Empty } from '../../../ui/primitives/Notice.tsx';
import { keyLabel } from '../../../ui/keyboard/shortcuts.ts';
import { accountTitle } from '../../../ui/text/accountName.ts';
import { offerUndo } from '../../../ui/undo/offerUndo.tsx';
import { bodySize, lintRequest } from '../editor/lintRequest.ts';
import { FileRows } from '../files/FileRows.tsx';
import { FileWayMenu } from '../files/FileWayMenu.tsx';
import { useAttendedInput, useUploading } from '../files/inputFiles.ts';
import { InsertFile } from '../files/InsertFile.tsx';
import { EditorSkeleton } from '../form/InputTabs.tsx';
import runStyles from '../run.module.css';
import { usualOf } from '../usualRuns.ts';
import { BACK_WORDS, BackToOne } from '../BackToOne.tsx';
import { CompareColumn } from './CompareColumn.tsx';
import page from '../../../ui/theme/page.module.css';
import styles from './compare.module.css';
import { columnPriceWords, priceOf, totalWords, type ColumnPrice } from './comparePrice.ts';
import {
  addColumn,
  columnKey,
  columns as columnSetting,
  COMPARE_DRAFT,
  MOST_COLUMNS,
  removeColumn,
  runAll,
  type Column,
} from './comparison.ts';
import { EarlierMenu } from './EarlierMenu.tsx';
import { useEqualScroll } from './useEqualScroll.ts';
import { ReasonField } from '../../../ui/popover/ReasonField.tsx';
import { t } from '../../../language/text.ts';

const RequestEditor = lazyPart(() => import('../editor/RequestEditor.tsx'));

const EMPTY_BODY = '{\n  "input": {}\n}';
const modes: { value: RunMode; label: string }[] = [
  { value: 'run', label: t`Stream` },
  { value: 'runsync', label: t`Wait for result` },
];
const NEWEST = 100;

const stop = (entryId: string): void =>
  void api.jobs
    .cancel({ entryId })
    .catch((error: unknown) =>
      notifications.show({ title: t`Not stopped`, message: errorText(error), 'data-tone': 'bad' }),
    );

function remove(column: Column): void {
  const putBack = removeColumn(columnKey(column));
  offerUndo(t`Removed the column ${column.endpointName}`, () => {
    if (putBack()) return;
    const message = t`A comparison has at most ${MOST_COLUMNS} columns`;
    notifications.show({ title: t`Not added`, message, 'data-tone': 'bad' });
  });
}

const showOne = (): void => navigate({ page: 'run', endpointId: lastEndpoint.get(targetAccount.get()) });

const runWords = (count: number): string => (count > 1 ? t`Run all ${count}` : t`Run`);

function withEntry(before: ReadonlySet<string>, entryId: string, isIn: boolean): ReadonlySet<string> {
  const after = new Set(before);
  if (isIn) after.add(entryId);
  else after.delete(entryId);
  return after;
}

export default function ComparePage() {
  const columns = columnSetting.use();
  const accounts = useAccounts() ?? [];
  const text = draftText.use(COMPARE_DRAFT) ?? EMPTY_BODY;
  const mode = runMode.use(COMPARE_DRAFT);
  const connected = useConnection((status) => status.state === 'open');
  const [running, setRunning] = useState<ReadonlySet<string>>(new Set());
  const [reveal, setReveal] = useState(0);
  const [picked, setPicked] = useState<readonly File[] | null>(null);
  const [checkedText, setCheckedText] = useState<string | null>(null);
  useAttendedInput(COMPARE_DRAFT, text, (next) => setDraft(COMPARE_DRAFT, next));
  const uploading = useUploading(COMPARE_DRAFT);
  const prices = usePrices(columns, accounts);

  const size = bodySize(text, mode);
  const problem = checkedText === text ? lintRequest(text)[0] : undefined;
  const blocked = !connected
    ? t`Not connected to Hangar.`
    : columns.length === 0
      ? t`Add a column first.`
      : running.size > 0
        ? t`Jobs of this comparison still run. Stop them or wait for their end.`
        : uploading !== null
          ? uploading
          : size.tooLarge
            ? t`The body is too large: ${size.words}. Pass a link to the data.`
            : null;
  const run = () => {
    if (blocked !== null) return;
    setCheckedText(text);
    if (lintRequest(text).length > 0) setReveal((count) => count + 1);
    else void runAll(text, mode);
  };
  const noteRunning = (entryId: string, isRunning: boolean) =>
    setRunning((before) => withEntry(before, entryId, isRunning));
  const stopAll = () => {
    for (const { entryId } of columns) if (entryId !== null && running.has(entryId)) stop(entryId);
  };
  const total = totalWords([...prices.values()]);
  const spends = [...prices.values()].some((price) => price.spends);
  useCommands([
    blocked === null && {
      label: runWords(columns.length),
      keys: 'Mod+Enter',
      isMain: true,
      ...(total !== null && { description: total }),
      run,
    },
    running.size > 0 && { label: t`Stop all`, keys: 'Mod+.', isMain: true, run: stopAll },
    ...modes
      .filter(({ value }) => value !== mode)
      .map(({ value, label }) => ({ label: t`Mode: ${label}`, run: () => runMode.set(COMPARE_DRAFT, value) })),
    ...columns.map((column) => ({
      label: t`Remove the column ${column.endpointName} on ${accountName(column.accountId, accounts)}`,
      run: () => remove(column),
    })),
    { label: BACK_WORDS, description: t`Leaves the comparison`, run: showOne },
  ]);

  const hint = problem ? t`Not sent. Line ${problem.line}: ${problem.message}` : blocked;
  return (
    <div className={page.page}>
      <header className={page.pageHead}>
        <PageTitle name={t`Compare`} />
        <BackToOne onBack={showOne} />
        <SegmentedControl
          aria-label={t`Mode`}
          data={modes}
          value={mode}
          onChange={(value) => runMode.set(COMPARE_DRAFT, value)}
        />
        <span className={runStyles.inputs}>
          <EarlierMenu />
        </span>
      </header>
      <div className={styles.body}>
        <Card aria-label={t`Request`}>
          <FileRows draftKey={COMPARE_DRAFT} />
          <div className={styles.editor}>
            <Suspense fallback={<EditorSkeleton />}>
              <RequestEditor
                documentKey={COMPARE_DRAFT}
                text={text}
                onChange={(next) => setDraft(COMPARE_DRAFT, next)}
                revealProblem={reveal}
                picked={picked}
                limitBytes={size.limit}
              />
            </Suspense>
          </div>
          <div className={styles.bar}>
            <ColumnPicker accounts={accounts} columns={columns} />
            <span className={styles.fileLinks}>
              <FileWayMenu />
              <InsertFile onPick={setPicked} />
            </span>
            <span className={styles.hint} data-wrong={problem !== undefined || undefined} role="status">
              {hint}
            </span>
            {running.size > 0 && (
              <Button
                variant="default"
                leftSection={<Square size={10} fill="currentColor" aria-hidden />}
                rightSection={<Kbd aria-hidden>{keyLabel('Mod+.')}</Kbd>}
                onClick={stopAll}
              >{t`Stop all`}</Button>
            )}
            <RunAll count={columns.length} total={total} spends={spends} blocked={blocked} onRun={run} />
          </div>
        </Card>
        <Columns columns={columns} accounts={accounts} prices={prices} onStop={stop} onRunning={noteRunning} />
      </div>
    </div>
  );
}

interface RunAllProps {
  /** Columns. */
  count: number;
  /** What all of them cost, in words; null if nothing is paid. */
  total: string | null;
  /** Whether a column is of an account whose jobs cost money. */
  spends: boolean;
  /** Why nothing can be sent now; null when it can. */
  blocked: string | null;
  onRun: () => void;
}

const RunAll = ({ count, total, spends, blocked, onRun }: RunAllProps) => (
  <ReasonButton
    leftSection={<Play size={13} fill="currentColor" aria-hidden />}
    rightSection={<Kbd aria-hidden>{keyLabel('Mod+Enter')}</Kbd>}
    aria-keyshortcuts="Control+Enter Meta+Enter"
    whyNot={blocked}
    data-spends={spends || undefined}
    onClick={onRun}
  >
    {runWords(count)}
    {total !== null && ` · ${total}`}
  </ReasonButton>
);

interface ColumnsProps extends Pick<Parameters<typeof CompareColumn>[0], 'onStop' | 'onRunning'> {
  columns: readonly Column[];
  accounts: readonly Account[];
  prices: ReadonlyMap<string, ColumnPrice>;
}

function Columns({ columns, accounts, prices, onStop, onRunning }: ColumnsProps) {
  const { group, handlers } = useEqualScroll();
  if (columns.length === 0) {
    return (
      <Card grow aria-label={t`Columns`}>
        <Empty
          title={t`Which endpoints?`}
        >{t`Add two or more endpoints above, of this computer or of other accounts. Each gets a column with its output, its times and its cost.`}</Empty>
      </Card>
    );
  }
  return (
    <ScrollGroupContext value={group}>
      <div className={styles.columns} {...handlers}>
        {columns.map((column) => (
          <div key={columnKey(column)} className={styles.column} data-column>
            <CompareColumn
              column={column}
              accountName={accountName(column.accountId, accounts)}
              price={columnPriceWords(prices.get(columnKey(column)) ?? { amount: null, spends: false })}
              onRemove={() => remove(column)}
              onStop={onStop}
              onRunning={onRunning}
            />
          </div>
        ))}
      </div>
    </ScrollGroupContext>
  );
}

const accountName = (id: string, accounts: readonly Account[]): string =>
  accountTitle(id, accounts.find((account) => account.id === id)?.name ?? t`A removed account`);

/** By `columnKey`. */
function usePrices(columns: readonly Column[], accounts: readonly Account[]) {
  const rates = useJobRates(columns.map(({ accountId }) => accountId));
  const usual = useQueries({
    queries: columns.map(({ accountId, endpointId }) =>
      ownJobsOptions({ accountId, endpointId, statuses: ['COMPLETED'] }, NEWEST),
    ),
  });
  const usualMs = new Map(
    columns.flatMap((column, index) => {
      const usualPage = usual[index]?.data;
      const runs = usualPage && usualOf(usualPage.entries, usualPage.matching);
      return runs ? [[columnKey(column), (runs.fromMs + runs.toMs) / 2] as const] : [];
    }),
  );
  const spending = new Set(accounts.filter(({ kind }) => kind === 'cloud').map(({ id }) => id));
  return new Map(columns.map((column) => [columnKey(column), priceOf(column, rates, usualMs, spending)]));
}

/** Adds a column for an endpoint of any account. */
function ColumnPicker({ accounts, columns }: { accounts: readonly Account[]; columns: readonly Column[] }) {
  const receivers = accounts.filter(({ capabilities }) => capabilities.includes('jobs'));
  const lists = useQueries({
    queries: receivers.map(({ id }) => orpc.endpoints.list.queryOptions({ input: { accountId: id }, retry: false })),
  });
  const taken = new Set(columns.map(columnKey));
  const groups = receivers.map(({ id, name }, index) => ({
    group: accountTitle(id, name),
    items: (lists[index]?.data ?? [])
      .filter((endpoint) => !taken.has(columnKey({ accountId: id, endpointId: endpoint.id })))
      .map((endpoint) => ({
        value: columnKey({ accountId: id, endpointId: endpoint.id }),
        label: endpoint.available ? endpoint.name : t`${endpoint.name} (cannot run there)`,
        disabled: !endpoint.available,
      })),
  }));
  const isFull = columns.length >= MOST_COLUMNS;
  const field = useRef<HTMLInputElement>(null);
  useCommands([!isFull && { label: t`Add a column`, run: () => field.current?.focus() }]);
  const unread = receivers.filter((_, index) => lists[index]?.isError).map(({ id, name }) => accountTitle(id, name));
  const [search, setSearch] = useState('');
  const add = (value: string | null) => {
    // After the field has taken the name of the endpoint as its text.
    queueMicrotask(() => setSearch(''));
    for (const [index, { id: accountId }] of receivers.entries()) {
      const endpoint = lists[index]?.data?.find(({ id }) => columnKey({ accountId, endpointId: id }) === value);
      if (endpoint) addColumn({ accountId, endpointId: endpoint.id, endpointName: endpoint.name });
    }
  };
  return (
    <ReasonField
      whyNot={isFull ? t`A comparison has at most ${MOST_COLUMNS} columns` : null}
      hint={unread.length > 0 ? t`Not read: ${unread.join(', ')}` : undefined}
    >
      <Select
        ref={field}
        aria-label={t`Add a column`}
        placeholder={t`Add a column`}
        searchable
        searchValue={search}
        onSearchChange={setSearch}
        w={210}
        data={groups.filter(({ items }) => items.length > 0)}
        value={null}
        onChange={add}
        nothingFoundMessage={t`No endpoint name contains this`}
      />
    </ReasonField>
  );
}
