/** The computer of an engine in /local/v1: its GPUs, other programs on them, the pause and its rules. */
import * as z from 'zod';
import { defaultPriceSettings, priceSettingsChangeSchema, priceSettingsSchema } from '../api/billing.ts';
import { gpuPeriodSchema, measuredSchema } from './gpuHistory.ts';

export const gpuVendors = ['nvidia', 'amd'] as const;

/** A worker or a Pod of the engine. */
const gpuHolderSchema = z.union([
  /** `endpointName`: of the endpoint when the worker started. */
  z.object({ workerId: z.string(), endpointId: z.string(), endpointName: z.string().optional() }),
  /** `isRunning`: false while the Pod keeps its GPUs and its container does not run. Absent if it runs. */
  z.object({ podId: z.string(), podName: z.string().optional(), isRunning: z.boolean().optional() }),
]);

/** A stopped Pod with a container that was made for a GPU. */
const stoppedPodSchema = z.object({ podId: z.string(), podName: z.string() });

const gpuLoadSchema = z.looseObject({
  at: z.string(),
  /** Null if the driver does not report it. */
  utilPercent: z.number().nullable(),
  memoryUsedBytes: z.number().nullable(),
  temperatureC: z.number().nullable(),
  powerW: z.number().nullable(),
  /** Processes with memory on this GPU, the largest first. */
  processes: z.array(
    z.looseObject({
      pid: z.int(),
      name: z.string(),
      memoryBytes: z.number().nullable(),
      /** The worker or Pod that it belongs to; null for another program. Absent if that is not known. */
      heldBy: gpuHolderSchema.nullable().optional(),
    }),
  ),
});

/** One GPU of this machine. */
export const machineGpuSchema = z.looseObject({
  /** The permanent id of the driver, such as `GPU-…`. */
  uuid: z.string(),
  index: z.int(),
  /** The GPU type: its product name. */
  typeId: z.string(),
  vendor: z.enum(gpuVendors),
  memoryBytes: z.number(),
  driverVersion: z.string().nullable(),
  /** False: the person keeps this GPU for other uses, and no worker gets it. */
  enabled: z.boolean(),
  /** Whether several workers may use it at the same time. */
  shared: z.boolean(),
  /** The workers and Pods that have this GPU. */
  heldBy: z.array(gpuHolderSchema),
  /**
   * Stopped Pods that had this GPU. They get it again at their start if it is free; others get it only if no other GPU
   * is as free. Absent from an older engine.
   */
  lastHeldBy: z.array(stoppedPodSchema).optional(),
  /** Null until it is measured, and if it cannot be measured. */
  load: gpuLoadSchema.nullable(),
});
export type MachineGpu = z.infer<typeof machineGpuSchema>;
export type GpuLoad = z.infer<typeof gpuLoadSchema>;

/**
 * From this share of its load or of its memory on, other programs use a GPU so much that it is not free. A desktop
 * stays below.
 */
const USED_PERCENT = 25;

/**
 * Whether other programs use a GPU heavily, by its last measurement. False while a worker or Pod has it: then the load
 * may be theirs.
 */
export const isUsedByOthers = ({
  heldBy,
  load,
  memoryBytes,
}: Pick<MachineGpu, 'heldBy' | 'load' | 'memoryBytes'>): boolean =>
  heldBy.length === 0 &&
  load !== null &&
  ((load.utilPercent ?? 0) >= USED_PERCENT || (100 * (load.memoryUsedBytes ?? 0)) / memoryBytes >= USED_PERCENT);

/** Whether a Pod keeps a GPU while its container does not run. */
export const isNotRunning = (holder: MachineGpu['heldBy'][number]): boolean =>
  'podId' in holder && holder.isRunning === false;

/** The causes of a pause. */
export const pauseSources = [
  'person',
  'start',
  'battery',
  'programs',
  'gpu-load',
  'gpu-memory',
  'quiet-hours',
] as const;
export type PauseSource = (typeof pauseSources)[number];

