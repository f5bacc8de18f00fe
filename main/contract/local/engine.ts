/**
 * Shapes that only an engine of Hangar has: /health, /local/v1, API keys, and the messages between a host and its
 * engine.
 */
import * as z from 'zod';
import { KEY_NAME_CHARS } from './access/keyNames.ts';
import { handlerFactsSchema } from './folder.ts';
import { streamAnswers } from './settings.ts';

/** GET /health, without a key. */
export const engineHealthSchema = z.looseObject({
  name: z.literal('hangar'),
  version: z.string(),
  ready: z.boolean(),
});

/**
 * `all`: everything. `jobs`: the job API. `read`: only reading. `endpoints`: only the job API of the chosen endpoints.
 */
export const apiKeyScopes = ['all', 'jobs', 'read', 'endpoints'] as const;
export const apiKeyScopeSchema = z.enum(apiKeyScopes);
export type ApiKeyScope = z.infer<typeof apiKeyScopeSchema>;

export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  scope: apiKeyScopeSchema,
  /** The endpoints of the key, with the scope `endpoints`; empty with every other scope. */
  endpointIds: z.array(z.string()).default([]),
  disabled: z.boolean(),
  /** The last four characters, by which a person recognizes the key. */
  last4: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
});
export type ApiKeyRecord = z.infer<typeof apiKeySchema>;

const endpointIds = z.array(z.string().min(1).max(191)).max(100);
export const apiKeyCreateSchema = z.strictObject({
  name: z.string().trim().min(1).max(KEY_NAME_CHARS),
  scope: apiKeyScopeSchema.default('all'),
  /** At least one with the scope `endpoints`, none with any other scope. */
  endpointIds: endpointIds.optional(),
});
export type ApiKeyCreate = z.infer<typeof apiKeyCreateSchema>;
export const apiKeyUpdateSchema = z
  .strictObject({
    name: z.string().trim().min(1).max(KEY_NAME_CHARS),
    scope: apiKeyScopeSchema,
    endpointIds,
    disabled: z.boolean(),
  })
  .partial();
export type ApiKeyUpdate = z.infer<typeof apiKeyUpdateSchema>;

/** Answer of POST /local/v1/api-keys: the only answer that contains the key itself. */
export const apiKeyCreatedSchema = apiKeySchema.extend({ key: z.string() });
export type ApiKeyCreated = z.infer<typeof apiKeyCreatedSchema>;

/** The prefix of pairing codes. It tells them from API keys. */
export const PAIRING_PREFIX = 'pair_';
/** How long a pairing code works, in milliseconds. */
export const PAIRING_MS = 600_000;

/** Answer of POST /local/v1/pairing-codes: the only answer that contains the code. */
export const pairingCodeSchema = z.object({
  /** Exchanged once for an API key of its own. */
  code: z.string(),
  /** When the code expires, in ISO 8601. */
  expiresAt: z.string(),
});
export type PairingCode = z.infer<typeof pairingCodeSchema>;

/**
 * Body of POST /local/v1/pair. `name`: the name of the new key, usually of the computer that pairs. The key gets a number
 * behind it if another key has it.
 */
export const pairSchema = z.strictObject({
  code: z.string().min(1).max(200),
  name: apiKeyCreateSchema.shape.name,
});
export type PairRequest = z.infer<typeof pairSchema>;

export const workerStates = ['initializing', 'idle', 'running', 'stopping', 'unhealthy'] as const;

/**
 * The loop that requests jobs: Hangar's Node or Python harness, the person's own command, or any program in a
 * container.
 */
export const workerRuntimes = ['node', 'python', 'command', 'container'] as const;

/** One worker of an endpoint, GET /local/v1/workers. */
export const workerSchema = z.looseObject({
  id: z.string(),
  endpointId: z.string(),
  /** The version of its endpoint at its start. Engines of earlier versions do not send it. */
  version: z.int().optional(),
  state: z.enum(workerStates),
  pid: z.int().nullable(),
  startedAt: z.string(),
  jobs: z.array(z.string()),
  runtime: z.enum(workerRuntimes),
  /**
   * The version of the public SDK, if the SDK's own loop requests the jobs: it sends its version. Null before that, and
   * for other loops.
   */
  publicSdk: z.string().nullable(),
  /** The path of the Python that runs a handler; null for other workers. */
  python: z.string().nullable().default(null),
  /** What the worker waits for before it can start, such as "Pulling me/image, 40 %"; null otherwise. */
  preparing: z.string().nullable(),
  /** uuids of its GPUs; empty on the CPU. */
  gpus: z.array(z.string()),
  /** Load of the worker and its child processes. Null until it is measured, and if the system does not report it. */
  cpuPercent: z.number().nullable(),
  memoryBytes: z.number().nullable(),
});
export type WorkerRecord = z.infer<typeof workerSchema>;

