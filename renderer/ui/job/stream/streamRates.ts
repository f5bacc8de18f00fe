/** How fast a stream is, and the numbers that its chunks carry: short series for a small chart each. */
import type { LedgerChunk } from '#contract/app/ledger.ts';
import { readChat } from '../../output/chatText.ts';
import { kindOf, memberOf, membersOf } from '../../output/jsonNode.ts';
import { t } from '../../../language/text.ts';

export interface Series {
  /** For a person: "tokens/s", or the name of a metric. */
  name: string;
  /** Oldest first, at most `POINTS`. */
  values: readonly number[];
  /** The value to show beside the chart: the newest, or of a rate that has ended its mean. */
  value: number;
}

const POINTS = 60;
/** A rate over a shorter time says more about the network than about the worker. */
const BIN_MS = 250;
/** The rate of now is that of the last second. */
const RECENT_BINS = 4;
/** Below this rate, the value is the average of the whole stream. */
const FEWEST_A_SECOND = 2;
const MOST_METRICS = 3;
/** Chunks with numbers are small; a picture is not searched for them. */
const SEARCHED_CHARS = 20_000;

/** Tokens of one chunk where it tells them; null where it does not. */
function tokensOf(raw: string): number | null {
  if (kindOf(raw) !== 'object' || raw.length > SEARCHED_CHARS) return null;
  const [choice] = membersOf(memberOf(raw, 'choices') ?? 'null');
  const tokens = choice && memberOf(choice.text, 'tokens');
  if (tokens !== undefined && kindOf(tokens) === 'array') return membersOf(tokens).length;
  // Servers of the OpenAI kind send one token in each piece.
  return readChat(raw) === null ? null : 1;
}

/** The numbers of the object `metrics` beside the output of a chunk, or in it. */
function metricsOf({ text: raw, metrics: beside }: LedgerChunk): [string, number][] {
  const isSearched = kindOf(raw) === 'object' && raw.length <= SEARCHED_CHARS;
  const metrics = beside ?? (isSearched ? memberOf(raw, 'metrics') : undefined);
  if (metrics === undefined || metrics.length > SEARCHED_CHARS || kindOf(metrics) !== 'object') return [];
  return membersOf(metrics).flatMap(({ name, text }): [string, number][] =>
    kindOf(text) === 'number' ? [[String(name), Number(text)]] : [],
  );
}

/** Averages neighbours, so that at most `POINTS` values remain. */
function thin(values: readonly number[]): number[] {
  const each = Math.ceil(values.length / POINTS);
  if (each <= 1) return [...values];
  return Array.from({ length: Math.ceil(values.length / each) }, (_, at) => {
    const those = values.slice(at * each, (at + 1) * each);
    return those.reduce((sum, value) => sum + value, 0) / those.length;
  });
}

/** Counts of something by the time at which it came. */
class Counts {
  private readonly bins: number[] = [];
  private firstAt = 0;
  private lastAt = 0;
  private total = 0;
  /** How many times something was counted. */
  entries = 0;

  add(at: number, count: number): void {
    if (this.entries === 0) this.firstAt = at;
    // The first one begins the time, and so is not part of the rate.
    else this.total += count;
    this.entries += 1;
    this.lastAt = Math.max(this.lastAt, at);
    const bin = Math.max(0, Math.floor((at - this.firstAt) / BIN_MS));
    while (this.bins.length <= bin) this.bins.push(0);
    this.bins[bin] = (this.bins[bin] ?? 0) + count;
  }

  /** Null while too little came for a rate. The newest bin is not full, and left out. */
  rate(name: string, over: boolean): Series | null {
    const spanMs = this.lastAt - this.firstAt;
    if (spanMs < 2 * BIN_MS) return null;
    const values = this.bins.slice(0, -1).map((count) => (count * 1000) / BIN_MS);
    const recent = values.slice(-RECENT_BINS);
    const now = recent.reduce((sum, value) => sum + value, 0) / recent.length;
    // Of a slow stream, the last second holds one entry or none.
    const isSlow = this.total * 1000 < FEWEST_A_SECOND * spanMs;
    return { name, values: thin(values), value: over || isSlow ? (this.total * 1000) / spanMs : now };
  }
}

/**
 * Reads a list of chunks that only grows: each call counts those that are new, and answers the series of all. `over`:
 * whether the stream has ended. Chunks that do not tell their tokens are counted as chunks, because a worker may put
 * any number of tokens into one.
 */
export function createRateReader(): (chunks: readonly LedgerChunk[], over: boolean) => Series[] {
  let first: LedgerChunk | undefined;
  let seen = 0;
  let tokens = new Counts();
  let all = new Counts();
  let metrics = new Map<string, number[]>();

  return (chunks, over) => {
    if (chunks[0] !== first || chunks.length < seen) {
      first = chunks[0];
      seen = 0;
      tokens = new Counts();
      all = new Counts();
      metrics = new Map();
    }
    for (const chunk of chunks.slice(seen)) {
      const { at, text } = chunk;
      all.add(at, 1);
      const count = tokensOf(text);
      if (count !== null) tokens.add(at, count);
      for (const [name, value] of metricsOf(chunk)) {
        const values = metrics.get(name) ?? [];
        values.push(value);
        metrics.set(name, values);
      }
    }
    seen = chunks.length;
    const rate = tokens.entries > all.entries / 2 ? tokens.rate(t`tokens/s`, over) : all.rate(t`chunks/s`, over);
    const numbers = [...metrics].slice(0, MOST_METRICS).map(([name, values]) => ({
      name: name.replaceAll('_', ' '),
      values: thin(values),
      value: values.at(-1) ?? 0,
    }));
    return rate ? [rate, ...numbers] : numbers;
  };
}
