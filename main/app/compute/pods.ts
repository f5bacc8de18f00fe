/** Pods of an account, the same for every dialect, and the GPU types that they can have. */
import type { AutoStop, AutoStopChange } from '#contract/api/autoStop.ts';
import type { Pod, PodCreate, PodFacts, PodLimits, PodLimitsChange, PodUpdate } from '#contract/api/pod.ts';
import type { GpuPeriod } from '#contract/local/gpuHistory.ts';
import type { PodMetrics, PodPortCheck } from '#contract/local/podMetrics.ts';
import type { PodSshFacts } from '#contract/local/ssh/podSsh.ts';
import type { PodEvent } from '#contract/local/podEvent.ts';
import type { ByteSocket } from '../../terminal/byteSocket.ts';
import type { PodAction, PodLack } from '#contract/bridge/pod.ts';
import type { LenientGpuType } from '#contract/api/lenient.ts';

export interface PodsApi {
  /** Features that the account lacks; a request for one rejects with UNSUPPORTED. */
  readonly lacks: readonly PodLack[];
  list(): Promise<Pod[]>;
  /**
   * The Pods with their current load. `facts` is null for a Pod that was deleted in the meantime, and if the account
   * has none. `factsProblem`: why they could not be read, as a sentence; null if that did not fail.
   */
  rows(): Promise<{ rows: { pod: Pod; facts: PodFacts | null }[]; factsProblem: string | null }>;
  /**
   * The facts of all Pods now and every `everyMs`, until `signal` aborts. Throws UNSUPPORTED if the account does not send
   * them.
   */
  samples(everyMs: number, signal: AbortSignal): AsyncGenerator<PodFacts[], void, void>;
  create(pod: PodCreate): Promise<Pod>;
  update(id: string, change: PodUpdate): Promise<Pod>;
  /** Rejects with UNSUPPORTED for an action that the account lacks. */
  act(id: string, action: PodAction): Promise<Pod>;
  remove(id: string): Promise<void>;
  gpuTypes(): Promise<LenientGpuType[]>;
  /** Changes when the service stops a Pod by itself. Rejects with UNSUPPORTED if only an engine of Hangar can. */
  changeAutoStop(id: string, change: AutoStopChange): Promise<AutoStop>;
  /** Changes the limits of a Pod while it runs on. Rejects with UNSUPPORTED if only an engine of Hangar can. */
  changeLimits(id: string, change: PodLimitsChange): Promise<PodLimits>;
  /** What happened to a Pod, oldest first. Rejects with UNSUPPORTED if the account does not keep it. */
  events(id: string): Promise<PodEvent[]>;
  /**
   * Whether the server at an http port of a Pod is ready: it answers this path. Rejects with UNSUPPORTED if the account does
   * not check that.
   */
  checkPort(id: string, port: string, path: string): Promise<PodPortCheck>;
  /** The load of a Pod over time. Rejects with UNSUPPORTED if the account does not keep it. */
  metrics(id: string, period: GpuPeriod): Promise<PodMetrics>;
  /**
   * Connects to a TCP port of a Pod, as a program in it does; paused until somebody joins it. Rejects with UNSUPPORTED if the
   * account does not carry connections.
   */
  connectPort(id: string, port: number, signal: AbortSignal): Promise<ByteSocket>;
  /** How a person signs in to a Pod over SSH. Rejects with UNSUPPORTED if the account has no SSH server of its own. */
  ssh(id: string): Promise<PodSshFacts>;
  /** Lets a public key, a line of authorized_keys, sign in to every Pod. Rejects with UNSUPPORTED as `ssh` does. */
  allowKey(line: string): Promise<void>;
}