/** Whether and how an endpoint can run here, GET /local/v1/endpoints. */
export const endpointReadinessSchema = z.looseObject({
  id: z.string(),
  available: z.boolean(),
  /** Why the endpoint cannot run, for a person, with what to do. */
  reason: z.string().nullable(),
  /** Hints about an endpoint that runs, such as that its workers use the CPU because there is no GPU. */
  notices: z.array(z.string()).default([]),
  /** The handler in its folder, and the Python that runs it; null if there is no handler. */
  handler: handlerFactsSchema.omit({ notices: true }).nullable().default(null),
  /** The worker loop of the endpoint: Hangar's Node or Python harness, the person's own command, or a container. */
  runtime: z.enum(workerRuntimes),
  /** The version of its workers' SDK, see `publicSdk` of a worker. */
  publicSdk: z.string().nullable(),
  /**
   * Set while its workers crash repeatedly: how many in a row, why the last one ended, whether that was before it was
   * ready for work (engines of earlier versions do not send it), and its last lines.
   */
  trouble: z
    .looseObject({
      deaths: z.int(),
      reason: z.string(),
      onStart: z.boolean().optional(),
      lastLines: z.array(z.string()),
      /** When the next worker starts (RFC 3339); null while one is starting. */
      nextTryAt: z.string().nullable(),
    })
    .nullable(),
  /**
   * For a `file://` template: whether its files are watched, and the time of the last change that replaced the workers
   * (RFC 3339).
   */
  reload: z
    .looseObject({
      watching: z.boolean(),
      lastAt: z.string().nullable(),
      problem: z.string().nullable(),
      /** The version that workers with the newest files have. Engines of earlier versions do not send it. */
      version: z.int().optional(),
    })
    .nullable(),
});
export type EndpointReadiness = z.infer<typeof endpointReadinessSchema>;

/**
 * The worker loop of an endpoint; null if it is only assumed: the engine cannot read the handler of its folder, for
 * example because the folder is gone.
 */
export const knownRuntime = ({
  available,
  handler,
  runtime,
}: Pick<EndpointReadiness, 'available' | 'handler' | 'runtime'>): EndpointReadiness['runtime'] | null =>
  !available && handler === null && runtime !== 'container' ? null : runtime;

/** The engine itself, GET /local/v1/engine. */
export const engineFactsSchema = z.looseObject({
  name: z.literal('hangar'),
  version: z.string(),
  startedAt: z.string(),
  /** Messages for a person, such as that a damaged database was set aside and a backup restored. */
  notices: z.array(z.string()),
  disk: z.object({
    /** Null if the system does not report it. */
    freeBytes: z.number().nullable(),
    /** True: new jobs are refused until there is space again. */
    full: z.boolean(),
    /** Reserved space, so that jobs can end while the disk is full. */
    reserveBytes: z.number(),
  }),
  backup: z.object({
    /** When the newest copy of the database was made; null if there is none. */
    lastAt: z.string().nullable(),
    /** Why there is no recent copy; null if there is one. */
    problem: z.string().nullable(),
  }),
});
export type EngineFacts = z.infer<typeof engineFactsSchema>;

/** Why a queued job waits: one reason at a time, the nearest one. */
export const waitingCodes = [
  /** The job ran during too many crashes of the engine: it waits until a person releases it. */
  'set-aside',
  /** Work is paused on this machine; the message names the cause. */
  'paused',
  /** Its worker is in preparation, for example its image is pulled; the message shows the progress. */
  'pulling',
  /** Another worker, or the person, has the GPU that it needs. */
  'no-gpu',
  /** A worker has been starting since `since`. */
  'starting',
  /** All workers are busy; the message says why there are no more. */
  'busy',
  /** All workers are busy, and workersMax is reached. */
  'maximum',
  /** The endpoint is paused: its workersMax is 0, and no external worker is connected. */
  'no-workers-allowed',
  /** Its workers crash before they finish a job; the message has the last line of the last worker. */
  'crash-looping',
  /** The endpoint cannot run here; the message says what to do. */
  'cannot-run',
  /** A job of low priority starts no workers. */
  'low-priority',
  /** A worker is free and requests no job, for example an external program that does something else. */
  'not-asking',
  /** There is no worker yet: the moment before a start. */
  'no-worker',
] as const;

/** Why a queued job waits. */
export const waitingSchema = z.looseObject({
  code: z.enum(waitingCodes),
  /** A sentence for a person. */
  message: z.string(),
  /** Jobs of the endpoint that go before it, at most `jobsAheadCounted` of the limits. */
  ahead: z.int(),
  /** When the cause began, if that is known (RFC 3339). */
  since: z.string().nullable(),
  /** When a delayed start of workers is tried again (RFC 3339). */
  nextTryAt: z.string().nullable(),
});
export type Waiting = z.infer<typeof waitingSchema>;

/** A job with the times of its states (RFC 3339), GET /local/v1/jobs/{id}. */
export const jobTimelineSchema = z.looseObject({
  id: z.string(),
  status: z.string(),
  submittedAt: z.string(),
  /** When it last entered the queue; absent from engines before this field. */
  queuedAt: z.string().optional(),
  /** The current or last worker of the job. */
  workerId: z.string().nullable(),
  /** When the worker of the job was started, if it was started for this job; null if it was there already. */
  workerStartedAt: z.string().nullable(),
  startedAt: z.string().nullable(),
  /** The price of its worker when it took the job, US dollars per hour. */
  pricePerHour: z.number().nullable().default(null),
  finishedAt: z.string().nullable(),
  /** Null if the job does not wait. */
  waiting: waitingSchema.nullable(),
});
export type JobTimeline = z.infer<typeof jobTimelineSchema>;

