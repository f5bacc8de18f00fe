/** What Pods are to the rest of the engine, and what their rules need from the world: storage, containers, prices. */
import type { Pod, PodCloudFields, PodCreate, PodFacts, PodRuntime, PodChangeRequest } from '#contract/api/pod.ts';
import type { Cancel } from '../core/ports.ts';
import type { GpuDevice } from '../gpus/device.ts';

/** A Pod as it is kept. Times in milliseconds since the epoch. */
export interface PodRecord {
  id: string;
  name: string;
  templateId: string;
  imageName: string;
  env: Record<string, string>;
  ports: string[];
  dockerEntrypoint: string[];
  dockerStartCmd: string[];
  containerDiskInGb: number;
  volumeInGb: number;
  volumeMountPath: string;
  /** Takes the place of its own volume; empty for none. */
  networkVolumeId: string;
  containerRegistryAuthId: string;
  computeType: 'GPU' | 'CPU';
  /** In the order they are wanted. */
  gpuTypeIds: string[];
  gpuCount: number;
  /** Cores it asked for; with memory of `memoryInGb`, 0 for as much as there is. */
  vcpuCount: number;
  memoryInGb: number;
  /** What only a cloud heeds, as it was given. */
  cloud?: PodCloudFields;
  interruptible: boolean;
  locked: boolean;
  desiredStatus: 'RUNNING' | 'EXITED' | 'TERMINATED';
  createdAt: number;
  lastStartedAt: number;
  lastStatusChange: string;
  /** The GPUs that it holds; none while it is stopped and on the CPU. Their type, or that of those it had last; empty on the CPU. */
  gpuUuids: string[];
  gpuTypeId: string;
  costPerHr: number;
  /** Stopped or terminated by itself at these times; null: never. */
  stopAfter: number | null;
  terminateAfter: number | null;
  /** `dockerArgs` of GraphQL: one line that is split as a shell would; empty where `dockerStartCmd` was given. */
  dockerArgs: string;
  /** When it was deleted; its container may still be there until `containerGone`. */
  terminatedAt?: number;
  containerGone?: boolean;
}

export interface PodStore {
  load(): PodRecord[];
  save(pod: PodRecord): void;
  delete(id: string): void;
}

/** What the container of a Pod is made of. */
export interface PodPlan {
  pod: PodRecord;
  /** All variables it sees. */
  env: Record<string, string>;
  /**
   * The same with references in the place of secrets. By these a container counts as the same one, so that a secret that is
   * deleted or made anew does not wipe the disk of a Pod; a reset gives it the values of today.
   */
  writtenEnv: Record<string, string>;
  gpus: readonly GpuDevice[];
  /** Its own volume is a folder of the data folder, or a network volume's. */
  mounts: readonly { folder: string; at: string }[];
  registryAuth: { username: string; password: string } | null;
}

/** The state of a Pod's container. */
export interface PodContainer {
  podId: string;
  running: boolean;
  /** Milliseconds since the epoch; null before its first start. */
  startedAt: number | null;
  /** Null while it runs, and before its first start. */
  exitCode: number | null;
  /** It ended because it, or the machine, had no memory left. */
  outOfMemory: boolean;
  /** Private port → where it is reached on this machine. */
  ports: ReadonlyMap<number, { host: string; port: number }>;
  /** It can write no more than its containerDiskInGb. */
  isDiskLimited: boolean;
  /** uuids it was made for. */
  gpuUuids: readonly string[];
}

export interface PodWatch {
  /** The record of a Pod, or the state of its container, may have changed. */
  changed(pod: PodRecord, container: PodContainer | null): void;
}

/** Containers of Pods. All of it rejects with AppError, in words for a person. */
export interface PodDriver {
  /** Null when Pods can run here; otherwise a sentence that names the missing part and how to get it. */
  unavailable(): Promise<string | null>;
  /** Those of this data folder, of this run or of an earlier one. */
  list(): Promise<PodContainer[]>;
  /**
   * Pulls the image, makes the container and starts it; where there is one of the same plan, only starts that. Its tcp ports get
   * their ports of this machine as it is made, and it is told of them (`RUNPOD_TCP_PORT_22`). `stop` and `remove` break it off.
   */
  start(plan: PodPlan, onProgress: (preparing: string | null) => void, signal: AbortSignal): Promise<PodContainer>;
  stop(podId: string, graceMs: number): Promise<void>;
  restart(podId: string, graceMs: number): Promise<PodContainer>;
  /** Its container and what that wrote outside of volumes; does nothing where there is none. */
  remove(podId: string): Promise<void>;
  /** Null while it does not run. */
  load(podId: string): Promise<{ cpuPercent: number; memoryPercent: number } | null>;
  /** A container started or ended, by itself or because the container engine came or went: look again. */
  onChange(listener: (podId: string | null) => void): Cancel;
  /** Ends what it watches; containers run on. */
  close(): Promise<void>;
}

/** Pods of this machine. Throws NOT_FOUND for an unknown Pod, and BAD_REQUEST with advice for an impossible change. */
export interface Pods {
  /** Those in that state; without it all that were not deleted. */
  list(status?: PodRecord['desiredStatus']): Pod[];
  get(id: string): Pod;
  record(id: string): PodRecord;
  /** Answers once it is accepted and its GPUs are held; the image is pulled afterwards. */
  create(input: PodCreate, more?: { dockerArgs?: string; stopAfter?: number; terminateAfter?: number }): Promise<Pod>;
  update(id: string, input: PodChangeRequest & { dockerArgs?: string }): Promise<Pod>;
  start(id: string, gpuCount?: number): Promise<Pod>;
  stop(id: string): Promise<Pod>;
  restart(id: string): Promise<Pod>;
  reset(id: string): Promise<Pod>;
  terminate(id: string): Promise<void>;
  runtime(id: string): Promise<PodRuntime | null>;
  facts(id: string): Promise<PodFacts>;
  usingTemplate(templateId: string): PodRecord[];
  usingVolume(volumeId: string): PodRecord[];
  usingRegistryAuth(authId: string): PodRecord[];
  /** What `machine` of a Pod tells to those who ask for it. */
  machineOf(pod: Pod): Pod['machine'];
  /** Where an http port of a Pod is reached. NOT_FOUND where it has none of that number, UPSTREAM while nothing runs. */
  reach(id: string, port: number): { host: string; port: number; name: string };
}

/** The Pods with their lifecycle, for who puts the engine together. */
export interface ManagedPods extends Pods {
  /** Finds the containers of an earlier run, and starts what should run. */
  begin(): Promise<void>;
  /** For a person: which would run on without this engine, and how they are stopped; null where none does. */
  listRunning(): string | null;
  /** Looks after them no more, and leaves them running. */
  leave(): Promise<void>;
}
