/** Adds a notice about running Pods to the pause state: a pause stops jobs, but Pods continue. */
import type { PauseState } from '#contract/local/machine.ts';

/** `running`: the number of Pods whose desired status is RUNNING. */
export function addPodNotice(state: PauseState, running: number): PauseState {
  if (state.state === 'running' || running === 0) return state;
  const pods = running === 1 ? '1 Pod runs on: stop it' : `${running} Pods run on: stop them`;
  return { ...state, message: `${state.message ?? ''} ${pods} under Pods.`.trim() };
}
