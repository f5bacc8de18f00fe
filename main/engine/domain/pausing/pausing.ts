/**
 * Whether work goes on: paused by a person, at a start, or by a rule about this machine.
 *
 * A person's pause is above all rules; of the rules that hold, the first is told. Resuming ends the person's pause and overrules
 * the rules that hold at that moment, each until it has ended. All of it is stored, and a start goes by `machine.onStart`.
 */
import { storedPauseSchema, type PauseRequest, type PauseState, type StoredPause } from '#contract/local/machine.ts';
import { factsFor, type FactsAsked, type MachineFacts, type MinuteOfDay } from './rules.ts';
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
  /** Settles once nothing is looked at any more. */
  stop(): Promise<void>;
}

/** Looks at this machine: only at what is asked for. Never rejects. */
export type MachineLook = (asked: FactsAsked) => Promise<MachineFacts>;

/** The state of pausing at rest; read by whoever asks, and checked by them. */
export interface PauseStore {
  load(): unknown;
  save(state: StoredPause): void;
}

export interface PausingOptions {
  clock: Clock;
  logger: Logger;
  settings: Pick<Settings, 'current' | 'onChange'>;
  store: PauseStore;
  look: MachineLook;
  minuteOfDay: MinuteOfDay;
  /** Whether a worker of ours has a job just now. */
  isBusy(): boolean;
}

/** Between two looks at the machine, while a rule needs them. */
const LOOK_EVERY_MS = 5000;
/** While running jobs end, how often it is seen whether they have. */
const BUSY_EVERY_MS = 500;
const MINUTE_MS = 60_000;
/** How long a start waits for the first look. */
const FIRST_LOOK_MS = 3000;

type Held = NonNullable<StoredPause['held']>;

const nothingKnown: MachineFacts = { onBattery: null, programs: null, gpus: null };
const moment = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

function storedState({ store, logger }: PausingOptions): StoredPause {
  const none: StoredPause = { held: null, overruled: [] };
  const parsed = storedPauseSchema.nullable().safeParse(store.load());
  if (parsed.success) return parsed.data ?? none;
  logger.warn({ err: parsed.error }, 'the stored pause cannot be understood; nothing is paused by it');
  return none;
}

/** What holds work back from the start on, before any rule is looked at. */
function heldAtStart(held: Held | null, { clock, settings }: PausingOptions): Held | null {
  const { onStart } = settings.current.machine;
  if (onStart === 'run') return null;
  const now = clock.now();
  // What ran before this start has ended with the engine that ran it. A calendar that was set back makes no pause longer.
  const before = held && {
    ...held,
    finishing: false,
    until: held.until && Math.min(held.until, now + (held.forMs ?? Infinity)),
  };
  if (onStart === 'as-it-was' || before?.source === 'person') return before;
  return { source: 'start', finishing: false, since: now, until: null, forMs: null };
}

/** Resolves once the rules have been looked at for the first time, for nothing should be begun before. */
export async function createPausing(options: PausingOptions): Promise<Pausing> {
  const { clock, logger, settings, store } = options;
  const listeners = new Set<(state: PauseState) => void>();
  const before = storedState(options);
  const watch = createRuleWatch(clock, options.minuteOfDay, before.overruled);
  let held = heldAtStart(before.held, options);
  /** When the timed pause ends at the latest, whatever becomes of the calendar. */
  let endsElapsed = held?.until ? clock.elapsed() + held.until - clock.now() : Infinity;
  let facts = nothingKnown;
  let looking: Promise<void> | null = null;
  let askedInVain = false;
  let nextLook: Cancel | null = null;
  let nextMoment: Cancel | null = null;
  let stopped = false;
  let saved = '';
  let told: PauseState;

  function stateNow(): PauseState {
    const overruled = watch.overruled();
    const paused = (source: PauseState['source'], since: number, until: number | null, why: string): PauseState => ({
      ...{ state: 'paused', source, message: why, since: moment(since), until: moment(until), overruled },
    });
    if (held && !held.finishing) {
      const why = held.source === 'person' ? 'Paused by you.' : 'Paused since Hangar was started, as the settings say.';
      return paused(held.source, held.since, held.until, why);
    }
    const rule = watch.holding();
    if (rule) return paused(rule.rule, rule.since, rule.until, `Paused because ${rule.message}.`);
    if (!held) return { state: 'running', source: null, message: null, since: null, until: null, overruled };
    const state = paused(held.source, held.since, held.until, 'Paused by you as soon as the jobs that run have ended.');
    return { ...state, state: 'finishing' };
  }

  function save(): void {
    const state: StoredPause = { held, overruled: watch.overruled() };
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

  /** Draws all consequences of what is known now. */
  function settle(): void {
    if (stopped) return;
    if (held?.until && (clock.now() >= held.until || clock.elapsed() >= endsElapsed)) held = null;
    if (held?.finishing && !options.isBusy()) held = { ...held, finishing: false };
    save();
    const now = stateNow();
    const changed = JSON.stringify(now) !== JSON.stringify(told);
    told = now;
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
    if (held?.until) due.push(nextMinuteMs, held.until - clock.now(), endsElapsed - clock.elapsed());
    if (held?.finishing) due.push(BUSY_EVERY_MS);
    if (due.length > 0) nextMoment = clock.after(Math.max(1, Math.min(...due)), onMoment);
  }

  function onMoment(): void {
    watch.look(settings.current.machine.rules, facts, false);
    settle();
  }

  async function lookOnce(atOnce: boolean): Promise<void> {
    const asked = factsFor(settings.current.machine.rules);
    const needed = Object.values(asked).some(Boolean);
    facts = needed ? await options.look(asked) : nothingKnown;
    if (stopped) return;
    watch.look(settings.current.machine.rules, facts, atOnce);
    settle();
    if (needed) nextLook = clock.after(LOOK_EVERY_MS, () => look());
  }

  function look(atOnce = false): void {
    if (stopped) return;
    // What was asked before the rules changed may not be what they need now.
    if (looking) {
      askedInVain = true;
      return;
    }
    nextLook?.();
    nextLook = null;
    looking = lookOnce(atOnce).then(() => {
      looking = null;
      if (!askedInVain) return;
      askedInVain = false;
      look();
    });
  }

  told = stateNow();
  const unlisten = settings.onChange(() => look());
  look(true);
  // A system that does not answer must not keep the engine from starting.
  await new Promise<void>((resolve) => {
    const enough = clock.after(FIRST_LOOK_MS, resolve);
    void looking?.then(() => {
      enough();
      resolve();
    });
  });

  return {
    state: () => told,
    pause({ when, forMs }) {
      const since = clock.now();
      const until = forMs === undefined ? null : since + forMs;
      endsElapsed = clock.elapsed() + (forMs ?? Infinity);
      held = { source: 'person', finishing: when === 'after-job', since, until, forMs: forMs ?? null };
      settle();
      return told;
    },
    resume() {
      held = null;
      watch.overrule();
      settle();
      return told;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      stopped = true;
      unlisten();
      nextLook?.();
      nextMoment?.();
      listeners.clear();
      await looking;
    },
  };
}
