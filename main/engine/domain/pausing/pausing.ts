/**
 * Decides whether work is paused: by a person, at a start, or by a rule about this machine.
 *
 * A person's pause takes precedence over all rules. Among the rules that hold, the first one is reported. A resume ends
 * the person's pause and overrules the rules that hold at that moment, each until it ends. The state is stored; after a
 * restart, `machine.onStart` decides how to continue.
 */
import { storedPauseSchema, type PauseRequest, type PauseState, type StoredPause } from '#contract/local/machine.ts';
import { createFactsPolling, type InspectMachine } from './factsPolling.ts';
import type { MinuteOfDay } from './rules.ts';
import type { Cancel, Clock, Logger } from '../core/ports.ts';
import { createRuleWatch, type RuleWatch } from './hysteresis.ts';
import type { Settings } from '../settings.ts';

export interface Pausing {
  state(): PauseState;
  pause(request: PauseRequest): PauseState;
  /** Resumes work now. Rules that hold now are overruled until they end. */
  resume(): PauseState;
  /** Inspects the machine now instead of at the next poll, for example after a change of its power source. */
  inspectNow(): void;
  /** Called after each change of the state. */
  onChange(listener: (state: PauseState) => void): Cancel;
  /** Settles once no poll is running. */
  stop(): Promise<void>;
}

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
  /** Whether one of our workers has a job now. */
  isBusy(): boolean;
}

/** How often the end of running jobs is polled. */
const BUSY_EVERY_MS = 500;
const MINUTE_MS = 60_000;

type Hold = NonNullable<StoredPause['held']>;

const moment = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

function storedState({ store, logger }: PausingOptions): StoredPause {
  const none: StoredPause = { held: null, overruled: [] };
  const parsed = storedPauseSchema.nullable().safeParse(store.load());
  if (parsed.success) return parsed.data ?? none;
  logger.warn({ err: parsed.error }, 'the stored pause is invalid and is ignored');
  return none;
}

/** The pause at the start of the engine, before the first check of the rules. */
function holdAtStart(stored: Hold | null, { clock, settings }: PausingOptions): Hold | null {
  const { onStart } = settings.current.machine;
  if (onStart === 'run') return null;
  const now = clock.now();
  // The stored pause is of an earlier engine. Setting the clock back must not make the pause longer.
  const before = stored && {
    ...stored,
    finishing: false,
    until: stored.until && Math.min(stored.until, now + (stored.forMs ?? Infinity)),
  };
  if (onStart === 'as-it-was' || before?.source === 'person') return before;
  return { source: 'start', finishing: false, since: now, until: null, forMs: null };
}

/** The state for a person. A pause by a person or by a start takes precedence over the rules. */
function stateOf(hold: Hold | null, watch: RuleWatch): PauseState {
  const overruled = watch.overruled();
  const paused = (source: PauseState['source'], since: number, until: number | null, message: string): PauseState => ({
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
  const state = paused(hold.source, hold.since, hold.until, 'Paused by you once the running jobs have ended.');
  return { ...state, state: 'finishing' };
}

/** Resolves after the first check of the rules. No work may begin before that. */
export async function createPausing(options: PausingOptions): Promise<Pausing> {
  const { clock, logger, settings, store } = options;
  const listeners = new Set<(state: PauseState) => void>();
  const before = storedState(options);
  const watch = createRuleWatch(clock, options.minuteOfDay, before.overruled);
  let hold = holdAtStart(before.held, options);
  /** The latest end of a timed pause, monotonic milliseconds: a change of the wall clock does not move it. */
  let endsElapsed = hold?.until ? clock.elapsed() + hold.until - clock.now() : Infinity;
  let nextMoment: Cancel | null = null;
  let stopped = false;
  let saved = '';
  let reported: PauseState;

  const polls = createFactsPolling({
    clock,
    rules: () => settings.current.machine.rules,
    inspectMachine: options.inspectMachine,
    onFacts(facts, atOnce) {
      watch.update(settings.current.machine.rules, facts, atOnce);
      settle();
    },
  });

  function save(): void {
    const state: StoredPause = { held: hold, overruled: watch.overruled() };
    const text = JSON.stringify(state);
    if (text === saved) return;
    try {
      store.save(state);
      saved = text;
    } catch (error) {
      // The pause is in force anyway; only a restart would forget it.
      logger.warn({ err: error }, 'the pause could not be stored');
    }
  }

  /** Applies the current facts: ends pauses, saves the state, notifies listeners. */
  function settle(): void {
    if (stopped) return;
    if (hold?.until && (clock.now() >= hold.until || clock.elapsed() >= endsElapsed)) hold = null;
    if (hold?.finishing && !options.isBusy()) hold = { ...hold, finishing: false };
    save();
    const now = stateOf(hold, watch);
    const changed = JSON.stringify(now) !== JSON.stringify(reported);
    reported = now;
    awaitMoment();
    if (!changed) return;
    logger.info({ state: now.state, source: now.source, message: now.message }, 'pausing');
    for (const listener of [...listeners]) listener(now);
  }

  /**
   * Sets a timer for the next moment at which time alone can change the state. Sets none when no such moment exists.
   */
  function awaitMoment(): void {
    nextMoment?.();
    nextMoment = null;
    const due: number[] = [];
    // Checks once a minute, because the wall clock may change or the machine may sleep.
    const nextMinuteMs = MINUTE_MS - (clock.now() % MINUTE_MS);
    if (settings.current.machine.rules.quietHours) due.push(nextMinuteMs);
    if (hold?.until) due.push(nextMinuteMs, hold.until - clock.now(), endsElapsed - clock.elapsed());
    if (hold?.finishing) due.push(BUSY_EVERY_MS);
    if (due.length > 0) nextMoment = clock.after(Math.max(1, Math.min(...due)), onMoment);
  }

  function onMoment(): void {
    watch.update(settings.current.machine.rules, polls.facts(), false);
    settle();
  }

  reported = stateOf(hold, watch);
  const unlisten = settings.onChange(() => polls.poll());
  await polls.start();

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
    inspectNow() {
      polls.poll();
      // A sleep may have reached the end of a timed pause, or quiet hours.
      onMoment();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      stopped = true;
      unlisten();
      nextMoment?.();
      listeners.clear();
      await polls.stop();
    },
  };
}
