/** Pausing gives the machine's work a rest; Pods are a person's own and go on. Whoever pauses is told so. */
import type { PauseState } from '#contract/local/machine.ts';

/** `running`: how many Pods are to run. */
export function toldOfPods(state: PauseState, running: number): PauseState {
  if (state.state === 'running' || running === 0) return state;
  const pods = running === 1 ? '1 Pod runs on: stop it' : `${running} Pods run on: stop them`;
  return { ...state, message: `${state.message ?? ''} ${pods} under Pods.`.trim() };
}
