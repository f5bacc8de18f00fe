/** What only an engine of ours can tell: /health, /local/v1, API keys, and how a host starts an engine. */
import * as z from 'zod';
import { handlerFactsSchema } from './folder.ts';
import { streamAnswers } from './settings.ts';

/** GET /health, without a key. */
export const engineHealthSchema = z.looseObject({
  name: z.literal('hangar'),
  version: z.string(),
  ready: z.boolean(),
});

/** `all` may do everything, `jobs` may use the job API, `read` may only read, `endpoints` the job API of chosen endpoints and nothing else. */
export const apiKeyScopes = ['all', 'jobs', 'read', 'endpoints'] as const;
export const apiKeyScopeSchema = z.enum(apiKeyScopes);
export type ApiKeyScope = z.infer<typeof apiKeyScopeSchema>;

export const apiKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  scope: apiKeyScopeSchema,
  /** Those it is good for, with the scope `endpoints`; empty with every other. */
  endpointIds: z.array(z.string()).default([]),
  disabled: z.boolean(),
  /** The last four characters, so that a person recognises it. */
  last4: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
});
export type ApiKeyRecord = z.infer<typeof apiKeySchema>;

const endpointIds = z.array(z.string().min(1).max(191)).max(100);
export const apiKeyCreateSchema = z.strictObject({
  name: z.string().trim().min(1).max(100),
  scope: apiKeyScopeSchema.default('all'),
  /** At least one with the scope `endpoints`, none with any other. */
  endpointIds: endpointIds.optional(),
});
export type ApiKeyCreate = z.infer<typeof apiKeyCreateSchema>;
export const apiKeyUpdateSchema = z
  .strictObject({
    name: z.string().trim().min(1).max(100),
    scope: apiKeyScopeSchema,
    endpointIds,
    disabled: z.boolean(),
  })
  .partial();
export type ApiKeyUpdate = z.infer<typeof apiKeyUpdateSchema>;

/** Answer of POST /local/v1/api-keys: the only time the key itself is shown. */
export const apiKeyCreatedSchema = apiKeySchema.extend({ key: z.string() });
export type ApiKeyCreated = z.infer<typeof apiKeyCreatedSchema>;

export const workerStates = ['initializing', 'idle', 'running', 'stopping', 'unhealthy'] as const;

/** Which loop asks for jobs: our Node or Python harness, the person's own command, or whatever is in a container. */
export const workerRuntimes = ['node', 'python', 'command', 'container'] as const;

/** One worker of an endpoint, GET /local/v1/workers. */
export const workerSchema = z.looseObject({
  id: z.string(),
  endpointId: z.string(),
  /** Of its endpoint, when it was started; engines of earlier versions do not tell. */
  version: z.int().optional(),
  state: z.enum(workerStates),
  pid: z.int().nullable(),
  startedAt: z.string(),
  jobs: z.array(z.string()),
  runtime: z.enum(workerRuntimes),
  /** The version of the public SDK, where its own loop asks for jobs: it says so when it asks. Null before that, and for others. */
  publicSdk: z.string().nullable(),
  /** The program of the Python that runs a handler; null for others. */
  python: z.string().nullable().default(null),
  /** What it waits for before it can start, such as "Pulling me/image, 40 %"; null otherwise. */
  preparing: z.string().nullable(),
  /** The GPUs it holds, by uuid; empty on the CPU. */
  gpus: z.array(z.string()),
  /** Of the worker and all it started; null until measured, and where the system does not tell. */
  cpuPercent: z.number().nullable(),
  memoryBytes: z.number().nullable(),
});
export type WorkerRecord = z.infer<typeof workerSchema>;

/** Whether and how an endpoint can run here, GET /local/v1/endpoints. */
export const endpointReadinessSchema = z.looseObject({
  id: z.string(),
  available: z.boolean(),
  /** Why it cannot run, for a person, with what to do. */
  reason: z.string().nullable(),
  /** What a person should know though it runs, such as that its workers are on the CPU for want of a GPU. */
  notices: z.array(z.string()).default([]),
  /** Its handler in a folder, and the Python that runs it; null for what is none. */
  handler: handlerFactsSchema.omit({ notices: true }).nullable().default(null),
  /** Which worker loop serves it: our Node or Python harness, the person's own command, or a container. */
  runtime: z.enum(workerRuntimes),
  /** Of its workers, as they last asked; see the same of a worker. */
  publicSdk: z.string().nullable(),
  /** Set while its workers keep dying: how often in a row, how the last one died, and its last lines. */
  trouble: z
    .looseObject({
      deaths: z.int(),
      reason: z.string(),
      lastLines: z.array(z.string()),
      /** When another one is tried (RFC 3339); null when one is starting. */
      nextTryAt: z.string().nullable(),
    })
    .nullable(),
  /** Of a `file://` template: whether its files are watched, and when a change last made new workers (RFC 3339). */
  reload: z
    .looseObject({ watching: z.boolean(), lastAt: z.string().nullable(), problem: z.string().nullable() })
    .nullable(),
});
export type EndpointReadiness = z.infer<typeof endpointReadinessSchema>;

/** The engine itself, GET /local/v1/engine. */
export const engineFactsSchema = z.looseObject({
  name: z.literal('hangar'),
  version: z.string(),
  startedAt: z.string(),
  /** What a person must be told, such as that a damaged database was set aside and a backup restored. */
  notices: z.array(z.string()),
  disk: z.object({
    /** Null where the system does not tell. */
    freeBytes: z.number().nullable(),
    /** New jobs are refused until there is room again. */
    full: z.boolean(),
    /** Kept free, so that jobs can end when the disk is full. */
    reserveBytes: z.number(),
  }),
  backup: z.object({
    /** When the newest copy of the database was made; null when there is none. */
    lastAt: z.string().nullable(),
    /** Why there is none from lately; null when all is as it should be. */
    problem: z.string().nullable(),
  }),
});
export type EngineFacts = z.infer<typeof engineFactsSchema>;

