/** The notice in the pause state about running Pods: pausing stops jobs, and Pods run on. */
import type { PauseState } from '#contract/local/machine.ts';

/** `running`: how many Pods are to run. */
export function addPodNotice(state: PauseState, running: number): PauseState {
  if (state.state === 'running' || running === 0) return state;
  const pods = running === 1 ? '1 Pod runs on: stop it' : `${running} Pods run on: stop them`;
  return { ...state, message: `${state.message ?? ''} ${pods} under Pods.`.trim() };
}