export const pauseStateSchema = z.looseObject({
  /**
   * `running`: workers take jobs. `finishing`: running jobs end, and no other job starts. `paused`: no job runs, and no
   * GPU is in use.
   */
  state: z.enum(['running', 'finishing', 'paused']),
  /** The cause of the pause; null while running. */
  source: z.enum(pauseSources).nullable(),
  /** A sentence for a person with the rule and its cause: "Paused because game.exe runs." Null while running. */
  message: z.string().nullable(),
  since: z.string().nullable(),
  /** When the pause ends automatically; null if that is not known. */
  until: z.string().nullable(),
  /**
   * Rules that are fulfilled but overruled by "resume anyway". Each rule counts again after it was not fulfilled once.
   */
  overruled: z.array(z.enum(pauseSources)),
});
export type PauseState = z.infer<typeof pauseStateSchema>;

/** POST /local/v1/pause. */
export const pauseRequestSchema = z.strictObject({
  /** `now`: running jobs return to the queue. `after-job`: running jobs end first. */
  when: z.enum(['now', 'after-job']),
  /** Milliseconds; without it, until a person resumes. */
  forMs: z
    .int()
    .min(1000)
    .max(31 * 86_400_000)
    .optional(),
});
export type PauseRequest = z.infer<typeof pauseRequestSchema>;

/**
 * The part of a pause that survives a restart of the engine: the pause of a person or of a start, and the overruled
 * rules.
 */
export const storedPauseSchema = z.object({
  held: z
    .object({
      source: z.enum(['person', 'start']),
      /** Running jobs end first. */
      finishing: z.boolean(),
      /** Milliseconds since the epoch. */
      since: z.number(),
      until: z.number().nullable(),
      forMs: z.number().nullable(),
    })
    .nullable(),
  overruled: z.array(z.enum(pauseSources)),
});
export type StoredPause = z.infer<typeof storedPauseSchema>;

/** GET /local/v1/machine. */
export const machineSchema = z.looseObject({
  hostname: z.string(),
  platform: z.string(),
  cpu: z.looseObject({ model: z.string(), cores: z.int(), loadPercent: z.number().nullable() }),
  memory: z.looseObject({ totalBytes: z.number(), usedBytes: z.number() }),
  gpus: z.array(machineGpuSchema),
  /** Why there are no GPUs, or why they are not measured; null if there is no problem. */
  gpuProblem: z.string().nullable(),
  containers: z.looseObject({
    available: z.boolean(),
    /** `Docker` or `Podman`, if one answers. */
    name: z.string().nullable(),
    version: z.string().nullable(),
    address: z.string().nullable(),
    /** What is missing, and how to install it. */
    problem: z.string().nullable(),
    /** Why none can be used: it is installed and does not run, it does not let Hangar in, or there is none. */
    obstacle: z.enum(['stopped', 'refused', 'missing']).nullable().optional(),
  }),
  /** The Python for workers, if there is one. */
  python: z.looseObject({ version: z.string().nullable(), problem: z.string().nullable() }),
  pause: pauseStateSchema,
  onBattery: z.boolean().nullable(),
});
export type Machine = z.infer<typeof machineSchema>;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day like 22:00');

/** Ranges for error messages, by the name of the field. */
export const machineRanges = {
  othersGpuPercent: { min: 1, max: 100 },
  othersGpuMemoryGb: { min: 0.1, max: 1000, whole: false },
} as const;
const { othersGpuPercent, othersGpuMemoryGb } = machineRanges;

