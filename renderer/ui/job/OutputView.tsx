/**
 * What a job has put out, shown by what it is. A stream is followed while it grows; a finished output opens at its top.
 */
import { use, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { Button } from '@mantine/core';
import { useThrottledValue } from '@mantine/hooks';
import { ArrowDown } from 'lucide-react';
import { isOver } from '#contract/app/jobs/times.ts';
import type { LedgerChunk, LedgerEntry, LedgerStatus } from '#contract/app/ledger.ts';
import type { PendingOutput } from '../../client/jobs/longOutput.ts';
import { Empty } from '../primitives/Notice.tsx';
import { OutputFrameContext } from '../output/frame.ts';
import { PartView } from '../output/PartView.tsx';
import { looksLikeMarkdown } from '../output/markdownSigns.ts';
import { closeCutJson } from '../output/cutJson.ts';
import { readOutput } from '../output/readOutput.ts';
import { ScrollGroupContext } from '../scroll/equalScroll.ts';
import { fileNameOf } from './outputFile.ts';
import styles from './job.module.css';
import { ReadingOutput } from './ReadingOutput.tsx';
import { createJoiner, resultBeside, type Piece } from './joinChunks.ts';
import { useFollowTail } from '../scroll/useFollowTail.ts';
import { t } from '../../language/text.ts';

interface OutputViewProps {
  entry: LedgerEntry;
  chunks: readonly LedgerChunk[];
  output: string | null;
  /** A long output that is still read; `output` is null then. Its start is shown meanwhile. */
  pendingOutput?: PendingOutput | null;
  /** Names the region: on a page with several outputs each has a name of its own. */
  label?: string;
  /** Shows the log of the job, where that has a place. */
  onLog?: (() => void) | undefined;
}

export function OutputView(props: OutputViewProps) {
  const { entry, chunks, output, pendingOutput = null, label = t`Output`, onLog } = props;
  const [join] = useState(createJoiner);
  const pieces = join(chunks);
  const over = isOver(entry);
  const result = useMemo(() => (over ? resultBeside(output, chunks) : null), [over, output, chunks]);
  // Beside a stream the output mostly repeats it, which only all of it tells.
  const start = result === null && pieces.length === 0 ? (pendingOutput?.start ?? null) : null;
  const shown = useMemo(() => result ?? (start === null ? null : closeCutJson(start)), [result, start]);
  const parts = useMemo(() => (shown === null ? [] : readOutput(shown)), [shown]);
  const streams = !over && pieces.length > 0;
  // The last chunks come together with the end of the job, and are followed as those before.
  const [grew, setGrew] = useState(false);
  if (streams && !grew) setGrew(true);
  const { following, props: tail, toEnd, isFollowing, scrollTo } = useFollowTail<HTMLDivElement>(pieces, grew);
  const { ref } = tail;
  const [scroller, setScroller] = useState<HTMLElement | null>(null);
  // A part that is mounted together with this element does not see its ref yet.
  const isEmpty = pieces.length === 0 && shown === null;
  useLayoutEffect(() => setScroller(ref.current), [ref, isEmpty]);
  const group = use(ScrollGroupContext);
  useEffect(
    () => (scroller === null ? undefined : group?.add(scroller, { isFollowing, scrollTo })),
    [group, scroller, isFollowing, scrollTo],
  );
  const fileName = fileNameOf(entry);
  const frame = useMemo(() => ({ scroller, fileName, hasSave: true }), [scroller, fileName]);

  if (isEmpty)
    return pendingOutput === null ? <NoOutput entry={entry} onLog={onLog} /> : <ReadingOutput {...pendingOutput} />;
  return (
    <div className={styles.outputFrame}>
      <div
        {...tail}
        className={styles.output}
        role="region"
        aria-label={label}
        tabIndex={0}
        aria-busy={pendingOutput !== null}
      >
        <OutputFrameContext value={frame}>
          {pieces.map((piece, index) => (
            <PieceView
              key={index}
              piece={piece}
              live={!over && index === pieces.length - 1}
              isOnly={pieces.length === 1}
            />
          ))}
          {result !== null && pieces.length > 0 && <h2 className={styles.resultHead}>{t`Returned at the end`}</h2>}
          {parts.map((part, index) => (
            <div key={index} className={styles.piece}>
              <PartView part={part} live={result === null} />
            </div>
          ))}
        </OutputFrameContext>
      </div>
      {pendingOutput !== null && (
        <div className={styles.pendingOutput}>
          <ReadingOutput {...pendingOutput} />
        </div>
      )}
      {!following && !over && (
        <Button
          className={styles.follow}
          size="xs"
          leftSection={<ArrowDown size={13} aria-hidden />}
          onClick={toEnd}
        >{t`Follow`}</Button>
      )}
    </div>
  );
}

interface PieceViewProps {
  piece: Piece;
  /** Whether more may be added to it. */
  live: boolean;
  /** Whether all chunks so far are in it. */
  isOnly: boolean;
}

type JsonPieceProps = Extract<Piece, { kind: 'json' }> & Omit<PieceViewProps, 'piece'>;

function PieceView({ piece, live, isOnly }: PieceViewProps) {
  // A stream that began to look like markdown stays so while it grows.
  const [formatted, setFormatted] = useState(false);
  const isFormatted = formatted || (piece.kind === 'text' && looksLikeMarkdown(piece.text));
  if (isFormatted && !formatted) setFormatted(true);
  if (piece.kind === 'parts') {
    return piece.parts.map((part, index) => (
      <div key={index} className={styles.piece}>
        <PartView part={part} />
      </div>
    ));
  }
  if (piece.kind === 'json') return <JsonPiece {...piece} live={live} isOnly={isOnly} />;
  return (
    <div className={styles.piece}>
      <PartView part={{ kind: isFormatted ? 'markdown' : 'text', text: piece.text }} live={live} />
    </div>
  );
}

/**
 * While a table grows, its new rows are drawn together after so many milliseconds: with each row, the browser places all
 * of them anew.
 */
const ROWS_MS = 150;

/** Chunks that are rows of one table, or JSON line by line. */
function JsonPiece({ text, rows: all, live, isOnly }: JsonPieceProps) {
  const earlier = useThrottledValue(all, ROWS_MS);
  // Chunks that make no table any more are lines at once.
  const rows = live && all !== null ? earlier : all;
  const list = useMemo(() => (live || rows === null ? null : `[${rows.items.join(',')}]`), [live, rows]);
  // The first row of a stream begins a table. So do two later ones: a single one may stand between other chunks.
  const fewest = live && isOnly ? 1 : 2;
  if (rows === null || rows.items.length < fewest || rows.shape.columns.length < 2) {
    return (
      <div className={styles.piece} data-kind="json">
        <PartView part={{ kind: 'text', text }} live={live} />
      </div>
    );
  }
  const { items, shape } = rows;
  return (
    <div className={styles.piece}>
      <PartView
        part={{ kind: 'table', text: list, items, columns: shape.columns, name: null, isStream: true }}
        live={live}
      />
    </div>
  );
}

/** Titles for jobs that ended without a result. */
const endedTitles: Partial<Record<LedgerStatus, string>> = {
  FAILED: t`Failed before any output`,
  CANCELLED: t`Cancelled before any output`,
  TIMED_OUT: t`Timed out before any output`,
  REFUSED: t`Refused before any output`,
  GONE: t`Gone before any output`,
  UNANSWERED: t`No answer arrived`,
};

/** A job that ended so ran, so that its log says more. */
const LOGGED: ReadonlySet<LedgerStatus> = new Set(['FAILED', 'TIMED_OUT']);

function NoOutput({ entry, onLog }: Pick<OutputViewProps, 'entry' | 'onLog'>) {
  if (!isOver(entry)) {
    return (
      <Empty title={entry.status === 'IN_PROGRESS' ? t`Running` : t`Not started yet`}>
        {entry.mode === 'run' ? t`Output appears here live.` : t`The result will appear here.`}
      </Empty>
    );
  }
  if (entry.status === 'COMPLETED' && entry.chunkGap === 'unread') return <Empty title={t`Done, output unknown`} />;
  if (entry.status === 'COMPLETED')
    return <Empty title={t`Done, without output`}>{t`The handler returned nothing.`}</Empty>;
  return (
    <Empty
      title={endedTitles[entry.status] ?? t`No output`}
      action={
        onLog &&
        LOGGED.has(entry.status) && (
          <Button size="xs" variant="default" mt={4} onClick={onLog}>
            {t`Show the log`}
          </Button>
        )
      }
    />
  );
}