/** What can be in the way of a queued job; one at a time, the nearest. */
export const waitingCodes = [
  /** It was running when the engine crashed, too often: it waits until somebody releases it. */
  'set-aside',
  /** Work is paused on this machine; the message names whose doing it is. */
  'paused',
  /** Its worker is prepared, such as by pulling its image; the message says how far that is. */
  'pulling',
  /** Another worker, or the person, has the GPU it needs. */
  'no-gpu',
  /** A worker is starting, since `since`. */
  'starting',
  /** All workers have jobs; the message says why there are no more. */
  'busy',
  /** All workers have jobs, and workersMax is reached. */
  'maximum',
  /** workersMax is 0, and no worker of somebody else is there. */
  'no-workers-allowed',
  /** Its workers die before they finish a job; the message has the last one's last line. */
  'crash-looping',
  /** What runs workers cannot run this one; the message says what to do. */
  'cannot-run',
  /** A job of low priority starts no workers. */
  'low-priority',
  /** A worker is free and does not ask, such as a program of somebody else that does something else. */
  'not-asking',
  /** None is there yet: the moment before a start. */
  'no-worker',
] as const;

/** Why a queued job waits. */
export const waitingSchema = z.looseObject({
  code: z.enum(waitingCodes),
  /** For a person. */
  message: z.string(),
  /** Jobs of the endpoint that are handed out before it; not counted beyond `jobsAheadCounted` of the limits. */
  ahead: z.int(),
  /** When what it waits for began, where that is known (RFC 3339). */
  since: z.string().nullable(),
  /** When workers are tried again, where a start is put off (RFC 3339). */
  nextTryAt: z.string().nullable(),
});
export type Waiting = z.infer<typeof waitingSchema>;

/** A job with the moments of its life (RFC 3339), GET /local/v1/jobs/{id}. */
export const jobTimelineSchema = z.looseObject({
  id: z.string(),
  status: z.string(),
  submittedAt: z.string(),
  /** Who has it, or had it last. */
  workerId: z.string().nullable(),
  /** When the worker that took the job was started, if it was started for it; null when one was there already. */
  workerStartedAt: z.string().nullable(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  /** Null when it does not wait. */
  waiting: waitingSchema.nullable(),
});
export type JobTimeline = z.infer<typeof jobTimelineSchema>;

/**
 * Node flags for whoever starts an engine. Left to itself the young generation grows to 128 MB under load and stays that large;
 * a fourth of it costs no measurable time.
 */
export const engineNodeFlags: readonly string[] = ['--max-semi-space-size=16'];

/** First message from a host to the engine it started. Secrets travel here, over the child's pipe, never on a command line. */
export const engineStartSchema = z.object({
  type: z.literal('start'),
  dataDir: z.string(),
  host: z.string(),
  /** 0 = any free port. */
  port: z.int().min(0).max(65535),
  version: z.string(),
  /** Folder with the Node and Python harnesses. */
  workerKitDir: z.string(),
  /** A key with full scope that is good for this run only; kept in memory as a hash. */
  runKey: z.string(),
  /** 32 bytes, base64: encrypts what must be used again, such as s3 settings of waiting jobs. */
  dataKey: z.string(),
  /** Whether later runs have this key as well. */
  dataKeyIsKept: z.boolean().default(true),
  /** Those that this run sealed with before; nothing is sealed with them any more. */
  olderDataKeys: z.array(z.string()).default([]),
  /** Host names besides the loopback ones that requests may carry. */
  allowedHosts: z.array(z.string()),
  logLevel: z.enum(['debug', 'info', 'warn', 'error', 'silent']),
  /** What /stream answers in this run, whatever the settings say; null where they hold. */
  streamAnswer: z.enum(streamAnswers).nullable().default(null),
  /** The permissions that files of workers and in volumes are not given (umask); those of the engine itself are for its owner only. */
  workerMask: z.int().min(0).max(0o777).default(0o022),
});
export type EngineStart = z.input<typeof engineStartSchema>;

export const engineStopSchema = z.object({ type: z.literal('stop') });
/** Asks whether it lives; answered with `pong` whatever else it does. */
const enginePingSchema = z.object({ type: z.literal('ping') });
export const engineInboundSchema = z.discriminatedUnion('type', [
  engineStartSchema,
  engineStopSchema,
  enginePingSchema,
]);

/** Why an engine could not start; the host decides the exit code by it. */
export const engineFailures = ['port-taken', 'data-in-use', 'data-unreadable', 'failed'] as const;

/** Messages from the engine to its host. */
export const engineOutboundSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ready'),
    address: z.string(),
    port: z.int(),
    pid: z.int(),
    /** The key made at the very first start, shown this once; null at every later start. */
    firstKey: z.string().nullable(),
    /** What a person must be told about how the data was found. */
    notices: z.array(z.string()).default([]),
  }),
  /** The data is being recovered, which may take long; `ready` or `failed` follows. */
  z.object({ type: z.literal('recovering'), message: z.string() }),
  /** It is about to end by itself. */
  z.object({ type: z.literal('ending'), message: z.string() }),
  /** It was told to stop, and Pods run on: which, and how they are stopped. */
  z.object({ type: z.literal('leaving'), message: z.string() }),
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('failed'), failure: z.enum(engineFailures), message: z.string() }),
]);
export type EngineOutbound = z.infer<typeof engineOutboundSchema>;
