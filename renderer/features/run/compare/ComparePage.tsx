/** Compare: one input on several endpoints, on this computer and on other accounts, side by side. */
import { useDeferredValue, useMemo, useState } from 'react';
import { Button, Kbd } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Play, Square } from 'lucide-react';
import type { Account } from '#contract/app/account.ts';
import type { RunMode } from '#contract/app/ledger.ts';
import { useAccounts } from '../../../client/accounts.ts';
import { ownJobsOptions } from '../../../client/jobs/ownJobs.ts';
import { useJobRates } from '../../../client/jobs/jobRates.ts';
import { api, errorText, orpc, useConnection } from '../../../client/transport/orpc.ts';
import { useCommands } from '../../../state/commands.ts';
import { draftKey, draftText, runMode, setDraft } from '../../../state/drafts.ts';
import { navigate } from '../../../state/route.ts';
import { lastEndpoint, targetAccount } from '../../../state/selection.ts';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { PageTitle } from '../../../ui/page/PageTitle.tsx';
import { Card } from '../../../ui/primitives/Card.tsx';
import { ScrollGroupContext } from '../../../ui/scroll/equalScroll.ts';
import { lazyPart } from '../../../ui/primitives/lazyPart.ts';
import { Empty } from '../../../ui/primitives/Notice.tsx';
import { keyLabel } from '../../../ui/keyboard/shortcuts.ts';
import { indentLine } from '../../../ui/job/jsonText.ts';
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
  columns as columnSetting,
  columnTitles,
  COMPARE_DRAFT,
  MOST_COLUMNS,
  placeKey,
  removeColumn,
  runAll,
  type Column,
  type NamedPlace,
} from './comparison.ts';
import { ColumnPicker } from './ColumnPicker.tsx';
import { EarlierMenu } from './EarlierMenu.tsx';
import { cannotTakeFields, proposedFields } from './ownFields.ts';
import { useEqualScroll } from './useEqualScroll.ts';
import { Segments } from '../../../ui/tabs/Segments.tsx';
import { t } from '../../../language/text.ts';

const RequestEditor = lazyPart(
  () => import('../editor/RequestEditor.tsx'),
  () => <EditorSkeleton />,
);

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

function remove(id: string, title: string): void {
  const putBack = removeColumn(id);
  offerUndo(t`Removed the column ${title}`, () => {
    if (putBack()) return;
    const message = t`A comparison has at most ${MOST_COLUMNS} columns`;
    notifications.show({ title: t`Not added`, message, 'data-tone': 'bad' });
  });
}

/** Adds a column. Where its endpoint has one, its own fields open: with the same input, the two would compare nothing. */
function addAndEdit(place: NamedPlace, own: string | undefined, edit: (id: string) => void): void {
  const isAgain = columnSetting.get().some((column) => placeKey(column) === placeKey(place));
  const added = addColumn(place, own);
  if (added !== null && isAgain) edit(added.id);
}

const showOne = (): void => navigate({ page: 'run', endpointId: lastEndpoint.get(targetAccount.get()) });

const nameOfAccount = (id: string, accounts: readonly Account[]): string =>
  accountTitle(id, accounts.find((account) => account.id === id)?.name ?? t`A removed account`);

const runWords = (count: number): string => (count > 1 ? t`Run all ${count}` : t`Run`);

interface Obstacles {
  connected: boolean;
  /** Whether there is no column. */
  isEmpty: boolean;
  isRunning: boolean;
  /** Why a file of the input is not there yet. */
  uploading: string | null;
  /** The size of a body that is too large. */
  tooLarge: string | null;
  wrongField: string | null;
}

/** Why nothing can be sent now, for a person; null when it can. */
function whyBlocked({ connected, isEmpty, isRunning, uploading, tooLarge, wrongField }: Obstacles): string | null {
  if (!connected) return t`Not connected to Hangar.`;
  if (isEmpty) return t`Add a column first.`;
  if (isRunning) return t`Jobs of this comparison still run. Stop them or wait for their end.`;
  if (uploading !== null) return uploading;
  return tooLarge === null ? wrongField : t`The body is too large: ${tooLarge}. Pass a link to the data.`;
}

