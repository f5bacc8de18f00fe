/** A log view: it follows the end until the person scrolls up, and applies the filters. */
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { ActionIcon, Button, Select, TextInput, Tooltip } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, Clock, Search, WrapText } from 'lucide-react';
import { logLevels, type LogLevel, type LogLine } from '#contract/local/log.ts';
import { useAway } from '../../client/away.ts';
import type { LogFeed } from '../../client/logFeed.ts';
import type { HandlerCodes } from '../endpoint/useHandlerCodes.ts';
import { CopyButton } from '../primitives/CopyButton.tsx';
import { formatCount } from '../text/format.ts';
import { useFollowTail } from '../scroll/useFollowTail.ts';
import { Empty, Notice } from '../primitives/Notice.tsx';
import { useCommands } from '../../state/commands.ts';
import { logTimes, logWrap } from '../../state/logChoices.ts';
import styles from './log.module.css';
import { LogRow } from './LogRow.tsx';
import { createSelector, everyLine, isMark, lineText, withMarks, type LineFilter, type LogMark } from './logLines.ts';
import { LogSkeleton } from './LogSkeleton.tsx';
import { SaveLog } from './SaveLog.tsx';
import { counted, t } from '../../language/text.ts';

type ShownFeed = Omit<LogFeed, 'readAll'> & { readAll: LogFeed['readAll'] | null };

const LINE_PX = 19;
const OVERSCAN = 20;
/** Narrower than usual, so that the choices are not cut off in a narrow window. */
const ARROW_PX = 22;
const ANY = '';

const levelWords: Record<LogLevel, string> = {
  debug: t`Debug and up`,
  info: t`Info and up`,
  warn: t`Warnings and up`,
  error: t`Errors`,
};
const levelChoices = [
  { value: ANY, label: t`Any level` },
  ...logLevels.filter((level) => level !== 'debug').map((value) => ({ value, label: levelWords[value] })),
];

interface LogViewProps {
  /** `readAll`: null where the log is a part of another, and cannot be saved. */
  feed: ShownFeed;
  /** The label of the log: "Log of stream-words". */
  label: string;
  /** The sources of the lines: the workers of an endpoint, or the streams of a Pod. */
  writer?: 'worker' | 'source';
  /** Shown while there is no line. The title is "No lines yet" if this one is left out. */
  emptyTitle?: string;
  emptyText: string;
  /** Names of endpoints, for a log of several: each line then shows its endpoint. */
  endpointNames?: ReadonlyMap<string, string>;
  /** Lines that are no output: where a run of the program begins. Oldest first; a filter does not hide them. */
  marks?: readonly LogMark[];
  /** The code of the endpoint of a line: tracebacks lead to it. */
  codes?: HandlerCodes;
}

const NO_MARKS: readonly LogMark[] = [];
const noCode: HandlerCodes = () => null;

/** "12 lines", or "3 of 12 lines" where a filter hides some. */
function linesWords(shown: number, all: number): string {
  const lines = counted(all, '{0} line', '{0} lines', formatCount(all));
  return shown === all ? lines : t`${formatCount(shown)} of ${lines}`;
}

export function LogView(props: LogViewProps) {
  const {
    feed,
    label,
    writer = 'worker',
    emptyTitle,
    emptyText,
    endpointNames,
    marks = NO_MARKS,
    codes = noCode,
  } = props;
  const { lines, problem } = feed;
  const away = useAway();
  const [filter, setFilter] = useState<LineFilter>(everyLine);
  const wrap = logWrap.use();
  const hasTimes = logTimes.use();
  const [select] = useState(createSelector);
  const shown = select(lines ?? [], filter);
  const marked = useMemo(() => withMarks(shown, marks), [shown, marks]);
  useCommands([
    { label: wrap ? t`Do not wrap long lines` : t`Wrap long lines`, run: () => logWrap.set(!wrap) },
    { label: hasTimes ? t`Hide the timestamps` : t`Show the timestamps`, run: () => logTimes.set(!hasTimes) },
  ]);
  const workers = [...new Set((lines ?? []).map(({ workerId }) => workerId))];
  /** The only source says nothing of a line. */
  const hasSources = workers.length > 1 || filter.workerId !== null;

  return (
    <div className={styles.log}>
      <div className={styles.tools} role="search" aria-label={t`Filter: ${label}`}>
        <TextInput
          aria-label={t`Find in the log`}
          className={styles.find}
          placeholder={t`Find`}
          leftSection={<Search size={13} aria-hidden />}
          maxLength={500}
          value={filter.text}
          onChange={(event) => setFilter({ ...filter, text: event.currentTarget.value })}
        />
        <Select
          aria-label={t`Level`}
          className={styles.level}
          rightSectionWidth={ARROW_PX}
          data={levelChoices}
          value={filter.level ?? ANY}
          allowDeselect={false}
          onChange={(level) => setFilter({ ...filter, level: logLevels.find((known) => known === level) ?? null })}
        />
        {hasSources && (
          <SourceSelect
            writer={writer}
            ids={workers}
            value={filter.workerId}
            onChange={(workerId) => setFilter({ ...filter, workerId })}
          />
        )}
        <span className={styles.count} aria-live="polite">
          {lines !== null && linesWords(shown.length, lines.length)}
        </span>
        <span className={styles.views}>
          <Tooltip label={t`Timestamps`}>
            <ActionIcon
              aria-label={t`Timestamps`}
              aria-pressed={hasTimes}
              className={styles.toggle}
              onClick={() => logTimes.set(!hasTimes)}
            >
              <Clock size={14} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t`Wrap long lines`}>
            <ActionIcon
              aria-label={t`Wrap long lines`}
              aria-pressed={wrap}
              className={styles.toggle}
              onClick={() => logWrap.set(!wrap)}
            >
              <WrapText size={14} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <CopyButton
            text={() => marked.map(lineText).join('\n')}
            label={t`Copy the lines shown`}
            size={24}
            inPalette
          />
          {feed.readAll !== null && lines !== null && lines.length > 0 && (
            <SaveLog label={label} marks={marks} readAll={feed.readAll} />
          )}
        </span>
      </div>
      {problem !== null && lines !== null && away === null && (
        <Notice tone="wait" title={t`The log is not followed.`}>
          {problem}
        </Notice>
      )}
      {lines === null && <NoLines problem={problem} isAway={away !== null} />}
      {lines !== null && shown.length === 0 && (
        <Empty title={lines.length === 0 ? (emptyTitle ?? t`No lines yet`) : t`No lines match these filters`}>
          {lines.length === 0 ? emptyText : undefined}
        </Empty>
      )}
      {shown.length > 0 && (
        <Lines
          key={String([wrap, hasTimes])}
          lines={marked}
          search={filter.text}
          wrap={wrap}
          hasTimes={hasTimes}
          feed={feed}
          label={label}
          endpointNames={endpointNames}
          hasSources={hasSources}
          codes={codes}
        />
      )}
    </div>
  );
}

