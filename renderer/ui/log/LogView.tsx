/** A log to read: it follows the end until the person scrolls up, and hides what the filters leave out. */
import { useLayoutEffect, useRef, useState } from 'react';
import { ActionIcon, Button, Select, TextInput, Tooltip } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, Search, WrapText } from 'lucide-react';
import { logLevels, type LogLevel, type LogLine } from '#contract/local/log.ts';
import type { LogFeed } from '../../client/logFeed.ts';
import { CopyButton } from '../primitives/CopyButton.tsx';
import { formatCount } from '../text/format.ts';
import { useFollowTail } from '../job/useFollowTail.ts';
import { Empty, Notice } from '../primitives/Notice.tsx';
import styles from './log.module.css';
import { LogRow } from './LogRow.tsx';
import { createSelector, everyLine, lineText, type LineFilter } from './logLines.ts';

const LINE_PX = 19;
const OVERSCAN = 20;
const ANY = '';

const levelWords: Record<LogLevel, string> = {
  debug: 'Debug and up',
  info: 'Info and up',
  warn: 'Warnings and up',
  error: 'Errors',
};
const levelChoices = [
  { value: ANY, label: 'Any level' },
  ...logLevels.filter((level) => level !== 'debug').map((value) => ({ value, label: levelWords[value] })),
];

interface LogViewProps {
  feed: LogFeed;
  /** Names the log: "Log of stream-words". */
  label: string;
  /** What lines are told apart by: the workers of an endpoint, or the sources of a Pod. */
  writer?: 'worker' | 'source';
  /** Shown while there is no line. */
  emptyText: string;
  /** Names of endpoints, for a log of several: each line then says which is its. */
  endpointNames?: ReadonlyMap<string, string>;
}

export function LogView({ feed, label, writer = 'worker', emptyText, endpointNames }: LogViewProps) {
  const { lines, problem } = feed;
  const [filter, setFilter] = useState<LineFilter>(everyLine);
  const [wrap, setWrap] = useState(false);
  const [select] = useState(createSelector);
  const shown = select(lines ?? [], filter);
  const workers = [...new Set((lines ?? []).map(({ workerId }) => workerId))];

  return (
    <div className={styles.log}>
      <div className={styles.tools} role="search" aria-label={`Filter: ${label}`}>
        <TextInput
          aria-label="Find in the log"
          className={styles.find}
          placeholder="Find"
          leftSection={<Search size={13} aria-hidden />}
          maxLength={500}
          value={filter.text}
          onChange={(event) => setFilter({ ...filter, text: event.currentTarget.value })}
        />
        <Select
          aria-label="Level"
          className={styles.level}
          data={levelChoices}
          value={filter.level ?? ANY}
          allowDeselect={false}
          onChange={(level) => setFilter({ ...filter, level: logLevels.find((known) => known === level) ?? null })}
        />
        <Select
          aria-label={writer === 'worker' ? 'Worker' : 'Source'}
          className={styles.worker}
          data={[{ value: ANY, label: `Any ${writer}` }, ...workers.map((id) => ({ value: id, label: id }))]}
          value={filter.workerId ?? ANY}
          allowDeselect={false}
          onChange={(id) => setFilter({ ...filter, workerId: id === ANY ? null : id })}
        />
        <span className={styles.count} aria-live="polite">
          {lines !== null && (shown.length === lines.length ? '' : `${formatCount(shown.length)} of `)}
          {lines !== null && `${formatCount(lines.length)} line${lines.length === 1 ? '' : 's'}`}
        </span>
        <Tooltip label="Wrap long lines">
          <ActionIcon
            aria-label="Wrap long lines"
            aria-pressed={wrap}
            className={styles.toggle}
            onClick={() => setWrap(!wrap)}
          >
            <WrapText size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <CopyButton text={() => shown.map(lineText).join('\n')} what="the lines shown" size={24} />
      </div>
      {problem !== null && lines !== null && (
        <Notice tone="wait" title="The log is not followed.">
          {problem}
        </Notice>
      )}
      {lines === null && problem !== null && <Empty title="There is no log to show">{problem}</Empty>}
      {lines === null && problem === null && <LogSkeleton />}
      {lines !== null && shown.length === 0 && (
        <Empty title={lines.length === 0 ? 'No line yet' : 'No line fits these filters'}>
          {lines.length === 0 ? emptyText : undefined}
        </Empty>
      )}
      {shown.length > 0 && (
        <Lines key={String(wrap)} {...{ lines: shown, search: filter.text, wrap, feed, label, endpointNames }} />
      )}
    </div>
  );
}

interface LinesProps {
  lines: readonly LogLine[];
  search: string;
  wrap: boolean;
  feed: LogFeed;
  label: string;
  endpointNames: ReadonlyMap<string, string> | undefined;
}

function Lines({ lines, search, wrap, feed, label, endpointNames }: LinesProps) {
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
  /** The newest line that was in sight when the person let go of the end. */
  const [letGoAt, setLetGoAt] = useState<number | null>(null);
  if (following && letGoAt !== null) setLetGoAt(null);
  if (!following && letGoAt === null) setLetGoAt(last);
  const fresh = letGoAt === null ? 0 : lines.length - 1 - lines.findLastIndex(({ n }) => n <= letGoAt);

  // Lines that come or go above what is read must not move it.
  const before = useRef(lines);
  useLayoutEffect(() => {
    const [was, is] = [before.current[0]?.n ?? 0, lines[0]?.n ?? 0];
    const came = was > is ? lines.findIndex(({ n }) => n >= was) : -before.current.findIndex(({ n }) => n >= is);
    if (came !== 0 && !following && view.current) view.current.scrollTop += came * LINE_PX;
    before.current = lines;
  }, [lines, following]);

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
            <Button size="xs" variant="default" onClick={() => void feed.loadOlder()}>
              Show older lines
            </Button>
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
                search={search}
                start={start}
                who={endpointNames?.get(line.endpointId) ?? line.workerId}
              />
            );
          })}
        </div>
      </div>
      {!following && (
        <Button className={styles.follow} size="xs" leftSection={<ArrowDown size={13} aria-hidden />} onClick={toEnd}>
          {fresh === 0 ? 'Follow' : `${formatCount(fresh)} new line${fresh === 1 ? '' : 's'}`}
        </Button>
      )}
    </div>
  );
}

const SKELETON_WIDTHS = ['62%', '48%', '71%', '35%', '56%', '66%', '41%', '59%'];

function LogSkeleton() {
  return (
    <div className={styles.skeleton} aria-busy="true" role="group" aria-label="Loading the log">
      {SKELETON_WIDTHS.map((width) => (
        <i key={width} style={{ width }} />
      ))}
    </div>
  );
}
