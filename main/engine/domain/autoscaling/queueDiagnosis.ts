/** Why a job waits, told exactly: the one reason that is in its way, and how many jobs go before it. */
import { limits } from '#contract/core/limits.ts';
import type { Waiting } from '#contract/local/engine.ts';
import type { Endpoint } from '#contract/api/resources.ts';
import { startDelayMs } from './scaling.ts';

/** What holds workers back, where something does. */
export type Trouble =
  /** The driver says why, and what to do. */
  | { kind: 'cannot-run'; reason: string }
  /** Which GPU is waited for, and who has it. */
  | { kind: 'no-gpu'; reason: string }
  /** `reason`: of the last death, without a full stop. `times`: deaths in a row, without a finished job between them. */
  | { kind: 'died'; reason: string; times: number };

export interface WaitingFacts {
  lowPriority: boolean;
  /** Jobs that are handed out before this one; counted up to a limit. */
  ahead: number;
  /** How often it was running when the engine crashed; null while it is not set aside for that. */
  crashes: number | null;
  /** Why work is paused on this machine; null while it is not. */
  paused: string | null;
  workersMax: number;
  /** When more workers are called for. */
  scaler: { type: Endpoint['scalerType']; value: number };
  /** Whether anything calls for workers: a job that may, or a workersMin. */
  workersCalledFor: boolean;
  /** Processes of this engine that will take jobs. */
  starting: number;
  /** What is still to be done before any of those can start; null when one has started. */
  preparing: string | null;
  idle: number;
  busy: number;
  /** When the one that has been starting longest was started; wall clock. */
  startingSince: number | null;
  /** Workers of somebody else. */
  othersIdle: number;
  othersBusy: number;
  trouble: Trouble | null;
  /** When the next start is tried; wall clock. Null when it is not put off. */
  nextTryAt: number | null;
}

type Reason = Pick<Waiting, 'code' | 'message'>;

const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

function aheadText(ahead: number): string {
  if (ahead === 0) return '';
  if (ahead >= limits.jobsAheadCounted) return ` At least ${limits.jobsAheadCounted} jobs go before it.`;
  return ahead === 1 ? ' 1 job goes before it.' : ` ${ahead} jobs go before it.`;
}

function died({ reason, times }: Extract<Trouble, { kind: 'died' }>, starting: boolean): string {
  const whose = times === 1 ? 'Its worker died' : `Its workers died ${times} times in a row, the last one like this`;
  const delayMs = startDelayMs(times - 1);
  const next = delayMs === 0 ? 'at once' : `${delayMs / 1000} s after that`;
  return `${sentence(`${whose}: ${reason}`)} ${starting ? 'Another one is starting' : `Another one is started ${next}`}.`;
}

/** No worker is there that could have the job soon. */
function withoutWorkers({
  lowPriority,
  workersCalledFor,
  workersMax,
  trouble,
  starting,
  preparing,
}: WaitingFacts): Reason {
  if (workersMax === 0) {
    const message = 'workersMax of the endpoint is 0: no worker is started for it. Raise it, and the job is taken.';
    return { code: 'no-workers-allowed', message };
  }
  if (lowPriority && !workersCalledFor && starting === 0) {
    const message =
      'Its priority is low: no worker is started for it, and it is done once one is there for other jobs.';
    return { code: 'low-priority', message };
  }
  if (trouble?.kind === 'cannot-run') return { code: 'cannot-run', message: sentence(trouble.reason) };
  if (trouble?.kind === 'died') return { code: 'crash-looping', message: died(trouble, starting > 0) };
  if (starting > 0 && preparing !== null) return { code: 'pulling', message: sentence(preparing) };
  if (trouble?.kind === 'no-gpu' && starting === 0) return { code: 'no-gpu', message: sentence(trouble.reason) };
  if (starting > 0) return { code: 'starting', message: 'A worker is starting.' };
  return { code: 'no-worker', message: 'There is no worker yet; one is about to be started.' };
}

/** Every worker that is there has a job. */
function allBusy(facts: WaitingFacts): Reason {
  const { busy, othersBusy, workersMax, lowPriority, workersCalledFor, trouble } = facts;
  const count = busy + othersBusy;
  const they = count === 1 ? 'The only worker is busy' : `All ${count} workers are busy`;
  if (workersMax === 0) return { code: 'busy', message: `${they}, and workersMax of the endpoint is 0.` };
  if (busy >= workersMax) {
    return { code: 'maximum', message: `${they}, and the endpoint may have no more: its workersMax is ${workersMax}.` };
  }
  if (lowPriority && !workersCalledFor) {
    return { code: 'low-priority', message: `${they}, and none is started for a job of low priority.` };
  }
  if (trouble?.kind === 'died') return { code: 'busy', message: `${they}. ${died(trouble, false)}` };
  if (trouble) {
    return { code: 'busy', message: `${they}, and another one cannot be started: ${sentence(trouble.reason)}` };
  }
  return { code: 'busy', message: `${they}; ${whenMore(facts)}.` };
}

function whenMore({ scaler: { type, value } }: WaitingFacts): string {
  if (type === 'QUEUE_DELAY') return `another one is started when a job has waited ${value} s`;
  return value === 1 ? 'another one is about to be started' : `there is one for every ${value} jobs`;
}

function reasonOf(facts: WaitingFacts): Reason {
  const { starting, idle, busy, othersIdle, othersBusy } = facts;
  if (facts.crashes !== null) {
    const message = `It was running when the engine crashed, ${facts.crashes} times, and is set aside: release it to have it tried again, or cancel it.`;
    return { code: 'set-aside', message };
  }
  if (facts.paused !== null && othersIdle === 0) return { code: 'paused', message: sentence(facts.paused) };
  const free = idle + othersIdle;
  if (free > 0) {
    const message =
      free === 1
        ? 'A worker is free, but does not ask for a job just now: it gets this one as soon as it does.'
        : `${free} workers are free, but none asks for a job just now: the first that does gets this one.`;
    return { code: 'not-asking', message };
  }
  if (busy + othersBusy === 0) return withoutWorkers(facts);
  if (starting === 0) return allBusy(facts);
  return { code: 'starting', message: 'The other workers are busy, and another one is starting.' };
}

const moment = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** The texts are for a person; they do not change while the reason stays the same, except for the jobs ahead. */
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
