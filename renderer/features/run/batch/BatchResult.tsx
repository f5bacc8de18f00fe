/** One batch: how far it is, what it may do, and the table of its results. */
import { useMemo, useState } from 'react';
import { Button, Kbd, Select, UnstyledButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Play, RotateCw, Square } from 'lucide-react';
import { batchSorts, type Batch, type BatchRow, type BatchView } from '#contract/bridge/batch/batches.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { changeBatchSight, useBatchSight } from '../../../client/jobs/batchView.ts';
import { useIsLastKnown } from '../../../client/jobs/lastKnown.ts';
import { useCommands } from '../../../state/commands.ts';
import { noFilter, useJobsFilter } from '../../../state/jobsFilter.ts';
import { navigate } from '../../../state/route.ts';
import { readError } from '#contract/api/readError.ts';
import { hasOwnPicture, previewOfOutput } from '../../../ui/output/outputPreview.ts';
import type { GridSort, SortBy } from '../../../ui/grid/sorting.ts';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { NameInButton } from '../../../ui/page/NameInButton.tsx';
import { timeTexts } from '../../../ui/job/list/timeTexts.ts';
import { waitReason } from '../../../ui/job/list/waitText.ts';
import { StateChip } from '../../../ui/domain/StateChip.tsx';
import { Card } from '../../../ui/primitives/Card.tsx';
import { keyLabel } from '../../../ui/keyboard/shortcuts.ts';
import { DataGrid } from '../../../ui/primitives/DataGrid.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { useNow } from '../../../ui/primitives/useNow.ts';
import { withFieldLabels } from '../../../ui/text/fieldLabels.ts';
import { formatCount, formatMoment } from '../../../ui/text/format.ts';
import { previewOfInput } from '../inputs/inputPreview.ts';
import { inputsWords, type BatchTarget } from './batchTarget.ts';
import styles from './batch.module.css';
import { BatchSaveMenu } from './BatchSaveMenu.tsx';
import { OutputPictures } from './OutputPictures.tsx';
import { isActive, useBatch, useBatchRows, useShowBatch, type ReadRows } from './useBatch.ts';
import { counted, rich, t } from '../../../language/text.ts';

interface BatchResultProps extends BatchTarget {
  listed: Batch;
  /** The batches to choose from, this one among them. */
  others: readonly Batch[];
  onChoose: (batchId: string) => void;
}

const failure = (title: string) => (error: Error) =>
  notifications.show({ title, message: errorText(error), 'data-tone': 'bad' });

export function BatchResult({ listed, others, onChoose, targetName, spends, blocked }: BatchResultProps) {
  const [sight, setSight] = useState({ first: 0, last: 0 });
  const { onlyFailed, sort } = useBatchSight(listed.batchId);
  const current = useBatch(listed);
  const view = viewOf(onlyFailed && current.failed > 0, sort);
  const rows = useBatchRows(current, view, sight);
  const { batch } = rows;
  const { batchId, unsent, repeatable, stoppedBy } = batch;
  const show = useShowBatch();
  const stop = useMutation({
    mutationFn: () => api.batches.stop({ batchId }),
    onSuccess: show,
    onError: failure(t`Not stopped`),
  });
  const resume = useMutation({
    mutationFn: () => api.batches.resume({ batchId }),
    onSuccess: show,
    onError: failure(t`Not sent`),
  });
  const canResume = stoppedBy !== null && unsent > 0;
  const resumeWords = t`Send ${inputsWords(unsent)} to ${targetName}`;
  const price = spends ? { description: t`Costs money` } : {};
  useCommands([
    isActive(batch) && !stop.isPending && { label: t`Stop the batch`, keys: 'Mod+.', run: () => stop.mutate() },
    canResume && blocked === null && !resume.isPending && { label: resumeWords, ...price, run: () => resume.mutate() },
    { label: t`Show the jobs of the batch`, run: () => showJobs(batch.tag) },
  ]);
  return (
    <>
      <Card aria-label={t`Batch`}>
        <div className={styles.head}>
          <Select
            size="xs"
            aria-label={t`Batch`}
            className={styles.choice}
            allowDeselect={false}
            value={batchId}
            data={others.map((one) => ({
              value: one.batchId,
              label: batchWords(one.batchId === batchId ? batch : one),
            }))}
            onChange={(value) => value !== null && onChoose(value)}
          />
          {isActive(batch) && (
            <Button
              size="xs"
              variant="default"
              leftSection={<Square size={10} fill="currentColor" aria-hidden />}
              rightSection={<Kbd aria-hidden>{keyLabel('Mod+.')}</Kbd>}
              loading={stop.isPending}
              onClick={() => stop.mutate()}
            >{t`Stop`}</Button>
          )}
          <BatchSaveMenu batch={batch} />
        </div>
        <Counts
          batch={batch}
          onlyFailed={view.onlyFailed}
          onFilter={(filters) => changeBatchSight(batchId, { onlyFailed: filters })}
        />
        {canResume && (
          <Notice
            tone="wait"
            title={stopWords(batch)}
            action={
              <ReasonButton
                size="xs"
                variant="default"
                leftSection={<Play size={11} fill="currentColor" aria-hidden />}
                whyNot={blocked}
                loading={resume.isPending}
                onClick={() => resume.mutate()}
              >
                {spends
                  ? rich`Send ${inputsWords(unsent)} to ${<NameInButton name={targetName} />} · costs money`
                  : rich`Send ${inputsWords(unsent)} to ${<NameInButton name={targetName} />}`}
              </ReasonButton>
            }
          >
            {batch.problem ?? undefined}
          </Notice>
        )}
        <div className={styles.foot}>
          {repeatable > 0 && (stoppedBy !== null || !isActive(batch)) ? (
            <RunAgain batch={batch} targetName={targetName} spends={spends} blocked={blocked} />
          ) : (
            <FootNote batch={batch} />
          )}
        </div>
      </Card>
      <Card grow aria-label={t`Results`}>
        <ResultGrid
          rows={rows}
          sorting={{ sort, onSort: (by) => changeBatchSight(batchId, { sort: by }) }}
          onSight={setSight}
        />
      </Card>
    </>
  );
}

