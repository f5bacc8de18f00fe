/** Swim lanes: what each worker was, when. Drawn, reached by keys, and as a table for who cannot see the drawing. */
import { useState, type KeyboardEvent } from 'react';
import { VisuallyHidden } from '@mantine/core';
import type { LaneSpan } from '#contract/local/log.ts';
import { shortId } from '../../../ui/domain/jobText.ts';
import { formatClock, formatDuration, formatTime } from '../../../ui/text/format.ts';
import { jobsWord } from '../jobsWord.ts';
import { ticksOf, type PlacedLane, type PlacedSpan, type Window } from './laneLayout.ts';
import styles from './lanes.module.css';
import { t } from '../../../language/text.ts';

const TICKS = 5;
/** Narrower ones have no room for their word, percent. */
const WORD_PERCENT = 13;

const words: Record<LaneSpan['state'], string> = {
  preparing: t`Preparing`,
  starting: t`Starting`,
  idle: t`Idle`,
  running: t`Running`,
  stopping: t`Stopping`,
};

/** The same between other words. */
const wordsInText: typeof words = {
  preparing: t`preparing`,
  starting: t`starting`,
  idle: t`idle`,
  running: t`running`,
  stopping: t`stopping`,
};

const legend = ['starting', 'idle', 'running', 'stopping'] as const;

/** Nearer to an edge a moment would be cut off, percent. */
const EDGE_PERCENT = 4;

interface Place {
  workerId: string;
  /** When the span began: it keeps its place while the drawing moves. */
  from: number;
}

export function Lanes({ lanes, window }: { lanes: readonly PlacedLane[]; window: Window }) {
  const [chosen, setChosen] = useState<Place | null>(null);
  const at = locate(lanes, chosen);
  const lane = lanes[at.lane];
  const span = lane?.spans[at.span];

  const go = (laneIndex: number, spanIndex: number) => {
    const target = lanes[Math.max(0, Math.min(lanes.length - 1, laneIndex))];
    const there = target?.spans[Math.max(0, Math.min(target.spans.length - 1, spanIndex))];
    if (!target || !there) return;
    setChosen({ workerId: target.workerId, from: there.from });
    document.getElementById(spanId(target.workerId, there.from))?.focus();
  };
  const moves: Record<string, () => void> = {
    ArrowLeft: () => go(at.lane, at.span - 1),
    ArrowRight: () => go(at.lane, at.span + 1),
    ArrowUp: () => go(at.lane - 1, at.span),
    ArrowDown: () => go(at.lane + 1, at.span),
    Home: () => go(at.lane, 0),
    End: () => go(at.lane, Infinity),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  };

  return (
    <>
      <div
        className={styles.lanes}
        role="group"
        aria-label={t`History of the workers; arrow keys move`}
        onKeyDown={onKeyDown}
      >
        <div className={styles.axis} aria-hidden>
          {ticksOf(window, TICKS)
            .filter(({ left }) => left >= EDGE_PERCENT && left <= 100 - EDGE_PERCENT)
            .map((tick) => (
              <span key={tick.at} style={{ left: `${tick.left}%` }}>
                {formatClock(tick.at)}
              </span>
            ))}
        </div>
        {lanes.map((one, laneIndex) => (
          <div key={one.workerId} className={styles.lane}>
            <span className={styles.laneName} title={one.workerId}>
              {one.workerId}
            </span>
            <div className={styles.track}>
              {one.spans.map((drawn, spanIndex) => (
                <button
                  key={drawn.from}
                  id={spanId(one.workerId, drawn.from)}
                  type="button"
                  className={styles.span}
                  data-state={drawn.state}
                  tabIndex={laneIndex === at.lane && spanIndex === at.span ? 0 : -1}
                  aria-label={`${one.workerId}: ${describe(drawn, window.to)}`}
                  style={{ left: `${drawn.left}%`, width: `${drawn.width}%` }}
                  onFocus={() => setChosen({ workerId: one.workerId, from: drawn.from })}
                  onMouseEnter={() => setChosen({ workerId: one.workerId, from: drawn.from })}
                >
                  {drawn.width >= WORD_PERCENT && shortWord(drawn)}
                </button>
              ))}
              {one.end !== null && (
                <i
                  className={styles.laneEnd}
                  data-unhealthy={one.end.unhealthy || undefined}
                  style={{ left: `${one.end.left}%` }}
                  title={one.end.reason}
                />
              )}
            </div>
          </div>
        ))}
      </div>
      <ul className={styles.legend} aria-hidden>
        {legend.map((state) => (
          <li key={state}>
            <i className={styles.span} data-state={state} />
            {words[state]}
          </li>
        ))}
        <li>
          <i className={styles.laneEnd} data-unhealthy />
          {t`Crashed`}
        </li>
      </ul>
      <p className={styles.laneDetail}>
        {lane && span && (
          <>
            <code>{lane.workerId}</code> {describe(span, window.to)}
            {lane.end !== null && <em>{t`Ended ${formatTime(lane.end.at)}: ${lane.end.reason}`}</em>}
          </>
        )}
      </p>
      <VisuallyHidden component="div">
        <LaneTable lanes={lanes} now={window.to} />
      </VisuallyHidden>
    </>
  );
}

