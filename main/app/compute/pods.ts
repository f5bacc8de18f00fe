/** Pods of an account, the same for every dialect, and the GPU types that they can have. */
import type { Pod, PodCreate, PodFacts, PodUpdate } from '#contract/api/pod.ts';
import type { PodAction, PodLack } from '#contract/bridge/pod.ts';
import type { ToldGpuType } from '#contract/api/lenient.ts';

export interface PodsApi {
  /** What it does not take; to ask for it all the same rejects with UNSUPPORTED. */
  readonly lacks: readonly PodLack[];
  list(): Promise<Pod[]>;
  /** With what each does just now: null of one that has gone meanwhile, and where the account does not tell. */
  rows(): Promise<{ pod: Pod; facts: PodFacts | null }[]>;
  create(pod: PodCreate): Promise<Pod>;
  update(id: string, change: PodUpdate): Promise<Pod>;
  /** Rejects with UNSUPPORTED for an action that the account does not have. */
  act(id: string, action: PodAction): Promise<Pod>;
  remove(id: string): Promise<void>;
  gpuTypes(): Promise<ToldGpuType[]>;
}