interface CountsProps {
  batch: Batch;
  onlyFailed: boolean;
  onFilter: (onlyFailed: boolean) => void;
}

/** How far the batch is, as a bar and in numbers. That of the failed jobs filters the rows. */
function Counts({ batch, onlyFailed, onFilter }: CountsProps) {
  const { unsent, running, queued, completed, failed, total, tag } = batch;
  const done = total - unsent - running;
  return (
    <>
      <div
        className={styles.progress}
        role="progressbar"
        aria-label={t`Jobs that have ended`}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
      >
        <i data-tone="ok" style={{ width: `${(100 * completed) / total}%` }} />
        <i data-tone="bad" style={{ width: `${(100 * failed) / total}%` }} />
        <i data-tone="run" style={{ width: `${(100 * running) / total}%` }} />
      </div>
      <p className={styles.counts}>
        <span>{rich`${<b>{formatCount(done)}</b>} of ${formatCount(total)} ended`}</span>
        {failed > 0 && (
          <UnstyledButton
            className={styles.failed}
            data-tone="bad"
            aria-pressed={onlyFailed}
            title={onlyFailed ? t`Show all rows` : t`Show only the failed rows`}
            onClick={() => onFilter(!onlyFailed)}
          >{t`${formatCount(failed)} failed`}</UnstyledButton>
        )}
        {onlyFailed && (
          <span>
            {t`${formatCount(failed)} of ${formatCount(total)} shown`}{' '}
            <UnstyledButton className={styles.all} onClick={() => onFilter(false)}>{t`Show all`}</UnstyledButton>
          </span>
        )}
        {running > queued && <span>{t`${formatCount(running - queued)} running`}</span>}
        {queued > 0 && <span>{t`${formatCount(queued)} queued`}</span>}
        {unsent > 0 && <span>{t`${formatCount(unsent)} not sent`}</span>}
        <UnstyledButton className={styles.tag} title={t`Show its jobs`} onClick={() => showJobs(tag)}>
          {tag}
        </UnstyledButton>
      </p>
    </>
  );
}

type RunAgainProps = Pick<BatchResultProps, 'targetName' | 'spends' | 'blocked'> & { batch: Batch };

/** Sends the failed rows once more. */
function RunAgain({ batch: { batchId, repeatable }, targetName, spends, blocked }: RunAgainProps) {
  const show = useShowBatch();
  const runAgain = useMutation({
    mutationFn: () => api.batches.runAgain({ batchId }),
    onSuccess: show,
    onError: failure(t`Not sent`),
  });
  const rows = counted(repeatable, 'the failed row', 'the {0} failed rows', formatCount(repeatable));
  useCommands([
    blocked === null &&
      !runAgain.isPending && {
        label: t`Run ${rows} again on ${targetName}`,
        ...(spends && { description: t`Costs money` }),
        run: () => runAgain.mutate(),
      },
  ]);
  return (
    <ReasonButton
      size="xs"
      variant="default"
      leftSection={<RotateCw size={12} aria-hidden />}
      whyNot={blocked}
      data-spends={spends || undefined}
      loading={runAgain.isPending}
      onClick={() => runAgain.mutate()}
    >
      {spends
        ? rich`Run ${rows} again on ${<NameInButton name={targetName} />} · costs money`
        : rich`Run ${rows} again on ${<NameInButton name={targetName} />}`}
    </ReasonButton>
  );
}

