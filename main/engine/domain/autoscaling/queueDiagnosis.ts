/** Explains why a job waits: the one reason that blocks it, and the number of jobs before it. */
import { limits } from '#contract/core/limits.ts';
import type { Waiting } from '#contract/local/engine.ts';
import type { Endpoint } from '#contract/api/resources.ts';
import { startDelayMs } from './scaling.ts';

/** An obstacle to the start of workers. */
export type Trouble =
  /** `reason`: the message of the driver, with the remedy. */
  | { kind: 'cannot-run'; reason: string }
  /** `reason`: the wanted GPU and its holders. */
  | { kind: 'no-gpu'; reason: string }
  | ({ kind: 'died' } & Death);

/** The last death of a worker. */
export interface Death {
  /** Without a full stop. */
  reason: string;
  /** Deaths in a row, without a finished job in between. */
  times: number;
  /** Whether it died before it was ready for work. */
  onStart: boolean;
  /** Whether a harness of Hangar loaded a handler in it. */
  isHandler: boolean;
}

export interface WaitingFacts {
  lowPriority: boolean;
  /** The number of jobs before this one, up to a limit. */
  ahead: number;
  /** How many crashes of the engine interrupted this job; null unless the job is set aside for that. */
  crashes: number | null;
  /** Why work is paused on this machine; null while it is not. */
  paused: string | null;
  workersMax: number;
  /** The rule that starts more workers. */
  scaler: { type: Endpoint['scalerType']; value: number };
  /** Whether the endpoint needs workers, because of a waiting job or workersMin. */
  workersCalledFor: boolean;
  /** Worker processes of this engine that do not accept jobs yet. */
  starting: number;
  /** The current step of their preparation; null once one of them runs. */
  preparing: string | null;
  idle: number;
  busy: number;
  /** The start of the worker that has been starting longest, milliseconds since the epoch. */
  startingSince: number | null;
  /** Workers that were started outside of this engine. */
  othersIdle: number;
  othersBusy: number;
  /** How many of all busy workers have only jobs that were stopped, and have not ended them yet. */
  finishing: number;
  trouble: Trouble | null;
  /** The time of the next start, milliseconds since the epoch; null when it is not delayed. */
  nextTryAt: number | null;
}

type Reason = Pick<Waiting, 'code' | 'message'>;

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

function aheadText(ahead: number): string {
  if (ahead === 0) return '';
  if (ahead >= limits.jobsAheadCounted) return ` At least ${limits.jobsAheadCounted} jobs go before it.`;
  return ahead === 1 ? ' 1 job goes before it.' : ` ${ahead} jobs go before it.`;
}

/** Why workers die, as a sentence that begins with what a person can mend. The window says the same in its language. */
function deathCause({ reason, onStart, isHandler }: Death): string {
  if (!onStart) return sentence(`A worker crashed: ${reason}`);
  return sentence(`The ${isHandler ? 'handler' : 'worker'} fails on start: ${reason}`);
}

/** The cause, and how many workers in a row failed, as sentences. */
export function deathText(death: Death): string {
  const cause = deathCause(death);
  return death.times === 1 ? cause : `${cause} ${death.times} workers failed in a row.`;
}

function died(death: Death, starting: boolean): string {
  const { times } = death;
  const delayMs = startDelayMs(times - 1);
  const when = delayMs === 0 ? 'starts at once' : `starts ${delayMs / 1000} s after the last one`;
  const next = starting ? 'is starting' : when;
  const cause = deathCause(death);
  if (times === 1) return `${cause} The next worker ${next}.`;
  return `${cause} ${times} workers failed in a row; the next one ${next}.`;
}

