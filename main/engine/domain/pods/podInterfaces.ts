/** The types of Pods for the rest of the engine, and the interfaces that Pods need: storage, containers and prices. */
import type { OutputLine, OutputQuery, ReadOutput } from '../logs/podLog.ts';
import type { AutoStop, AutoStopChange, AutoStopped, AutoStopRules } from '#contract/api/autoStop.ts';
import type { PodActivity } from '#contract/api/autoStopRule.ts';
import type { PodEvent } from '#contract/local/podEvent.ts';
import type {
  Pod,
  PodChangeRequest,
  PodCloudFields,
  PodCreate,
  PodFacts,
  PodLimits,
  PodLimitsChange,
  PodRuntime,
} from '#contract/api/pod.ts';
import type { Cancel } from '../core/ports.ts';
import type { GpuDevice } from '../gpus/device.ts';
import type { ComputeLimits } from '../resources/ports.ts';

/** A stored Pod. Times in milliseconds since the epoch. */
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
  /** A network volume in place of its own volume; empty for none. */
  networkVolumeId: string;
  containerRegistryAuthId: string;
  computeType: 'GPU' | 'CPU';
  /** GPU types by preference. */
  gpuTypeIds: string[];
  gpuCount: number;
  /** The CPU cores and the memory of the request; 0 means no limit. */
  vcpuCount: number;
  memoryInGb: number;
  /** Fields of the request that only a cloud uses, unchanged. */
  cloud?: PodCloudFields;
  interruptible: boolean;
  locked: boolean;
  desiredStatus: 'RUNNING' | 'EXITED' | 'TERMINATED';
  createdAt: number;
  lastStartedAt: number;
  lastStatusChange: string;
  /**
   * The GPUs of the Pod; empty while it is stopped, and on the CPU. `gpuTypeId` is their type, or that of its last GPUs; empty on
   * the CPU.
   */
  gpuUuids: string[];
  gpuTypeId: string;
  /** US dollars per hour since `spent.until`, or since `runsSince`; the view has the present price. */
  costPerHr: number;
  /** The scheduled times to stop and to terminate; null for never. */
  stopAfter: number | null;
  terminateAfter: number | null;
  /** When its container first ran since a person started it: its cost counts from there. Null until then. */
  runsSince?: number | null;
  /** Its cost at earlier prices since then, US dollars, up to `until`; null or absent while its price has not changed. */
  spent?: { usd: number; until: number } | null;
  /** When it stops by itself; absent without a rule. `isWarned`: a person was told that most of its spend cap is used. */
  autoStop?: { rules: AutoStopRules; isWarned: boolean; stopped: AutoStopped | null };
  /** `dockerArgs` of GraphQL: one line that is split like a shell command; empty where the request has `dockerStartCmd`. */
  dockerArgs: string;
  /** Fields of the request that have no effect: on this machine, or beside its other fields. By name. */
  ineffectiveFields: string[];
  /** When the Pod was deleted. Its container may exist until `containerGone` is set. */
  terminatedAt?: number;
  containerGone?: boolean;
}

export interface PodStore {
  load(): PodRecord[];
  save(pod: PodRecord): void;
  delete(id: string): void;
}

/** The parameters of a Pod's container. */
export interface PodPlan {
  pod: PodRecord;
  /** All environment variables of the container. */
  env: Record<string, string>;
  /**
   * The same variables with references instead of the values of secrets. The driver compares these to decide whether a container
   * still fits its plan. A deleted or changed secret therefore does not wipe the disk of a Pod; a reset applies the current values.
   */
  writtenEnv: Record<string, string>;
  gpus: readonly GpuDevice[];
  /** The folder is in the data folder for the Pod's own volume, or the folder of a network volume. */
  mounts: readonly { folder: string; at: string }[];
  registryAuth: { username: string; password: string } | null;
}

const PULLING = 'Pulling ';

/** The step of a start that pulls the image, for a person. `percent`: null while it is not known. */
export const pullWords = (imageName: string, percent: number | null): string =>
  `${PULLING}${imageName}${percent === null ? '' : `, ${percent} %`}`;