/** Why not all of the jobs that were sent run, or how it ended. It stands where a button comes later, so that nothing jumps. */
function FootNote({ batch }: { batch: Batch }) {
  const { atOnce, completed, queued, total, waiting } = batch;
  const reason = queued > 0 && waiting !== null ? waitReason(waiting) : null;
  if (isActive(batch)) {
    return (
      <p>{reason === null ? t`At most ${formatCount(atOnce)} jobs are sent at a time.` : t`Waiting: ${reason}`}</p>
    );
  }
  return <p>{completed === total && t`All jobs succeeded.`}</p>;
}

/** When it began, how many inputs it has, and how many failed so far. */
const batchWords = ({ createdAt, total, failed }: Batch): string =>
  [formatMoment(createdAt), inputsWords(total), ...(failed > 0 ? [t`${formatCount(failed)} failed`] : [])].join(' · ');

/** Shows the jobs of the batch in the list of jobs. */
function showJobs(tag: string): void {
  useJobsFilter.setState({ ...noFilter, tag }, true);
  navigate({ page: 'jobs', entryId: null });
}

function stopWords({ stoppedBy, unsent }: Batch): string {
  const rest = counted(unsent, '{0} input is not sent.', '{0} inputs are not sent.', formatCount(unsent));
  if (stoppedBy === 'closed') return t`Hangar was closed. ${rest}`;
  return stoppedBy === 'refused' ? t`Stopped, because jobs were refused. ${rest}` : t`Stopped. ${rest}`;
}

const restWords = { UNSENT: t`Not sent`, REMOVED: t`Removed` } as const;

function OutputCell({ row: { entryId, number, output } }: { row: BatchRow }) {
  const start = output ?? '';
  const words = previewOfOutput(start);
  const text = <span title={words}>{words}</span>;
  return hasOwnPicture(start) ? <OutputPictures entryId={entryId} input={number} words={text} /> : text;
}

/** The app sorts the rows: the page has only those in sight. */
const sortBy = (id: (typeof batchSorts)[number]): SortBy<BatchRow> => ({ id, valueOf: ({ number }) => number });

const viewOf = (onlyFailed: boolean, sort: GridSort): BatchView => {
  const by = batchSorts.find((id) => id === sort?.id);
  return { onlyFailed, sort: sort === null || by === undefined ? null : { by, isUp: sort.isUp } };
};

const TICK_MS = 1000;

/** How long a job ran: until `now`, a job that runs. Null: it is not known whether it still runs. */
const ranCell = ({ job }: BatchRow, now: number | null) => (job === null ? null : timeTexts(job, now).ran) ?? '–';

/** Columns whose cells do not change with the time. */
const fixedColumns = [
  { title: t`No.`, sort: sortBy('number'), cell: ({ number }: BatchRow) => number },
  {
    title: t`State`,
    sort: sortBy('state'),
    isState: true,
    cell: ({ status }: BatchRow) =>
      status === 'UNSENT' || status === 'REMOVED' ? (
        <span className={styles.rest}>{restWords[status]}</span>
      ) : (
        <StateChip status={status} />
      ),
  },
  {
    title: t`Input`,
    sort: sortBy('input'),
    cell: ({ input }: BatchRow) => <span title={input ?? ''}>{input === null ? '' : previewOfInput(input)}</span>,
  },
  {
    title: t`Output`,
    sort: sortBy('output'),
    cell: (row: BatchRow) =>
      row.error === null ? (
        <OutputCell row={row} />
      ) : (
        <span className={styles.error} title={row.error}>
          {withFieldLabels(readError(row.error).headline)}
        </span>
      ),
  },
];

interface ResultGridProps {
  rows: ReadRows;
  sorting: { sort: GridSort; onSort: (sort: GridSort) => void };
  onSight: (sight: { first: number; last: number }) => void;
}

function ResultGrid({ rows: { batch, count, at }, sorting, onSight }: ResultGridProps) {
  const now = useNow(batch.running > batch.queued ? TICK_MS : null);
  const isLastKnown = useIsLastKnown();
  const columns = useMemo(
    () => [
      ...fixedColumns,
      {
        title: t`Ran`,
        sort: sortBy('ran'),
        cell: (row: BatchRow) => ranCell(row, row.job !== null && isLastKnown(row.job) ? null : now),
      },
    ],
    [isLastKnown, now],
  );
  return (
    <DataGrid
      label={sorting.sort === null ? t`Results in the order of the list` : t`Results`}
      place="batch"
      columns={columns}
      rows={{ count, at, indexOf: () => -1 }}
      idOf={({ entryId }) => entryId}
      columnsClass={styles.columns}
      sorting={sorting}
      openId={null}
      onOpen={(entryId) => navigate({ page: 'jobs', entryId })}
      onClose={() => undefined}
      onSight={onSight}
    />
  );
}
