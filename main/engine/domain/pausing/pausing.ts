/**
 * Whether work goes on: paused by a person, at a start, or by a rule about this machine.
 *
 * A person's pause is above all rules. Of the rules that hold, the first is reported. Resuming ends the person's pause and overrules
 * the rules that hold at that moment, each until it has ended. All of it is stored, and a start goes by `machine.onStart`.
 */
import { storedPauseSchema, type PauseRequest, type PauseState, type StoredPause } from '#contract/local/machine.ts';
import { factsFor, type FactsQuery, type MachineFacts, type MinuteOfDay } from './rules.ts';
import type { Cancel, Clock, Logger } from '../core/ports.ts';
import { createRuleWatch } from './hysteresis.ts';
import type { Settings } from '../settings.ts';

export interface Pausing {
  state(): PauseState;
  pause(request: PauseRequest): PauseState;
  /** Goes on now; rules that hold just now are overruled until they have stopped holding. */
  resume(): PauseState;
  /** Called after each change of the state. */
  onChange(listener: (state: PauseState) => void): Cancel;
  /** Settles once no poll is running. */
  stop(): Promise<void>;
}

/** Inspects this machine: only the facts of `query`. Never rejects. */
export type InspectMachine = (query: FactsQuery) => Promise<MachineFacts>;

/** The stored state of pausing. The reader validates it. */
export interface PauseStore {
  load(): unknown;
  save(state: StoredPause): void;
}

export interface PausingOptions {
  clock: Clock;
  logger: Logger;
  settings: Pick<Settings, 'current' | 'onChange'>;
  store: PauseStore;
  inspectMachine: InspectMachine;
  minuteOfDay: MinuteOfDay;
  /** Whether a worker of ours has a job just now. */
  isBusy(): boolean;
}

/** Between two polls of the machine, while a rule needs them. */
const POLL_EVERY_MS = 5000;
/** How often the end of running jobs is polled. */
const BUSY_EVERY_MS = 500;
const MINUTE_MS = 60_000;
/** How long a start waits for the first poll. */
const FIRST_POLL_MS = 3000;

type Hold = NonNullable<StoredPause['held']>;

const nothingKnown: MachineFacts = { onBattery: null, programs: null, gpus: null };
const moment = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

function storedState({ store, logger }: PausingOptions): StoredPause {
  const none: StoredPause = { held: null, overruled: [] };
  const parsed = storedPauseSchema.nullable().safeParse(store.load());
  if (parsed.success) return parsed.data ?? none;
  logger.warn({ err: parsed.error }, 'the stored pause cannot be understood; nothing is paused by it');
  return none;
}

/** The pause from the start on, before any rule is checked. */
function holdAtStart(stored: Hold | null, { clock, settings }: PausingOptions): Hold | null {
  const { onStart } = settings.current.machine;
  if (onStart === 'run') return null;
  const now = clock.now();
  // What ran before this start has ended with the engine that ran it. A calendar that was set back makes no pause longer.
  const before = stored && {
    ...stored,
    finishing: false,
    until: stored.until && Math.min(stored.until, now + (stored.forMs ?? Infinity)),
  };
  if (onStart === 'as-it-was' || before?.source === 'person') return before;
  return { source: 'start', finishing: false, since: now, until: null, forMs: null };
}