const ruleFields = {
  /** Pause while the machine runs on its battery. */
  battery: z.boolean(),
  /**
   * Pause while any of these programs is running. The names are those of the system's process list; case does not matter.
   * Empty: off.
   */
  programs: z.array(z.string().trim().min(1).max(200)).max(100),
  /** Pause while other programs use more than this percentage of a GPU; null: off. */
  othersGpuPercent: z.int().min(othersGpuPercent.min).max(othersGpuPercent.max).nullable(),
  /** Pause while other programs use more than this much GPU memory, in GB of 10^9 bytes; null: off. */
  othersGpuMemoryGb: z.number().min(othersGpuMemoryGb.min).max(othersGpuMemoryGb.max).nullable(),
  /** Pause every day between these local times, also over midnight; null: off. */
  quietHours: z.strictObject({ from: timeOfDay, to: timeOfDay }).nullable(),
};

const gpuChoiceFields = { enabled: z.boolean(), shared: z.boolean() };

/** The settings of the person's machine: `machine` of GET and PATCH /local/v1/settings. */
export const machineSettingsSchema = z.strictObject({
  rules: z.strictObject(ruleFields),
  /** The state of the queue after a start of the engine. */
  onStart: z.enum(['run', 'paused', 'as-it-was']),
  /** By uuid. A GPU that is missing here is enabled and not shared. */
  gpus: z.record(z.string(), z.strictObject(gpuChoiceFields)),
  /** Prices for billing. */
  prices: priceSettingsSchema,
});
export type MachineSettings = z.infer<typeof machineSettingsSchema>;

/** The default for a GPU without a setting. */
export const defaultGpuChoice = { enabled: true, shared: false };

export const machineSettingsChangeSchema = z
  .strictObject({
    rules: z.strictObject(ruleFields).partial(),
    onStart: z.enum(['run', 'paused', 'as-it-was']),
    gpus: z.record(z.string(), z.strictObject(gpuChoiceFields).partial()),
    prices: priceSettingsChangeSchema,
  })
  .partial();

export const defaultMachineSettings: MachineSettings = {
  rules: { battery: false, programs: [], othersGpuPercent: null, othersGpuMemoryGb: null, quietHours: null },
  onStart: 'as-it-was',
  gpus: {},
  prices: defaultPriceSettings,
};

/** Query of GET /local/v1/machine/history; 1h without `period`. */
export const processorHistoryQuerySchema = z.strictObject({ period: gpuPeriodSchema.optional() });

/** The mean and the greatest of the measurements of a span; null where the engine did not run. */
const processorPointSchema = z.looseObject({
  at: z.string(),
  /** 100: all cores. */
  loadPercent: measuredSchema,
  /** Used by all programs. */
  memoryBytes: measuredSchema,
});
export type ProcessorPoint = z.infer<typeof processorPointSchema>;

/**
 * The processor and the memory of the computer over time: GET /local/v1/machine/history. The points divide the period
 * without gaps, oldest first; the last one is not over yet.
 */
export const processorHistorySchema = z.looseObject({
  period: gpuPeriodSchema,
  /** The start of the first point, and now (RFC 3339). */
  from: z.string(),
  to: z.string(),
  /** The length of a point, milliseconds. */
  stepMs: z.int().min(1),
  points: z.array(processorPointSchema),
});
export type ProcessorHistory = z.infer<typeof processorHistorySchema>;

/** A job that ran during two crashes of the engine. It waits until a person releases it. GET /local/v1/set-aside. */
export const setAsideSchema = z.looseObject({
  id: z.string(),
  endpointId: z.string(),
  submittedAt: z.string(),
  crashes: z.int(),
});
export type SetAside = z.infer<typeof setAsideSchema>;

/** A job in the queue of an endpoint, in the order of the queue. GET /local/v1/endpoints/{id}/queue. */
export const queuedJobSchema = z.looseObject({
  id: z.string(),
  submittedAt: z.string(),
  lowPriority: z.boolean(),
  retries: z.int(),
});
export type QueuedJob = z.infer<typeof queuedJobSchema>;

/** POST /local/v1/jobs/{id}/move: moves a waiting job before another job of its endpoint, or to the end. */
export const moveJobSchema = z.strictObject({ before: z.string().nullable() });
