/** The state of a Pod, and its words: of its chip, of sentences, and of counts of Pods. */
import type { PodAction, PodRow } from '#contract/bridge/pod.ts';
import { withFieldLabels } from './fieldLabels.ts';
import { formatCount, formatWhen, withMoments } from './format.ts';
import { t } from '../../language/text.ts';

/** In the order in which counts name them. */
const podStates = [
  'running',
  'preparing',
  'unreported',
  'restarting',
  'looping',
  'failing',
  'stopping',
  'resetting',
  'deleting',
  'stopped',
] as const;
export type PodState = (typeof podStates)[number];

/** A change that was begun here. */
export type PodWork = PodAction | 'remove';

/** A Pod with the change that was begun here and is not done yet. */
export interface ShownPod extends PodRow {
  work?: PodWork | null;
}

const statesOfWork: Record<PodWork, PodState> = {
  start: 'unreported',
  stop: 'stopping',
  restart: 'restarting',
  reset: 'resetting',
  remove: 'deleting',
};

export interface StateOfPod {
  state: PodState;
  /** The current step or the reason, for a person; null if there is none. */
  why: string | null;
}

export function stateOf({ pod, facts, work = null }: ShownPod): StateOfPod {
  if (work !== null) return { state: statesOfWork[work], why: facts?.preparing ?? null };
  if (pod.desiredStatus !== 'RUNNING') {
    const isStopping = facts?.preparing != null;
    return isStopping
      ? { state: 'stopping', why: facts.preparing }
      : { state: 'stopped', why: changeWords(pod.lastStatusChange) };
  }
  const restarts = facts?.restarts ?? null;
  const problem = facts?.problem == null ? null : withFieldLabels(withMoments(facts.problem));
  // One state for as long as it goes on: the container runs for moments in between.
  if (restarts?.isCrashLoop) return { state: 'looping', why: problem ?? restarts.text };
  if (restarts && restarts.nextStartAt !== null) return { state: 'restarting', why: problem ?? restarts.text };
  if (problem !== null) return { state: 'failing', why: problem };
  if (facts?.preparing != null) return { state: 'preparing', why: facts.preparing };
  if (facts?.runtime != null) return { state: 'running', why: null };
  return { state: 'unreported', why: t`No report from its container yet` };
}

const changes: Readonly<Record<string, string>> = {
  'Exited by User': t`Stopped`,
  'Rented by User': t`Deployed`,
  'Reset by User': t`Reset`,
  'Restarted by User': t`Restarted`,
  'Resumed by User': t`Started`,
  'Terminated by User': t`Deleted`,
};

/**
 * The last change of a Pod and its time, as the API tells them ("Rented by User: <date>"), in the words of the window.
 */
export function changeWords(lastStatusChange: string): string {
  const [, what = '', date = ''] = /^([^:]+): (.+ GMT)$/.exec(lastStatusChange) ?? [];
  const at = Date.parse(date);
  return Number.isNaN(at) ? lastStatusChange : `${changes[what] ?? what}, ${formatWhen(at)}`;
}

interface StateWords {
  /** By itself, as on a chip. */
  alone: string;
  /** Inside a sentence or after a number. */
  inSentence: string;
}

export const podStateWords: Record<PodState, StateWords> = {
  running: { alone: t`Running`, inSentence: t`running` },
  preparing: { alone: t`Preparing`, inSentence: t`preparing` },
  unreported: { alone: t`Starting`, inSentence: t`starting` },
  restarting: { alone: t`Restarting…`, inSentence: t`restarting` },
  looping: { alone: t`Crash loop`, inSentence: t`in a crash loop` },
  failing: { alone: t`Not running`, inSentence: t`not running` },
  stopping: { alone: t`Stopping…`, inSentence: t`stopping` },
  resetting: { alone: t`Resetting…`, inSentence: t`resetting` },
  deleting: { alone: t`Deleting…`, inSentence: t`deleting` },
  stopped: { alone: t`Stopped`, inSentence: t`stopped` },
};

/**
 * How many of the Pods have each state, by the words of their chips: "2 running, 1 in a crash loop"; empty without
 * Pods.
 */
export function podCountWords(rows: readonly ShownPod[]): string {
  const states = rows.map((row) => stateOf(row).state);
  return podStates
    .map((state) => ({ state, count: states.filter((one) => one === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${formatCount(count)} ${podStateWords[state].inSentence}`)
    .join(', ');
}