/** First message from a host to its engine. It carries secrets over the pipe of the child, never on a command line. */
export const engineStartSchema = z.object({
  type: z.literal('start'),
  dataDir: z.string(),
  host: z.string(),
  /** 0: any free port. */
  port: z.int().min(0).max(65535),
  version: z.string(),
  /** Folder with the Node and Python harnesses. */
  workerKitDir: z.string(),
  /** A key with full scope for this run only; kept in memory as a hash. */
  runKey: z.string(),
  /** 32 bytes in base64. It encrypts secrets that the engine must read again, such as s3 settings of waiting jobs. */
  dataKey: z.string(),
  /** Whether later runs also have this key. */
  dataKeyIsKept: z.boolean().default(true),
  /** Earlier data keys of this run: they only decrypt. */
  olderDataKeys: z.array(z.string()).default([]),
  /** Accepted host names of requests, besides the loopback names. */
  allowedHosts: z.array(z.string()),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']),
  /** The form of /stream answers in this run, which overrides the settings; null: the settings hold. */
  streamAnswer: z.enum(streamAnswers).nullable().default(null),
  /** The umask of files of workers and in volumes. Files of the engine itself are only for its owner. */
  workerMask: z.int().min(0).max(0o777).default(0o022),
  /** Folders that the data was moved from: stored paths into them are changed to the data folder. */
  movedFrom: z.array(z.string()).default([]),
});
export type EngineStart = z.input<typeof engineStartSchema>;

export const engineStopSchema = z.object({ type: z.literal('stop') });
/** Checks whether the engine is alive; it answers `pong` even if it is busy. */
const enginePingSchema = z.object({ type: z.literal('ping') });
/**
 * A change of the machine's power that the host knows of. `suspend`: the machine is about to sleep; `resume`: it is awake;
 * `source`: it changed between its battery and mains power.
 */
export const enginePowerSchema = z.object({
  type: z.literal('power'),
  event: z.enum(['suspend', 'resume', 'source']),
  /** Null: the host does not know. */
  onBattery: z.boolean().nullable(),
});
export type EnginePower = z.infer<typeof enginePowerSchema>;
/**
 * A task for the running engine, answered by `done`. `snapshot` copies its database to a new file; `containers` lists the
 * containers of its data folder; `remove-containers` removes them.
 */
export const engineTaskSchema = z.object({
  type: z.literal('task'),
  id: z.int(),
  task: z.discriminatedUnion('name', [
    z.object({ name: z.literal('snapshot'), file: z.string() }),
    z.object({ name: z.literal('containers') }),
    z.object({ name: z.literal('remove-containers') }),
  ]),
});
export type EngineTask = z.infer<typeof engineTaskSchema>['task'];
export const engineInboundSchema = z.discriminatedUnion('type', [
  engineStartSchema,
  engineStopSchema,
  enginePingSchema,
  enginePowerSchema,
  engineTaskSchema,
]);

/** A container of this data folder. */
export const ownContainerSchema = z.object({
  name: z.string(),
  image: z.string(),
  isRunning: z.boolean(),
  isPod: z.boolean(),
  /** Size of its own files, without its image; null if its container engine does not report it. */
  bytes: z.number().nullable(),
});
export type OwnContainer = z.infer<typeof ownContainerSchema>;

/** Why an engine could not start. The host derives the exit code from it. */
export const engineFailures = ['port-taken', 'data-in-use', 'data-unreadable', 'failed'] as const;

/** Messages from the engine to its host. */
export const engineOutboundSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    address: z.string(),
    port: z.int(),
    pid: z.int(),
    /** The key that the very first start creates, shown only once; null at every later start. */
    firstKey: z.string().nullable(),
    /** Messages for a person about the state in which the data was. */
    notices: z.array(z.string()).default([]),
  }),
  /** The engine recovers the data, which may take long; `ready` or `failed` follows. */
  z.object({ type: z.literal('recovering'), message: z.string() }),
  /** The engine ends by itself soon. */
  z.object({ type: z.literal('ending'), message: z.string() }),
  /** The engine is stopping and Pods continue: which ones, and how to stop them. */
  z.object({ type: z.literal('leaving'), message: z.string() }),
  z.object({ type: z.literal('pong') }),
  /** The end of a task. `problem`: why it failed, for a person; null if it is done. */
  z.object({
    type: z.literal('done'),
    id: z.int(),
    problem: z.string().nullable(),
    containers: z.array(ownContainerSchema),
  }),
  z.object({ type: z.literal('failed'), failure: z.enum(engineFailures), message: z.string() }),
]);
export type EngineOutbound = z.infer<typeof engineOutboundSchema>;
