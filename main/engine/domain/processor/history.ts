/**
 * The history of the processor and the memory of this machine, kept as that of its GPUs: short spans for an hour, longer
 * ones for a day. The time in which the engine did not run has no values.
 */
import type { GpuPeriod } from '#contract/local/gpuHistory.ts';
import type { Machine, ProcessorHistory, ProcessorPoint } from '#contract/local/machine.ts';
import type { Cancel, Clock } from '../core/ports.ts';
import type { SpanStore } from '../gpus/history/ports.ts';
import { createSpans, spanStart } from '../gpus/history/spans.ts';
import { periods } from '../gpus/history/steps.ts';
import { addQuantity, addValue, measuredOf, noValues, type QuantitySums } from '../gpus/history/sums.ts';

/** The measurements of one span of time: 0-100 % of all cores, and used bytes of the memory. */
export interface ProcessorSums {
  readonly loadPercent: QuantitySums;
  readonly memoryBytes: QuantitySums;
}
export type ProcessorHistoryStore = SpanStore<ProcessorSums>;

export interface ProcessorHistoryRecorder {
  /** The history of the last `period`; points without a measurement have no values. */
  of(period: GpuPeriod): ProcessorHistory;
  /** Ends the measurements, and stores what is not stored yet. */
  stop(): void;
}

export interface ProcessorHistoryOptions {
  clock: Pick<Clock, 'now' | 'after' | 'elapsed'>;
  store: Pick<ProcessorHistoryStore, 'add' | 'read' | 'retain'>;
  /** Measures since its previous call. */
  measure(): Pick<Machine, 'cpu' | 'memory'>;
}

/** Each of the shortest spans has several measurements, and an idle machine is seldom woken. */
const SAMPLE_MS = 15_000;
/** A person who has just started Hangar sees a measurement at once. A shorter time has few ticks of the processor. */
const FIRST_MS = 1000;
/** There is one processor: all spans have this key. */
const KEY = 'processor';

const iso = (at: number): string => new Date(at).toISOString();

const newSums = (): ProcessorSums => ({ loadPercent: noValues(), memoryBytes: noValues() });

/** Adds the sums of another span. */
export function addSums(to: ProcessorSums, later: ProcessorSums): void {
  addQuantity(to.loadPercent, later.loadPercent);
  addQuantity(to.memoryBytes, later.memoryBytes);
}

const pointOf = (at: number, { loadPercent, memoryBytes }: ProcessorSums): ProcessorPoint => ({
  at: iso(at),
  loadPercent: measuredOf(loadPercent, 1),
  memoryBytes: measuredOf(memoryBytes, 0),
});

/** Measures after 1 s, after 15 s, and then every 15 s until `stop`. */
export function createProcessorHistory({ clock, store, measure }: ProcessorHistoryOptions): ProcessorHistoryRecorder {
  const spans = createSpans({ clock, store, newSums, addSums });
  let next: Cancel = () => undefined;

  function sample(waitMs = SAMPLE_MS): void {
    const { cpu, memory } = measure();
    for (const { loadPercent, memoryBytes } of spans.current(KEY)) {
      // The first measurement has no load: nothing was measured before it.
      if (cpu.loadPercent !== null) addValue(loadPercent, cpu.loadPercent);
      addValue(memoryBytes, memory.usedBytes);
    }
    spans.beat();
    next = clock.after(waitMs, () => sample());
  }
  next = clock.after(FIRST_MS, () => sample(SAMPLE_MS - FIRST_MS));

  return {
    of(period) {
      const { stepMs, points: count } = periods[period];
      const to = clock.now();
      const from = spanStart(to, stepMs) - (count - 1) * stepMs;
      const known = spans.read(KEY, stepMs, from);
      const points = Array.from({ length: count }, (_, place) => {
        const at = from + place * stepMs;
        return pointOf(at, known.get(at) ?? newSums());
      });
      return { period, from: iso(from), to: iso(to), stepMs, points };
    },
    stop() {
      next();
      spans.flush();
    },
  };
}