function withEntry(before: ReadonlySet<string>, entryId: string, isIn: boolean): ReadonlySet<string> {
  const after = new Set(before);
  if (isIn) after.add(entryId);
  else after.delete(entryId);
  return after;
}

export default function ComparePage() {
  const columns = columnSetting.use();
  const accounts = useAccounts() ?? [];
  const first = useInputOf(columns[0]);
  const text = draftText.use(COMPARE_DRAFT) ?? first ?? EMPTY_BODY;
  const mode = runMode.use(COMPARE_DRAFT);
  const connected = useConnection((status) => status.state === 'open');
  const [running, setRunning] = useState<ReadonlySet<string>>(new Set());
  const [reveal, setReveal] = useState(0);
  const [picked, setPicked] = useState<readonly File[] | null>(null);
  const [checkedText, setCheckedText] = useState<string | null>(null);
  useAttendedInput(COMPARE_DRAFT, text, (next) => setDraft(COMPARE_DRAFT, next));
  const uploading = useUploading(COMPARE_DRAFT);
  const prices = usePrices(columns, accounts);
  const [editing, setEditing] = useState<string | null>(null);
  const [fieldProblem, setFieldProblem] = useState<string | null>(null);
  const isFull = columns.length >= MOST_COLUMNS;
  const add = (place: NamedPlace, own?: string) => addAndEdit(place, own, setEditing);

  const size = bodySize(text, mode);
  const problem = checkedText === text ? lintRequest(text)[0] : undefined;
  const blocked = whyBlocked({
    connected,
    isEmpty: columns.length === 0,
    isRunning: running.size > 0,
    uploading,
    tooLarge: size.tooLarge ? size.words : null,
    wrongField: fieldProblem ?? cannotTakeFields(text, columns),
  });
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
    { label: BACK_WORDS, description: t`Leaves the comparison`, run: showOne },
  ]);

  const hint = problem ? t`Not sent. Line ${problem.line}: ${problem.message}` : blocked;
  return (
    <div className={page.page}>
      <Head mode={mode} />
      <div className={styles.body}>
        <Card aria-label={t`Request`}>
          <FileRows draftKey={COMPARE_DRAFT} />
          <div className={styles.editor}>
            <RequestEditor
              documentKey={COMPARE_DRAFT}
              text={text}
              onChange={(next) => setDraft(COMPARE_DRAFT, next)}
              revealProblem={reveal}
              picked={picked}
              limitBytes={size.limit}
            />
          </div>
          <div className={styles.bar}>
            <ColumnPicker accounts={accounts} isFull={isFull} onPick={add} />
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
        <Columns
          columns={columns}
          accounts={accounts}
          prices={prices}
          text={text}
          editing={editing}
          onEditing={setEditing}
          onDuplicate={isFull ? null : ({ own, ...place }) => add(place, own)}
          onStop={stop}
          onRunning={noteRunning}
          onFieldProblem={setFieldProblem}
        />
      </div>
    </div>
  );
}

const Head = ({ mode }: { mode: RunMode }) => (
  <header className={page.pageHead}>
    <PageTitle name={t`Compare`} />
    <BackToOne onBack={showOne} />
    <Segments aria-label={t`Mode`} data={modes} value={mode} onChange={(value) => runMode.set(COMPARE_DRAFT, value)} />
    <span className={runStyles.inputs}>
      <EarlierMenu />
    </span>
  </header>
);

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

interface ColumnsProps extends Pick<Parameters<typeof CompareColumn>[0], 'onStop' | 'onRunning' | 'onFieldProblem'> {
  columns: readonly Column[];
  accounts: readonly Account[];
  /** By the id of the column. */
  prices: ReadonlyMap<string, ColumnPrice>;
  /** The shared input. */
  text: string;
  /** The id of the column whose own fields are open. */
  editing: string | null;
  onEditing: (id: string | null) => void;
  onDuplicate: ((column: Column) => void) | null;
}

