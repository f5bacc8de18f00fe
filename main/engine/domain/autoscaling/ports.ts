/**
 * The interfaces that autoscaling needs from the runtime: drivers that start workers, and the state of a started
 * worker.
 */
import type { HandlerFacts } from '#contract/local/folder.ts';
import type { EndpointReadiness } from '#contract/local/engine.ts';
import type { Template } from '#contract/api/resources.ts';
import type { GpuDevice } from '../gpus/device.ts';
import type { ComputeLimits } from '../resources/ports.ts';

/** The settings of a template that determine how its worker starts. */
export type WorkerTemplate = Pick<
  Template,
  'id' | 'name' | 'imageName' | 'dockerEntrypoint' | 'dockerStartCmd' | 'env' | 'containerDiskInGb'
>;

export interface WorkerStart {
  workerId: string;
  endpointId: string;
  template: WorkerTemplate;
  /**
   * The variables of the worker protocol, with expanded values. They win over the variables of the template. `engine`:
   * the base address of the engine as the worker reaches it, without a trailing slash. It depends on where the worker
   * runs.
   */
  env(engine: string): Record<string, string>;
  /** The GPUs of the worker, exclusive or shared; empty on the CPU. */
  gpus: readonly GpuDevice[];
  /** Only containers respect them. A process of this machine has no limits. */
  limits: ComputeLimits;
  /** Folders of this machine, each with the path where the worker sees it. */
  mounts: readonly { folder: string; at: string }[];
  /** For pulling a private image; null for a public one. */
  registryAuth: { username: string; password: string } | null;
  /** The ports on which a worker of a load-balancing endpoint listens: PORT and PORT_HEALTH. */
  ports: readonly number[];
  /** Called when the text of `preparing` has changed. */
  onProgress?(): void;
}

/** The resources that a worker and its child processes use. Null where the system does not report a value. */
export interface WorkerUsage {
  /** 100 is one core. */
  cpuPercent: number | null;
  memoryBytes: number | null;
}

export interface WorkerExit {
  code: number | null;
  signal: string | null;
  /** Its last lines of output, oldest first, to explain its end to a person. */
  lastLines: string[];
  /** Why it could not be started, or what ended it from outside; null where it ended by itself. */
  startError: string | null;
  /** Killed because its container or the machine ran out of memory. Undefined where that is unknown. */
  outOfMemory?: boolean;
  /** The grace period before Hangar killed it, milliseconds; undefined where Hangar did not kill it. */
  killedAfterMs?: number;
  /**
   * The container engine stopped or crashed, or another program ended its container: neither its jobs nor its program
   * caused the end.
   */
  endedFromOutside?: boolean;
}

export interface WorkerProcess {
  readonly pid: number | null;
  /** Resolves once the worker and all its child processes are gone. Never rejects. */
  readonly exited: Promise<WorkerExit>;
  /** Asks the worker to stop, and kills its process tree after `graceMs` milliseconds. Resolves when it is gone. */
  stop(graceMs: number): Promise<void>;
  /** Its program and environment, for a person: a line of its log. */
  readonly about?: string;
  /** The path of its Python; undefined without one. */
  readonly python?: string;
  /** The current step of its preparation, such as "Pulling me/image, 40 %"; null once it runs. */
  preparing?(): string | null;
  /** Resolves once it runs, or has ended before that. Never rejects. Without this property it runs from the start. */
  readonly prepared?: Promise<void>;
  /** The address of one of its ports on this machine; null while it is unreachable. */
  reach?(port: number): { host: string; port: number } | null;
  /** The usage since the last call. */
  usage?(): Promise<WorkerUsage>;
}

/** Starts workers of one kind: as child processes, or as containers. */
export interface WorkerDriver {
  /** The runtime that workers of this template would use. */
  runtimeOf(template: WorkerTemplate): EndpointReadiness['runtime'];
  /** Null when this machine can run the template; otherwise the reason and the remedy, for a person. */
  unavailable(template: WorkerTemplate): Promise<string | null>;
  /** Facts about the handler in a folder; null for other templates. */
  inspect(template: WorkerTemplate): Promise<HandlerFacts | null>;
  start(worker: WorkerStart): WorkerProcess;
  /** Ends the workers that an earlier engine on this data folder left running. Called once, before any start. */
  sweep(): Promise<void>;
}