const spanId = (workerId: string, from: number): string => `span-${workerId}-${from}`;

/**
 * Where the chosen span is drawn now: it may have been joined with its neighbours, or have left the window. The newest
 * of the first lane where none is chosen.
 */
function locate(lanes: readonly PlacedLane[], chosen: Place | null): { lane: number; span: number } {
  const lane = lanes.findIndex(({ workerId }) => workerId === chosen?.workerId);
  if (lane === -1 || chosen === null) return { lane: 0, span: (lanes[0]?.spans.length ?? 0) - 1 };
  return { lane, span: (lanes[lane]?.spans ?? []).findLastIndex(({ from }) => from <= chosen.from) };
}

function shortWord({ state, jobIds, spans }: PlacedSpan): string {
  if (state !== 'running') return words[state];
  return spans === 1 && jobIds.length === 1 ? shortId(jobIds[0] ?? '') : jobsWord(jobIds.length);
}

function describe({ state, from, to, jobIds, spans }: PlacedSpan, now: number): string {
  const start = formatTime(from);
  const lasted = formatDuration((to ?? now) - from);
  const time = to === null ? t`${start} to now, ${lasted}` : t`${start} to ${formatTime(to)}, ${lasted}`;
  const word = wordsInText[state];
  const jobs = jobsWord(jobIds.length);
  if (spans > 1) return jobIds.length === 0 ? t`mostly ${word}, ${time}` : t`mostly ${word}, ${jobs}, ${time}`;
  if (jobIds.length === 0) return t`${word}, ${time}`;
  const [jobId = ''] = jobIds;
  return jobIds.length === 1 ? t`${word}, job ${jobId}, ${time}` : t`${word}, ${jobs}, ${time}`;
}

function LaneTable({ lanes, now }: { lanes: readonly PlacedLane[]; now: number }) {
  return (
    <table>
      <caption>{t`States of each worker over time`}</caption>
      <thead>
        <tr>
          <th scope="col">{t`Worker`}</th>
          <th scope="col">{t`State`}</th>
        </tr>
      </thead>
      <tbody>
        {lanes.flatMap((lane) => [
          ...lane.spans.map((span) => (
            <tr key={`${lane.workerId} ${span.from}`}>
              <td>{lane.workerId}</td>
              <td>{describe(span, now)}</td>
            </tr>
          )),
          ...(lane.end === null
            ? []
            : [
                <tr key={`${lane.workerId} end`}>
                  <td>{lane.workerId}</td>
                  <td>{t`ended ${formatTime(lane.end.at)}: ${lane.end.reason}`}</td>
                </tr>,
              ]),
        ])}
      </tbody>
    </table>
  );
}
