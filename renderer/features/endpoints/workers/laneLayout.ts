/** Where the lives of workers lie on a time axis: lanes of spans, in hundredths of the width. */
import type { Lane, LaneSpan } from '#contract/local/log.ts';

export interface Window {
  /** Milliseconds since the epoch. */
  from: number;
  to: number;
}

export interface PlacedSpan {
  state: LaneSpan['state'];
  from: number;
  /** Null while it lasts. */
  to: number | null;
  jobIds: readonly string[];
  /** How many spans it stands for: neighbours too narrow to be seen are drawn as one. */
  spans: number;
  /** Percent of the width. */
  left: number;
  width: number;
}

export interface PlacedLane {
  workerId: string;
  spans: PlacedSpan[];
  /** How it ended; null while it is there. */
  end: { at: number; reason: string; unhealthy: boolean; left: number } | null;
}

/** Narrower spans cannot be told apart, or hit. */
const LEAST_PERCENT = 0.6;

const percent = (at: number, { from, to }: Window): number => ((at - from) / (to - from)) * 100;

interface Drawn extends PlacedSpan {
  /** Of what it stands for, how long each state lasted. */
  lasted: Map<LaneSpan['state'], number>;
}

/** Joins neighbours of which one is too narrow; the state that lasted longest gives the block its look. */
function joinNarrow(spans: PlacedSpan[]): PlacedSpan[] {
  const drawn: Drawn[] = [];
  for (const span of spans) {
    const last = drawn.at(-1);
    const lasted = new Map([[span.state, span.width]]);
    if (!last || (last.width >= LEAST_PERCENT && span.width >= LEAST_PERCENT)) {
      drawn.push({ ...span, lasted });
      continue;
    }
    for (const [state, width] of last.lasted) lasted.set(state, (lasted.get(state) ?? 0) + width);
    const [state] = [...lasted].reduce((longest, one) => (one[1] > longest[1] ? one : longest));
    const jobIds = [...last.jobIds, ...span.jobIds];
    const width = span.left + span.width - last.left;
    drawn[drawn.length - 1] = { ...last, state, to: span.to, jobIds, width, spans: last.spans + span.spans, lasted };
  }
  return drawn.map(({ lasted: _, ...span }) => span);
}

function placeSpans(lane: Lane, window: Window): PlacedSpan[] {
  const placed = lane.spans.flatMap((span): PlacedSpan[] => {
    const from = Date.parse(span.from);
    const to = span.to === null ? null : Date.parse(span.to);
    const end = Math.min(to ?? window.to, window.to);
    if (end <= window.from || from >= window.to) return [];
    const left = Math.max(0, percent(from, window));
    const width = Math.max(0, percent(end, window) - left);
    return [{ state: span.state, from, to, jobIds: span.jobIds, spans: 1, left, width }];
  });
  return joinNarrow(placed).map((span) => ({
    ...span,
    width: Math.min(100 - span.left, Math.max(span.width, LEAST_PERCENT)),
  }));
}

/** Lanes with something in the window, those of workers that are there first, then by when they began. */
export function layoutLanes(lanes: readonly Lane[], window: Window): PlacedLane[] {
  const placed = lanes.map((lane) => {
    const at = lane.end === null ? null : Date.parse(lane.end.at);
    const spans = placeSpans(lane, window);
    const last = spans.at(-1);
    // A span that is drawn wider than it was must not reach beyond the end.
    const left = Math.max(last ? last.left + last.width : 0, percent(at ?? window.to, window));
    const end = lane.end === null || at === null ? null : { ...lane.end, at, left: Math.min(100, left) };
    return { workerId: lane.workerId, spans, end };
  });
  const began = ({ spans }: PlacedLane): number => spans[0]?.from ?? 0;
  return placed
    .filter(({ spans }) => spans.length > 0)
    .sort((a, b) => Number(a.end !== null) - Number(b.end !== null) || began(b) - began(a));
}

const STEPS_MS = [10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000, 3 * 3_600_000, 6 * 3_600_000];

/** Round moments for an axis: at most `most` of them, with where they stand. */
export function ticksOf(window: Window, most: number): { at: number; left: number }[] {
  const length = window.to - window.from;
  const step = STEPS_MS.find((ms) => length / ms <= most) ?? length;
  const first = Math.ceil(window.from / step) * step;
  const ticks: { at: number; left: number }[] = [];
  for (let at = first; at <= window.to; at += step) ticks.push({ at, left: percent(at, window) });
  return ticks;
}
