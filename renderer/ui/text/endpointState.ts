/** The state of an endpoint in one word, with what a person should know of it. */
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import type { PauseState } from '#contract/local/machine.ts';
import { joinSentences } from '../../language/sentences.ts';
import { counted, t } from '../../language/text.ts';
import { formatCount } from './format.ts';

export const endpointStates = [
  'ready',
  'cannot-run',
  'crash-looping',
  /** The endpoint itself is paused. */
  'endpoint-paused',
  /** All work on its machine is paused. */
  'paused',
  'pausing',
  'unknown',
] as const;
export type EndpointState = (typeof endpointStates)[number];

export interface StateOfEndpoint {
  state: EndpointState;
  /** Why, for a person; null where nothing needs to be said. */
  why: string | null;
}

/** Why its workers fail, and how many did in a row. The cause is what a person can mend, so it comes first. */
const crashText = ({ deaths, reason }: NonNullable<NonNullable<EndpointRow['readiness']>['trouble']>): string =>
  joinSentences(
    /[.!?…]$/.test(reason) ? reason : `${reason}.`,
    deaths > 1 && counted(deaths, '{0} worker failed in a row.', '{0} workers failed in a row.'),
  );

/** An endpoint that may have no workers is paused, on every account and for every program. */
export const isPaused = ({ workersMax }: Pick<EndpointRow, 'workersMax'>): boolean => workersMax === 0;

/** What happens to the jobs of a paused endpoint. */
export function pausedText({ type, health }: Pick<EndpointRow, 'type' | 'health'>): string {
  if (type === 'LB') return t`Requests to it are not served.`;
  const { inQueue = 0, inProgress = 0 } = health?.jobs ?? {};
  return joinSentences(
    inProgress > 0 && counted(inProgress, '{0} job still runs.', '{0} jobs still run.', formatCount(inProgress)),
    inQueue > 0
      ? counted(inQueue, '{0} job waits in the queue.', '{0} jobs wait in the queue.', formatCount(inQueue))
      : t`New jobs wait in the queue.`,
  );
}

/** What is in the way comes first: the gravest of what holds. */
export function stateOf(row: EndpointRow, pause: PauseState | null): StateOfEndpoint {
  const { readiness, health, healthProblem } = row;
  if (readiness?.available === false) {
    return { state: 'cannot-run', why: readiness.reason ?? t`The reason is unknown.` };
  }
  if (isPaused(row)) return { state: 'endpoint-paused', why: pausedText(row) };
  if (readiness?.trouble) return { state: 'crash-looping', why: crashText(readiness.trouble) };
  if (pause?.state === 'paused') return { state: 'paused', why: pause.message };
  if (pause?.state === 'finishing') return { state: 'pausing', why: pause.message };
  if (health === null) return { state: 'unknown', why: healthProblem };
  return { state: 'ready', why: null };
}

/** Where an endpoint comes from, for a person: the last folder of a path, or an image without its registry. */
export function shortSource(imageName: string | null): string {
  if (imageName === null) return t`template not found`;
  const parts = imageName.replace(/\/+$/, '').split('/');
  const last = parts.at(-1) ?? imageName;
  if (!imageName.startsWith('file://')) return last;
  try {
    return decodeURIComponent(last);
  } catch {
    // A broken escape in an address that somebody wrote by hand.
    return last;
  }
}
