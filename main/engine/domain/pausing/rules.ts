/** The rules that pause work on a person's machine: their conditions, their messages and their delays. */
import { keysOf } from '#contract/core/keysOf.ts';
import type { MachineSettings, PauseSource } from '#contract/local/machine.ts';

export type Rule = Exclude<PauseSource, 'person' | 'start'>;
type Rules = MachineSettings['rules'];

/** The use of one GPU by programs other than our workers. */
export interface OthersUse {
  readonly index: number;
  /** Null where the driver does not separate it from the use by our workers. */
  readonly utilPercent: number | null;
  readonly memoryBytes: number | null;
  /** Names of those programs, sorted by memory, largest first. */
  readonly names: readonly string[];
}

/** Facts about this machine; null where the query did not include a fact, or where it is unknown. */
export interface MachineFacts {
  readonly onBattery: boolean | null;
  /** Names of the running programs, without our workers and their child processes. */
  readonly programs: readonly string[] | null;
  readonly gpus: readonly OthersUse[] | null;
}
export type FactsQuery = { readonly [Fact in keyof MachineFacts]: boolean };

/** The reason why a rule holds, for a person, and its end where that is known. */
export interface Holds {
  readonly message: string;
  readonly until: number | null;
}

/** Converts milliseconds since the epoch to minutes since midnight on the wall clock. */
export type MinuteOfDay = (at: number) => number;

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
const GB = 1e9;

/**
 * How long the condition of a rule must be true before the rule holds (`begin`), and false before it ends (`end`), in
 * milliseconds. Short peaks of load and programs that restart themselves therefore do not stop and start workers each
 * time.
 */
export const dwellMs: Record<Rule, { readonly begin: number; readonly end: number }> = {
  battery: { begin: 0, end: 10_000 },
  programs: { begin: 0, end: 10_000 },
  'gpu-load': { begin: 10_000, end: 30_000 },
  'gpu-memory': { begin: 5_000, end: 15_000 },
  'quiet-hours': { begin: 0, end: 0 },
};

/** The rules in the order of their precedence. */
export const allRules = keysOf(dwellMs);

/** The facts that the enabled rules need. */
export const factsFor = (rules: Rules): FactsQuery => ({
  onBattery: rules.battery,
  programs: rules.programs.length > 0,
  gpus: rules.othersGpuPercent !== null || rules.othersGpuMemoryGb !== null,
});

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

function programsThatRun(named: readonly string[], running: readonly string[]): Holds | null {
  const names = new Set(running.map((name) => name.toLowerCase()));
  const met = named.filter((name) => names.has(name.toLowerCase()));
  return met.length === 0 ? null : { message: `${listed(met)} run${met.length === 1 ? 's' : ''}`, until: null };
}

function useOfOthers(
  gpus: readonly OthersUse[],
  used: (gpu: OthersUse) => number | null,
  limit: number,
  describe: (amount: number) => string,
): Holds | null {
  for (const gpu of gpus) {
    const amount = used(gpu);
    if (amount === null || amount <= limit) continue;
    const who = gpu.names.length > 0 ? `${gpu.names.slice(0, 3).join(', ')} on GPU ${gpu.index}` : `GPU ${gpu.index}`;
    return { message: `other programs ${describe(amount)} (${who})`, until: null };
  }
  return null;
}

const minutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/**
 * The next moment when the wall clock shows `minute`, in milliseconds since the epoch. Correct on days when the clock
 * changes for summer time, too.
 */
function nextAt(minute: number, now: number, minuteOfDay: MinuteOfDay): number {
  const wholeMinute = now - (now % MINUTE_MS);
  const ahead = (minute - minuteOfDay(now) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  const guess = wholeMinute + ahead * MINUTE_MS;
  // The change of the clock between now and the guess, in minutes.
  const off = ((minute - minuteOfDay(guess) + DAY_MINUTES * 1.5) % DAY_MINUTES) - DAY_MINUTES / 2;
  return guess + off * MINUTE_MS;
}

function quietNow(hours: NonNullable<Rules['quietHours']>, now: number, minuteOfDay: MinuteOfDay): Holds | null {
  const [from, to, minute] = [minutes(hours.from), minutes(hours.to), minuteOfDay(now)];
  const quiet = from < to ? from <= minute && minute < to : minute >= from || minute < to;
  if (!quiet) return null;
  return { message: `these are quiet hours, ${hours.from} to ${hours.to}`, until: nextAt(to, now, minuteOfDay) };
}

/** The reason when the condition of an enabled rule is true now; null otherwise, also where a fact is unknown. */
export function met(
  rule: Rule,
  rules: Rules,
  facts: MachineFacts,
  now: number,
  minuteOfDay: MinuteOfDay,
): Holds | null {
  switch (rule) {
    case 'battery':
      return rules.battery && facts.onBattery === true
        ? { message: 'this computer runs on its battery', until: null }
        : null;
    case 'programs':
      return programsThatRun(rules.programs, facts.programs ?? []);
    case 'gpu-load': {
      const limit = rules.othersGpuPercent;
      if (limit === null) return null;
      const describe = (percent: number): string => `use ${Math.round(percent)} % of a GPU, more than ${limit} %`;
      return useOfOthers(facts.gpus ?? [], ({ utilPercent }) => utilPercent, limit, describe);
    }
    case 'gpu-memory': {
      const limit = rules.othersGpuMemoryGb;
      if (limit === null) return null;
      const describe = (bytes: number): string =>
        `have ${(bytes / GB).toFixed(1)} GB of a GPU's memory, more than ${limit} GB`;
      return useOfOthers(facts.gpus ?? [], ({ memoryBytes }) => memoryBytes, limit * GB, describe);
    }
    case 'quiet-hours':
      return rules.quietHours && quietNow(rules.quietHours, now, minuteOfDay);
  }
}

/** Whether a rule is enabled. */
export function isOn(rule: Rule, rules: Rules): boolean {
  const on: Record<Rule, boolean> = {
    battery: rules.battery,
    programs: rules.programs.length > 0,
    'gpu-load': rules.othersGpuPercent !== null,
    'gpu-memory': rules.othersGpuMemoryGb !== null,
    'quiet-hours': rules.quietHours !== null,
  };
  return on[rule];
}
