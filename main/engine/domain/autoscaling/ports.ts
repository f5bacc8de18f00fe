/** What autoscaling needs from the runtime: drivers that start workers, and what a started worker reports. */
import type { HandlerFacts } from '#contract/local/folder.ts';
import type { EndpointReadiness } from '#contract/local/engine.ts';
import type { Template } from '#contract/api/resources.ts';
import type { GpuDevice } from '../gpus/device.ts';
import type { ComputeLimits } from '../resources/ports.ts';

/** Where a worker's handler comes from. */
export type WorkerTemplate = Pick<
  Template,
  'id' | 'name' | 'imageName' | 'dockerEntrypoint' | 'dockerStartCmd' | 'env' | 'containerDiskInGb'
>;

export interface WorkerStart {
  workerId: string;
  endpointId: string;
  template: WorkerTemplate;
  /**
   * The worker protocol's variables, expanded; they win over the template's own. Engine: base address at which the worker
   * reaches the engine, without a trailing slash; where it runs decides.
   */
  env(engine: string): Record<string, string>;
  /** The GPUs that are its own, or shared; empty on the CPU. */
  gpus: readonly GpuDevice[];
  /** Kept by containers. A process of this machine has none. */
  limits: ComputeLimits;
  /** Folders of this machine it is to see at `at`. */
  mounts: readonly { folder: string; at: string }[];
  /** For pulling a private image. */
  registryAuth: { username: string; password: string } | null;
  /** Ports it listens on for the engine, of a load-balancing endpoint: those of PORT and PORT_HEALTH. */
  ports: readonly number[];
}

/** What a worker and all it started use. Null where the system does not tell. */
export interface WorkerUsage {
  /** 100 is one core. */
  cpuPercent: number | null;
  memoryBytes: number | null;
}

export interface WorkerExit {
  code: number | null;
  signal: string | null;
  /** The last lines it wrote, oldest first; for telling a person why it died. */
  lastLines: string[];
  /** Set when it could not be started at all. */
  startError: string | null;
  /** It was killed because memory ran out: its container's, or the machine's. Undefined where that is not known. */
  outOfMemory?: boolean;
  /** How long it was given to end, in milliseconds, before Hangar killed it; undefined where it was not Hangar that did. */
  killedAfterMs?: number;
}

export interface WorkerProcess {
  readonly pid: number | null;
  /** Settles once the worker and everything it started is gone. Never rejects. */
  readonly exited: Promise<WorkerExit>;
  /** Asks it to stop, and kills its whole process tree after `graceMs`. Settles when it is gone. */
  stop(graceMs: number): Promise<void>;
  /** What it runs and with what, for a person: a line of its log. */
  readonly about?: string;
  /** The program of its Python; undefined where it has none. */
  readonly python?: string;
  /** What is still to be done before it runs, such as "Pulling me/image, 40 %"; null once it runs. */
  preparing?(): string | null;
  /** Settles once it runs, or has ended before that. Never rejects. Without it, it runs from the start. */
  readonly prepared?: Promise<void>;
  /** Where a port it listens on is reached from this machine; null while it is not. */
  reach?(port: number): { host: string; port: number } | null;
  /** Measured since the last call. */
  usage?(): Promise<WorkerUsage>;
}

/** Runs workers of one kind: as child processes, or as containers. */
export interface WorkerDriver {
  /** Which worker loop a template would get. */
  runtimeOf(template: WorkerTemplate): EndpointReadiness['runtime'];
  /** Null when it can run here, otherwise why not and what to do. */
  unavailable(template: WorkerTemplate): Promise<string | null>;
  /** What is known of a handler in a folder; null for what is none. */
  inspect(template: WorkerTemplate): Promise<HandlerFacts | null>;
  start(worker: WorkerStart): WorkerProcess;
  /** Ends what an earlier engine on this data folder left running. Called once, before any start. */
  sweep(): Promise<void>;
}