/** Resolves once the rules have been checked for the first time: no work may begin earlier. */
export async function createPausing(options: PausingOptions): Promise<Pausing> {
  const { clock, logger, settings, store } = options;
  const listeners = new Set<(state: PauseState) => void>();
  const before = storedState(options);
  const watch = createRuleWatch(clock, options.minuteOfDay, before.overruled);
  let hold = holdAtStart(before.held, options);
  /** When the timed pause ends at the latest, on the clock that the calendar does not change. */
  let endsElapsed = hold?.until ? clock.elapsed() + hold.until - clock.now() : Infinity;
  let facts = nothingKnown;
  let polling: Promise<void> | null = null;
  let pollAgain = false;
  let nextPoll: Cancel | null = null;
  let nextMoment: Cancel | null = null;
  let stopped = false;
  let saved = '';
  let reported: PauseState;

  function stateNow(): PauseState {
    const overruled = watch.overruled();
    const paused = (
      source: PauseState['source'],
      since: number,
      until: number | null,
      message: string,
    ): PauseState => ({
      state: 'paused',
      source,
      message,
      since: moment(since),
      until: moment(until),
      overruled,
    });
    if (hold && !hold.finishing) {
      const message =
        hold.source === 'person' ? 'Paused by you.' : 'Paused since Hangar was started, as the settings say.';
      return paused(hold.source, hold.since, hold.until, message);
    }
    const rule = watch.holding();
    if (rule) return paused(rule.rule, rule.since, rule.until, `Paused because ${rule.message}.`);
    if (!hold) return { state: 'running', source: null, message: null, since: null, until: null, overruled };
    const state = paused(hold.source, hold.since, hold.until, 'Paused by you as soon as the jobs that run have ended.');
    return { ...state, state: 'finishing' };
  }

  function save(): void {
    const state: StoredPause = { held: hold, overruled: watch.overruled() };
    const text = JSON.stringify(state);
    if (text === saved) return;
    try {
      store.save(state);
      saved = text;
    } catch (error) {
      // The machine is given back all the same; only a restart would not know of it.
      logger.warn({ err: error }, 'the pause could not be stored');
    }
  }

  /** Applies the current facts: ends pauses, saves the state, notifies listeners. */
  function settle(): void {
    if (stopped) return;
    if (hold?.until && (clock.now() >= hold.until || clock.elapsed() >= endsElapsed)) hold = null;
    if (hold?.finishing && !options.isBusy()) hold = { ...hold, finishing: false };
    save();
    const now = stateNow();
    const changed = JSON.stringify(now) !== JSON.stringify(reported);
    reported = now;
    awaitMoment();
    if (!changed) return;
    logger.info({ state: now.state, source: now.source, message: now.message }, 'pausing');
    for (const listener of [...listeners]) listener(now);
  }

  /** Wakes at the next moment at which time alone may change something; never, when it cannot. */
  function awaitMoment(): void {
    nextMoment?.();
    nextMoment = null;
    const due: number[] = [];
    // By the minute, since the calendar may be set, or the machine may sleep.
    const nextMinuteMs = MINUTE_MS - (clock.now() % MINUTE_MS);
    if (settings.current.machine.rules.quietHours) due.push(nextMinuteMs);
    if (hold?.until) due.push(nextMinuteMs, hold.until - clock.now(), endsElapsed - clock.elapsed());
    if (hold?.finishing) due.push(BUSY_EVERY_MS);
    if (due.length > 0) nextMoment = clock.after(Math.max(1, Math.min(...due)), onMoment);
  }

  function onMoment(): void {
    watch.update(settings.current.machine.rules, facts, false);
    settle();
  }

  async function pollOnce(atOnce: boolean): Promise<void> {
    const query = factsFor(settings.current.machine.rules);
    const needed = Object.values(query).some(Boolean);
    facts = needed ? await options.inspectMachine(query) : nothingKnown;
    if (stopped) return;
    watch.update(settings.current.machine.rules, facts, atOnce);
    settle();
    if (needed) nextPoll = clock.after(POLL_EVERY_MS, () => poll());
  }

  function poll(atOnce = false): void {
    if (stopped) return;
    // The running poll may lack facts that the changed rules need: another one follows.
    if (polling) {
      pollAgain = true;
      return;
    }
    nextPoll?.();
    nextPoll = null;
    polling = pollOnce(atOnce).then(() => {
      polling = null;
      if (!pollAgain) return;
      pollAgain = false;
      poll();
    });
  }

  reported = stateNow();
  const unlisten = settings.onChange(() => poll());
  poll(true);
  // A system that does not answer must not keep the engine from starting.
  await new Promise<void>((resolve) => {
    const enough = clock.after(FIRST_POLL_MS, resolve);
    void polling?.then(() => {
      enough();
      resolve();
    });
  });

  return {
    state: () => reported,
    pause({ when, forMs }) {
      const since = clock.now();
      const until = forMs === undefined ? null : since + forMs;
      endsElapsed = clock.elapsed() + (forMs ?? Infinity);
      hold = { source: 'person', finishing: when === 'after-job', since, until, forMs: forMs ?? null };
      settle();
      return reported;
    },
    resume() {
      hold = null;
      watch.overrule();
      settle();
      return reported;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      stopped = true;
      unlisten();
      nextPoll?.();
      nextMoment?.();
      listeners.clear();
      await polling;
    },
  };
}
