/** Notices about running Pods, for a person: beside a pause, and when the engine ends. */
import type { PauseState } from '#contract/local/machine.ts';
import type { PodRecord } from './podInterfaces.ts';

/**
 * Adds a notice to the pause state: a pause stops jobs, but Pods continue. `running`: the number of Pods whose desired
 * status is RUNNING.
 */
export function addPodNotice(state: PauseState, running: number): PauseState {
  if (state.state === 'running' || running === 0) return state;
  const pods = running === 1 ? '1 Pod runs on: stop it' : `${running} Pods run on: stop them`;
  return { ...state, message: `${state.message ?? ''} ${pods} under Pods.`.trim() };
}

/** Names the running Pods and how to stop them, for a person. Null where none runs. */
export function runningNotice(running: readonly PodRecord[]): string | null {
  if (running.length === 0) return null;
  const names = running.map(({ id, name }) => `${JSON.stringify(name)} (${id})`).join(', ');
  const [they, them] = running.length === 1 ? ['This Pod runs', 'it'] : ['These Pods run', 'them'];
  return `${they} on: ${names}. To stop ${them}, start Hangar again, or stop the containers whose names begin with hangar-pod- and this id.`;
}