/** The reason while no worker is free or busy. */
function withoutWorkers({
  lowPriority,
  workersCalledFor,
  workersMax,
  trouble,
  starting,
  preparing,
}: WaitingFacts): Reason {
  if (workersMax === 0) {
    const message = 'The endpoint is paused: its workersMax is 0. Resume it, or raise its workersMax, to run the job.';
    return { code: 'no-workers-allowed', message };
  }
  if (lowPriority && !workersCalledFor && starting === 0) {
    const message = 'Its priority is low: no worker starts for it. It runs once a worker is there for other jobs.';
    return { code: 'low-priority', message };
  }
  if (trouble?.kind === 'cannot-run') return { code: 'cannot-run', message: sentence(trouble.reason) };
  if (trouble?.kind === 'died') return { code: 'crash-looping', message: died(trouble, starting > 0) };
  if (starting > 0 && preparing !== null) return { code: 'pulling', message: sentence(preparing) };
  if (trouble?.kind === 'no-gpu' && starting === 0) return { code: 'no-gpu', message: sentence(trouble.reason) };
  if (starting > 0) return { code: 'starting', message: 'A worker is starting.' };
  return { code: 'no-worker', message: 'There is no worker yet; one is about to start.' };
}

/** No job runs on a worker that ends a stopped one, so a person cannot see what it is busy with. */
function busyWords(count: number, finishing: number): string {
  if (count === 1) {
    return finishing === 0 ? 'The only worker is busy' : 'The only worker is still finishing a cancelled job';
  }
  const all = `All ${count} workers are busy`;
  return finishing === 0 ? all : `${all}, ${finishing} of them still with a cancelled job`;
}

/** The reason while all workers are busy. */
function allBusy(facts: WaitingFacts): Reason {
  const { busy, othersBusy, workersMax, lowPriority, workersCalledFor, trouble } = facts;
  const count = busy + othersBusy;
  const they = busyWords(count, facts.finishing);
  if (workersMax === 0) return { code: 'busy', message: `${they}, and the endpoint is paused: its workersMax is 0.` };
  if (busy >= workersMax) {
    return { code: 'maximum', message: `${they}, and the endpoint may have no more: its workersMax is ${workersMax}.` };
  }
  if (lowPriority && !workersCalledFor) {
    return { code: 'low-priority', message: `${they}, and none starts for a low-priority job.` };
  }
  if (trouble?.kind === 'died') return { code: 'busy', message: `${they}. ${died(trouble, false)}` };
  if (trouble) {
    return { code: 'busy', message: `${they}, and another one cannot start: ${sentence(trouble.reason)}` };
  }
  return { code: 'busy', message: `${they}; ${whenMore(facts)}.` };
}

function whenMore({ scaler: { type, value } }: WaitingFacts): string {
  if (type === 'QUEUE_DELAY') return `another one starts when a job has waited ${value} s`;
  return value === 1 ? 'another one is about to start' : `there is one for every ${value} jobs`;
}

function reasonOf(facts: WaitingFacts): Reason {
  const { starting, idle, busy, othersIdle, othersBusy } = facts;
  if (facts.crashes !== null) {
    const message = `It was running when the engine crashed, ${facts.crashes} times, so it is set aside. Release it to try it again, or cancel it.`;
    return { code: 'set-aside', message };
  }
  if (facts.paused !== null && othersIdle === 0) return { code: 'paused', message: sentence(facts.paused) };
  const free = idle + othersIdle;
  if (free > 0) {
    const message =
      free === 1
        ? 'A worker is free, but is not asking for a job now. It gets this one as soon as it does.'
        : `${free} workers are free, but none is asking for a job now. The first one that does gets this job.`;
    return { code: 'not-asking', message };
  }
  if (busy + othersBusy === 0) return withoutWorkers(facts);
  if (starting === 0) return allBusy(facts);
  return { code: 'starting', message: 'The other workers are busy, and another one is starting.' };
}

const moment = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/**
 * The texts are for a person. They stay the same while the reason does, except for the number of jobs before this one.
 */
export function explainWaiting(facts: WaitingFacts): Waiting {
  const { code, message } = reasonOf(facts);
  return {
    code,
    message: message + aheadText(facts.ahead),
    ahead: facts.ahead,
    since: code === 'starting' ? moment(facts.startingSince) : null,
    nextTryAt: code === 'crash-looping' || code === 'cannot-run' ? moment(facts.nextTryAt) : null,
  };
}
