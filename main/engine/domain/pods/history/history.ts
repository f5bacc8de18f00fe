/** The newest events of each Pod: in memory and saved to the store. */
import { podHistoryLimits, type PodEvent, type PodEventKind } from '#contract/local/podEvent.ts';
import type { Clock, Logger } from '../../core/ports.ts';

export interface PodEventStore {
  /** All events, oldest first for each Pod. */
  load(): { podId: string; event: PodEvent }[];
  /** Adds the event, or replaces the one with its number. */
  save(podId: string, event: PodEvent): void;
  remove(podId: string, numbers: readonly number[]): void;
  removeAll(podId: string): void;
}

/** `at`: milliseconds since the epoch; without it now. */
export interface NewPodEvent extends Partial<Pick<PodEvent, 'by' | 'keyName' | 'exitCode'>> {
  kind: PodEventKind;
  text: string;
  at?: number;
}

export interface PodHistory {
  note(podId: string, event: NewPodEvent): PodEvent;
  /** Adds the last lines of the container to the event of its end. Ignores an event that is gone. */
  addLines(podId: string, n: number, lastLines: string[]): void;
  /** Oldest first. */
  of(podId: string): readonly PodEvent[];
  /** The last end of the container since a person last started the Pod; its `times` counts them. Null without one. */
  lastEnd(podId: string): PodEvent | null;
  /** When its container started last, in milliseconds since the epoch; null if no start is noted. */
  lastStart(podId: string): number | null;
  /** Removes the events of a Pod. */
  drop(podId: string): void;
}

export interface PodHistoryOptions {
  clock: Clock;
  logger: Logger;
  store: PodEventStore;
}

/** Events after which the count of the container's ends begins anew. */
const fresh: readonly PodEventKind[] = ['made', 'stopped', 'resumed', 'restarted', 'reset', 'changed'];

/** The first ends in a row stay listed, up to this number; of the later ones, only the last stays. */
const ENDS_LISTED = 3;

function lastEndOf(events: readonly PodEvent[]): PodEvent | null {
  const last = events.findLast(({ kind }) => kind === 'ended' || fresh.includes(kind));
  return last?.kind === 'ended' ? last : null;
}

/**
 * The events that `added` replaces: an equal failure, the last end in a long row with the start after it, and those
 * beyond the limit.
 */
function replacedBy(added: PodEvent, events: readonly PodEvent[]): readonly PodEvent[] {
  const last = events.at(-1);
  if (added.kind === 'failed' && last?.kind === 'failed' && last.text === added.text) return [last];
  if (added.kind === 'ended' && added.times > ENDS_LISTED + 1) {
    const from = events.findLastIndex(({ kind }) => kind === 'ended');
    return events.slice(from).filter(({ kind }) => kind === 'ended' || kind === 'started');
  }
  return events.slice(0, Math.max(0, events.length + 1 - podHistoryLimits.events));
}

/** What the last end of a long row keeps of the starts that it replaces. */
function replacedRuns({ kind, times }: PodEvent, replaced: readonly PodEvent[]): Pick<PodEvent, 'runs'> {
  const end = replaced.find((event) => event.kind === 'ended');
  if (kind !== 'ended' || times <= ENDS_LISTED + 1 || !end) return {};
  const start = replaced.find((event) => event.kind === 'started');
  const run = start && { n: end.times + 1, startedAt: start.at, endedAt: end.at, exitCode: end.exitCode };
  return { runs: [...(end.runs ?? []), ...(run ? [run] : [])].slice(-podHistoryLimits.runs) };
}

export function createPodHistory({ clock, logger, store }: PodHistoryOptions): PodHistory {
  const eventsOf = new Map<string, PodEvent[]>();
  for (const { podId, event } of store.load()) eventsOf.set(podId, [...(eventsOf.get(podId) ?? []), event]);

  /** A history that cannot be stored must not stop a Pod: it stays in memory. */
  function tryToStore(podId: string, write: () => void): void {
    try {
      write();
    } catch (err) {
      logger.warn({ podId, err }, 'the events of a Pod could not be stored');
    }
  }

  function timesOf(kind: PodEventKind, text: string, events: readonly PodEvent[]): number {
    if (kind === 'ended') return (lastEndOf(events)?.times ?? 0) + 1;
    const last = events.at(-1);
    return kind === 'failed' && last?.kind === 'failed' && last.text === text ? last.times + 1 : 1;
  }

  return {
    note(podId, { kind, text, at = clock.now(), by = 'engine', keyName = null, exitCode = null }) {
      const events = eventsOf.get(podId) ?? [];
      const added: PodEvent = {
        n: (events.at(-1)?.n ?? 0) + 1,
        at: new Date(at).toISOString(),
        kind,
        by,
        keyName,
        text,
        times: timesOf(kind, text, events),
        exitCode,
        lastLines: [],
      };
      const replaced = replacedBy(added, events);
      const event = { ...added, ...replacedRuns(added, replaced) };
      eventsOf.set(podId, [...events.filter((one) => !replaced.includes(one)), event]);
      tryToStore(podId, () => {
        if (replaced.length > 0) {
          store.remove(
            podId,
            replaced.map(({ n }) => n),
          );
        }
        store.save(podId, event);
      });
      return event;
    },
    addLines(podId, n, lastLines) {
      const events = eventsOf.get(podId) ?? [];
      const event = events.find((one) => one.n === n);
      if (!event) return;
      const completed = { ...event, lastLines };
      eventsOf.set(
        podId,
        events.map((one) => (one === event ? completed : one)),
      );
      tryToStore(podId, () => store.save(podId, completed));
    },
    of: (podId) => eventsOf.get(podId) ?? [],
    lastEnd: (podId) => lastEndOf(eventsOf.get(podId) ?? []),
    lastStart(podId) {
      const start = eventsOf.get(podId)?.findLast(({ kind }) => kind === 'started');
      return start ? Date.parse(start.at) : null;
    },
    drop(podId) {
      if (!eventsOf.delete(podId)) return;
      tryToStore(podId, () => store.removeAll(podId));
    },
  };
}