function Columns({ columns, accounts, prices, text, editing, onEditing, onDuplicate, ...each }: ColumnsProps) {
  const { group, handlers } = useEqualScroll();
  const titles = columnTitles(columns);
  const title = ({ id, endpointName }: Column): string => titles.get(id) ?? endpointName;
  // A large input is read after the typing.
  const shared = useDeferredValue(text);
  const proposed = useMemo(() => proposedFields(shared), [shared]);
  useCommands(
    columns.flatMap((column) => {
      const on = nameOfAccount(column.accountId, accounts);
      return [
        { label: t`Change the input of the column ${title(column)} on ${on}`, run: () => onEditing(column.id) },
        { label: t`Remove the column ${title(column)} on ${on}`, run: () => remove(column.id, title(column)) },
        onDuplicate !== null && {
          label: t`Duplicate the column ${title(column)} on ${on}`,
          run: () => onDuplicate(column),
        },
      ];
    }),
  );
  if (columns.length === 0) {
    return (
      <Card grow aria-label={t`Columns`}>
        <Empty
          title={t`Which endpoints?`}
        >{t`Add two or more endpoints above, of this computer or of other accounts. Each gets a column with its output, its times and its cost. An endpoint may have several columns with other values in its input.`}</Empty>
      </Card>
    );
  }
  return (
    <ScrollGroupContext value={group}>
      <div className={styles.columns} {...handlers}>
        {columns.map((column) => (
          <div key={column.id} className={styles.column} data-column>
            <CompareColumn
              {...each}
              column={column}
              title={title(column)}
              accountName={nameOfAccount(column.accountId, accounts)}
              price={columnPriceWords(prices.get(column.id) ?? { amount: null, spends: false, isUnknown: false })}
              proposed={proposed}
              editing={editing === column.id}
              onEditing={(open) => onEditing(open ? column.id : null)}
              onDuplicate={onDuplicate && (() => onDuplicate(column))}
              onRemove={() => remove(column.id, title(column))}
            />
          </div>
        ))}
      </div>
    </ScrollGroupContext>
  );
}

/** The input that Run shows for the endpoint of a column: what was written there, or its sample. Null without either. */
function useInputOf(column: Column | undefined): string | null {
  const draft = draftText.use(column === undefined ? COMPARE_DRAFT : draftKey(column.accountId, column.endpointId));
  const { data: endpoints } = useQuery({
    ...orpc.endpoints.list.queryOptions({ input: { accountId: column?.accountId ?? '' }, retry: false }),
    enabled: column !== undefined && draft === null,
  });
  const sample = endpoints?.find(({ id }) => id === column?.endpointId)?.sampleInput ?? null;
  return draft ?? (sample === null ? null : indentLine(sample));
}

/** By the id of the column. */
function usePrices(columns: readonly Column[], accounts: readonly Account[]) {
  const rates = useJobRates(columns.map(({ accountId }) => accountId));
  // One for each endpoint, however many columns it has.
  const places = [...new Map(columns.map((column) => [placeKey(column), column])).values()];
  const usual = useQueries({
    queries: places.map(({ accountId, endpointId }) =>
      ownJobsOptions({ accountId, endpointId, statuses: ['COMPLETED'] }, NEWEST),
    ),
  });
  const usualMs = new Map(
    places.flatMap((place, index) => {
      const usualPage = usual[index]?.data;
      const runs = usualPage && usualOf(usualPage.entries, usualPage.matching);
      return runs ? [[placeKey(place), (runs.fromMs + runs.toMs) / 2] as const] : [];
    }),
  );
  const spending = new Set(accounts.filter(({ kind }) => kind === 'cloud').map(({ id }) => id));
  return new Map(columns.map((column) => [column.id, priceOf(column, rates, usualMs, spending)]));
}