/** In place of the lines while there are none yet, and why where none come. */
function NoLines({ problem, isAway }: { problem: string | null; isAway: boolean }) {
  if (problem === null) return <LogSkeleton />;
  return <Empty title={t`There is no log to show`}>{isAway ? '' : problem}</Empty>;
}

interface SourceSelectProps {
  writer: 'worker' | 'source';
  ids: readonly string[];
  /** Null for all. */
  value: string | null;
  onChange: (id: string | null) => void;
}

function SourceSelect({ writer, ids, value, onChange }: SourceSelectProps) {
  return (
    <Select
      aria-label={writer === 'worker' ? t`Worker` : t`Source`}
      className={styles.worker}
      rightSectionWidth={ARROW_PX}
      data={[
        { value: ANY, label: writer === 'worker' ? t`Any worker` : t`Any source` },
        ...ids.map((id) => ({ value: id, label: id })),
      ]}
      value={value ?? ANY}
      allowDeselect={false}
      onChange={(id) => onChange(id === ANY ? null : id)}
    />
  );
}

interface LinesProps {
  lines: readonly LogLine[];
  search: string;
  wrap: boolean;
  hasTimes: boolean;
  feed: ShownFeed;
  label: string;
  endpointNames: ReadonlyMap<string, string> | undefined;
  /** Whether each line shows its source. */
  hasSources: boolean;
  codes: HandlerCodes;
}

function Lines({ lines, search, wrap, hasTimes, feed, label, endpointNames, hasSources, codes }: LinesProps) {
  const last = lines.at(-1)?.n ?? 0;
  const view = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: lines.length,
    getScrollElement: () => view.current,
    estimateSize: () => LINE_PX,
    getItemKey: (index) => lines[index]?.n ?? index,
    overscan: OVERSCAN,
  });
  const height = list.getTotalSize();
  const { following, props, toEnd } = useFollowTail<HTMLDivElement>(`${last} ${height}`);
  /** The newest visible line at the moment when the person scrolled up. */
  const [letGoAt, setLetGoAt] = useState<number | null>(null);
  if (following && letGoAt !== null) setLetGoAt(null);
  if (!following && letGoAt === null) setLetGoAt(last);
  const fresh = letGoAt === null ? 0 : lines.length - 1 - lines.findLastIndex(({ n }) => n <= letGoAt);

  // Lines added or removed above the line that a person reads must not move that line. A wrapped one has its own height.
  const before = useRef({ lines, places: list.measurementsCache });
  useLayoutEffect(() => {
    const { lines: earlier, places } = before.current;
    before.current = { lines, places: list.measurementsCache };
    if (earlier === lines) return;
    const [was, is] = [earlier[0]?.n ?? 0, lines[0]?.n ?? 0];
    const moved =
      was > is
        ? (list.measurementsCache[lines.findIndex(({ n }) => n >= was)]?.start ?? 0)
        : -(places[earlier.findIndex(({ n }) => n >= is)]?.start ?? 0);
    if (moved !== 0 && !following && view.current) view.current.scrollTop += moved;
  });

  return (
    <div className={styles.frame}>
      <div
        {...props}
        ref={(element) => {
          view.current = element;
          props.ref.current = element;
        }}
        className={styles.view}
        data-wrap={wrap || undefined}
        data-named={endpointNames !== undefined || undefined}
        role="region"
        aria-label={label}
        tabIndex={0}
      >
        {feed.more && (
          <div className={styles.older}>
            <Button size="xs" variant="default" onClick={() => void feed.loadOlder()}>{t`Show older lines`}</Button>
          </div>
        )}
        <div className={styles.inner} style={{ height }}>
          {list.getVirtualItems().map(({ index, start, key }) => {
            const line = lines[index];
            if (!line) return null;
            return (
              <LogRow
                key={key}
                ref={wrap ? list.measureElement : null}
                index={index}
                line={line}
                isMark={isMark(line)}
                search={search}
                start={start}
                hasTime={hasTimes}
                code={codes(line.endpointId)}
                who={endpointNames?.get(line.endpointId) ?? (hasSources ? line.workerId : null)}
              />
            );
          })}
        </div>
      </div>
      {!following && (
        <Button className={styles.follow} size="xs" leftSection={<ArrowDown size={13} aria-hidden />} onClick={toEnd}>
          {fresh === 0 ? t`Follow` : counted(fresh, '{0} new line', '{0} new lines', formatCount(fresh))}
        </Button>
      )}
    </div>
  );
}
