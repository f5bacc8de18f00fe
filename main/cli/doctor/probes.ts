/** The probes of this machine for the command line, for the case that no Hangar runs. */
import type { SecretProblem } from '#contract/bridge/secrets.ts';
import type { Machine } from '#contract/local/machine.ts';
import type { LocalData } from '../data/localData.ts';

/** The parts of this machine for workers, as the engine detects them. */
export interface MachineReport extends Pick<Machine, 'containers' | 'gpuProblem' | 'python'> {
  gpus: { typeId: string; memoryBytes: number }[];
}

export interface Probes {
  machine(): Promise<MachineReport>;
  /** Why the keychain of the system cannot be used; null if it can. */
  keychain(): Promise<SecretProblem | null>;
  /** The work on data folders. */
  readonly data: LocalData;
  /** A line about a TCP port that is in use: the process, and what to do. `flag`: the flag for another port. */
  portTaken(port: number, flag: string): Promise<string>;
}
