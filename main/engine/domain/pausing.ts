/** Whether work goes on: paused by a person, at a start, or by a rule about this machine. */
import type { PauseRequest, PauseState } from '#contract/machine.ts';
import type { Cancel } from './ports.ts';

export interface Pausing {
  state(): PauseState;
  pause(request: PauseRequest): PauseState;
  /** Goes on now; rules that hold just now are overruled until they have stopped holding. */
  resume(): PauseState;
  /** Called after each change of the state. */
  onChange(listener: (state: PauseState) => void): Cancel;
  stop(): void;
}
