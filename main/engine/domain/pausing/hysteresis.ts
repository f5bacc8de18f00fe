/**
 * The rules of pausing with a delay: a condition must last before its rule holds, and end for a while before the rule
 * ends. A person may overrule a rule until it ends.
 */
import type { MachineSettings } from '#contract/local/machine.ts';
import { allRules, dwellMs, isOn, met, type Holds, type MachineFacts, type MinuteOfDay, type Rule } from './rules.ts';
import type { Clock } from '../core/ports.ts';

interface Track {
  holds: (Holds & { since: number }) | null;
  /**
   * The moment when the condition began to differ from the state of the rule, monotonic milliseconds; null while they
   * agree.
   */
  differsSince: number | null;
  overruled: boolean;
}

export interface RuleWatch {
  /** Takes new facts. `atOnce`: these are the first facts, so rules change without a delay. */
  update(rules: MachineSettings['rules'], facts: MachineFacts, atOnce: boolean): void;
  /** The first rule that holds and is not overruled. */
  holding(): (Holds & { rule: Rule; since: number }) | null;
  /** Rules that hold but do not count until they end. */
  overruled(): Rule[];
  /** Overrules each rule that holds now, until it ends. */
  overrule(): void;
}

/** Rules that keep their first message while they hold, because the load of a GPU changes with every poll. */
const keepsWords: ReadonlySet<Rule> = new Set<Rule>(['gpu-load', 'gpu-memory']);

export function createRuleWatch(clock: Clock, minuteOfDay: MinuteOfDay, overruledBefore: readonly string[]): RuleWatch {
  const tracks = new Map<Rule, Track>();
  for (const rule of allRules) {
    tracks.set(rule, { holds: null, differsSince: null, overruled: overruledBefore.includes(rule) });
  }

  function updateTrack(rule: Rule, track: Track, now: Holds | null, on: boolean, atOnce: boolean): void {
    if (now && track.holds && !keepsWords.has(rule)) track.holds = { ...now, since: track.holds.since };
    if ((now === null) === (track.holds === null)) {
      track.differsSince = null;
    } else {
      track.differsSince ??= clock.elapsed();
      const dwell = now ? dwellMs[rule].begin : dwellMs[rule].end;
      const waited = clock.elapsed() - track.differsSince;
      // A rule that a person switches off ends without a delay.
      if (waited >= dwell || atOnce || !on) {
        track.holds = now && { ...now, since: clock.now() };
        track.differsSince = null;
      }
    }
    if (track.holds === null) track.overruled = false;
  }

  return {
    update(rules, facts, atOnce) {
      const at = clock.now();
      for (const [rule, track] of tracks) {
        updateTrack(rule, track, met(rule, rules, facts, at, minuteOfDay), isOn(rule, rules), atOnce);
      }
    },
    holding() {
      for (const [rule, { holds, overruled }] of tracks) if (holds && !overruled) return { rule, ...holds };
      return null;
    },
    overruled: () => [...tracks].filter(([, { overruled }]) => overruled).map(([rule]) => rule),
    overrule() {
      for (const track of tracks.values()) if (track.holds) track.overruled = true;
    },
  };
}