/** Whether a step of a start pulls the image. */
export const isPull = (preparing: string): boolean => preparing.startsWith(PULLING);

/** The state of a Pod's container. */
export interface PodContainer {
  podId: string;
  running: boolean;
  /** Milliseconds since the epoch; null before its first start. */
  startedAt: number | null;
  /** Null while it runs, and before its first start. */
  exitCode: number | null;
  /** The container ended because it, or the machine, ran out of memory. */
  outOfMemory: boolean;
  /** Container port → address on this machine. */
  ports: ReadonlyMap<number, { host: string; port: number }>;
  /** Whether the disk of the container is limited to containerDiskInGb. */
  isDiskLimited: boolean;
  /** The uuids of the GPUs that the container was created with. */
  gpuUuids: readonly string[];
}

export type PodLoad = PodRuntime['container'];

/** One measurement of a running container. */
export interface PodSample {
  /** By the clock of the container engine, milliseconds since the epoch. */
  at: number;
  /** The processor time of all cores since its start, nanoseconds. */
  busyNs: number;
  /** The cores that it may use. */
  cores: number;
  /** Without cached files, which the system frees on demand; null if it is not known. */
  memoryBytes: number | null;
  /** The memory that it may use; null if it is not known. */
  limitBytes: number | null;
  /** What its network received and sent since its start; null if it is not measured, as in the network of the machine. */
  networkBytes: number | null;
}

export interface PodWatch {
  /** Called when the record of a Pod or the state of its container may have changed. */
  changed(pod: PodRecord, container: PodContainer | null): void;
}

/** Runs the containers of Pods. All methods reject with AppError; its message is for a person. */
export interface PodDriver {
  /** Null when Pods can run here; otherwise a sentence that names the missing part and how to install it. */
  unavailable(): Promise<string | null>;
  /** The containers of this data folder, of this run and of earlier ones. */
  list(): Promise<PodContainer[]>;
  /**
   * Pulls the image, creates the container and starts it. A container with the same plan is only started. The host ports of its tcp
   * ports are chosen at its creation and passed to it as variables (`RUNPOD_TCP_PORT_22`). `stop` and `remove` abort the start.
   */
  start(plan: PodPlan, onProgress: (preparing: string | null) => void, signal: AbortSignal): Promise<PodContainer>;
  stop(podId: string, graceMs: number): Promise<void>;
  restart(podId: string, graceMs: number): Promise<PodContainer>;
  /** Removes the container and its data outside of volumes. Does nothing where there is none. */
  remove(podId: string): Promise<void>;
  /**
   * Changes the limits of its container, running or not, without restarting it. Does nothing if it has them, and where there is no
   * container. Throws BAD_REQUEST where the container engine cannot do that.
   */
  limit(podId: string, limits: ComputeLimits): Promise<void>;
  /** The load of the container, 0-100 % each; null while it does not run. */
  load(podId: string): Promise<PodLoad | null>;
  /** The same without waiting for a measurement: also null before the first one. It begins to measure. */
  latestLoad(podId: string): Promise<PodLoad | null>;
  /** One measurement, at once; null while it does not run. */
  sample(podId: string): Promise<PodSample | null>;
  /** The output of its container, as the container engine keeps it. With `follow`, also that of later starts, until `signal` aborts. */
  output(podId: string, query: OutputQuery, signal: AbortSignal): AsyncIterable<OutputLine>;
  /** Called when a container starts or ends, or when the container engine comes or goes (`podId` null): poll again. */
  onChange(listener: (podId: string | null) => void): Cancel;
  /** Stops observing; containers continue. */
  close(): Promise<void>;
}

export interface MeasuredFacts extends PodFacts {
  runtime: PodRuntime | null;
}

/** Fields of a request that /v1 lacks. */
export interface PodMore {
  dockerArgs?: string;
  /** When to stop or terminate the Pod, in milliseconds since 1970. */
  stopAfter?: number;
  terminateAfter?: number;
  /** Gives the Pod a `JUPYTER_PASSWORD` unless its request or template has one; the default is that of the template. */
  startJupyter?: boolean;
  /** Fields of the request that have no effect on this machine and no field in a Pod, by name. */
  ineffectiveFields?: string[];
}

