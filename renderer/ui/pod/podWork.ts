/** The changes of Pods that are under way. A dialog closes at once; the row shows the change until it is done. */
import { notifications } from '@mantine/notifications';
import { create } from 'zustand';
import type { Pod } from '#contract/api/pod.ts';
import { api, errorText, orpc, queryClient } from '../../client/transport/orpc.ts';
import { announce } from '../primitives/announce.tsx';
import { formatPerHour } from '../text/money.ts';
import type { PodWork } from '../text/podWords.ts';
import { t } from '../../language/text.ts';

/** Reads all lists of Pods and free hardware again after a change here. */
export const podsChanged = (): Promise<void> => queryClient.invalidateQueries({ queryKey: orpc.pods.key() });

/** By the id of the Pod. */
const useWorks = create<{ works: ReadonlyMap<string, PodWork> }>(() => ({ works: new Map() }));

export const usePodWorks = (): ReadonlyMap<string, PodWork> => useWorks(({ works }) => works);

function setWork(podId: string, work: PodWork | null): void {
  const works = new Map(useWorks.getState().works);
  if (work === null) works.delete(podId);
  else works.set(podId, work);
  useWorks.setState({ works });
}

/** Announced after the change. */
const doneWords: Record<PodWork, (name: string) => string> = {
  start: (name) => t`Started ${name}`,
  stop: (name) => t`Stopped ${name}`,
  restart: (name) => t`Restarted ${name}`,
  reset: (name) => t`Reset ${name}`,
  remove: (name) => t`Deleted ${name}`,
};

const failedWords: Record<PodWork, (name: string) => string> = {
  start: (name) => t`${name} was not started`,
  stop: (name) => t`${name} was not stopped`,
  restart: (name) => t`${name} was not restarted`,
  reset: (name) => t`${name} was not reset`,
  remove: (name) => t`${name} was not deleted`,
};

/** "Stopped trainer", or "trainer was not stopped". */
export const changeWordsOf = (work: PodWork, name: string, isDone: boolean): string =>
  (isDone ? doneWords : failedWords)[work](name);

/**
 * Makes the change and reads the Pods again. Resolves with the reason if it failed, else with null. A failure is a notice unless
 * the caller shows it (`isQuiet`).
 */
export async function changePod(
  accountId: string,
  { id: podId, name }: Pod,
  work: PodWork,
  { isQuiet = false } = {},
): Promise<string | null> {
  let problem: string | null = null;
  setWork(podId, work);
  try {
    if (work === 'remove') await api.pods.remove({ accountId, podId });
    else await api.pods.act({ accountId, podId, action: work });
    announce(doneWords[work](name));
  } catch (error) {
    problem = errorText(error);
    if (!isQuiet) notifications.show({ title: failedWords[work](name), message: problem, 'data-tone': 'bad' });
  }
  // The list first loads the result. Only then the row stops to show the action as under way.
  await podsChanged().catch(() => undefined);
  setWork(podId, null);
  return problem;
}

/** The label of something that starts Pods, with what they then cost. `costPerHr`: US dollars; 0 where it is not known. */
export function withCost(label: string, costPerHr: number, spends: boolean): string {
  if (costPerHr > 0) return `${label} · ${formatPerHour(costPerHr)}`;
  return spends ? t`${label} · costs money` : label;
}