/**
 * Pods of this machine. `keyName`: the name of the API key of the request, for the events of the Pod; null or absent if it is not
 * known. Throws NOT_FOUND for an unknown Pod, and BAD_REQUEST with advice for an impossible change.
 */
export interface Pods {
  /** The Pods with this desired status; without it, all Pods that are not deleted. */
  list(status?: PodRecord['desiredStatus']): Pod[];
  get(id: string): Pod;
  record(id: string): PodRecord;
  /** Returns once the Pod is accepted and has its GPUs; the image is pulled afterwards. */
  create(input: PodCreate, more?: PodMore, keyName?: string | null): Promise<Pod>;
  update(id: string, input: PodChangeRequest & { dockerArgs?: string }, keyName?: string | null): Promise<Pod>;
  /**
   * Changes what its container may use, without recreating or restarting it. Throws BAD_REQUEST for a limit above the machine, for
   * less memory than the Pod uses now, and where the container engine cannot do that. Then nothing has changed.
   */
  changeLimits(id: string, change: PodLimitsChange, keyName?: string | null): Promise<PodLimits>;
  start(id: string, gpuCount?: number, keyName?: string | null): Promise<Pod>;
  stop(id: string, keyName?: string | null): Promise<Pod>;
  restart(id: string, keyName?: string | null): Promise<Pod>;
  reset(id: string, keyName?: string | null): Promise<Pod>;
  terminate(id: string, keyName?: string | null): Promise<void>;
  runtime(id: string): Promise<PodRuntime | null>;
  facts(id: string): Promise<PodFacts>;
  /** The same once its load is measured, as `runtime` answers it. */
  measuredFacts(id: string): Promise<MeasuredFacts>;
  /** Changes when it stops by itself. Throws BAD_REQUEST for a spend cap of a Pod without a price. */
  changeAutoStop(id: string, change: AutoStopChange): AutoStop;
  /** What happened to it, oldest first. */
  events(id: string): readonly PodEvent[];
  /** Its output. Throws UNAVAILABLE where the container engine is away. */
  output(id: string): ReadOutput;
  /** Called with the id of a Pod whenever its record, its container or its current step has changed, and once it is forgotten. */
  onChange(listener: (podId: string) => void): Cancel;
  /** The folder of the Pod's own volume on this machine; null if it has none, and for an unknown Pod. */
  volumeFolder(id: string): string | null;
  usingTemplate(templateId: string): PodRecord[];
  usingVolume(volumeId: string): PodRecord[];
  usingRegistryAuth(authId: string): PodRecord[];
  /** US dollars per hour that billing adds now for the hardware of all Pods: of those whose containers run. */
  spendPerHour(): number;
  /** The `machine` field of a Pod, for clients that request it. */
  machineOf(pod: Pod): Pod['machine'];
  /**
   * The address of an http port of a Pod on this machine. Throws NOT_FOUND for an unknown port, UPSTREAM while the container does
   * not run.
   */
  reach(id: string, port: number): { host: string; port: number; name: string };
}

/** The Pods with their lifecycle, for the composition of the engine. */
export interface ManagedPods extends Pods {
  /** Takes a measurement of a Pod that should run, or null if it could not be measured, and stops it if a rule says so. */
  observe(podId: string, activity: PodActivity | null): void;
  /** Takes over the containers of an earlier run, and starts the Pods that should run. */
  begin(): Promise<void>;
  /**
   * Why its container does not run although it should, for a person: the step of its start, or what is wrong. Null if it runs, if
   * it should not run, and for an unknown Pod.
   */
  waitsFor(podId: string): string | null;
  /** Names the Pods that would continue without this engine and how to stop them, for a person; null where none runs. */
  listRunning(): string | null;
  /** Stops managing the Pods and leaves their containers running. */
  leave(): Promise<void>;
}
