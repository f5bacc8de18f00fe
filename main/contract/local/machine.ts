/** The computer of an engine in /local/v1: its GPUs, their other users, pausing and its rules. */
import * as z from 'zod';
import { defaultPriceSettings, priceSettingsChangeSchema, priceSettingsSchema } from '../api/billing.ts';

export const gpuVendors = ['nvidia', 'amd'] as const;

const gpuLoadSchema = z.looseObject({
  at: z.string(),
  /** Null where the driver does not tell. */
  utilPercent: z.number().nullable(),
  memoryUsedBytes: z.number().nullable(),
  temperatureC: z.number().nullable(),
  powerW: z.number().nullable(),
  /** Whoever has memory on it, the greatest first. */
  processes: z.array(z.looseObject({ pid: z.int(), name: z.string(), memoryBytes: z.number().nullable() })),
});

/** One GPU of this machine. */
export const machineGpuSchema = z.looseObject({
  /** What its driver calls it for good, such as `GPU-…`. */
  uuid: z.string(),
  index: z.int(),
  /** The GPU type: its product name. */
  typeId: z.string(),
  vendor: z.enum(gpuVendors),
  memoryBytes: z.number(),
  driverVersion: z.string().nullable(),
  /** False where the person keeps it for themselves: no worker gets it. */
  enabled: z.boolean(),
  /** Whether several workers may have it at once. */
  shared: z.boolean(),
  /** Workers and Pods. */
  heldBy: z.array(
    z.union([z.object({ workerId: z.string(), endpointId: z.string() }), z.object({ podId: z.string() })]),
  ),
  /** Null until it was measured, and when it cannot be. */
  load: gpuLoadSchema.nullable(),
});
export type MachineGpu = z.infer<typeof machineGpuSchema>;
export type GpuLoad = z.infer<typeof gpuLoadSchema>;

/** What holds work back on this machine. */
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
   * `running`: workers take jobs. `finishing`: those that have a job end it, and no other is begun. `paused`: nothing is worked
   * on, and no GPU is held.
   */
  state: z.enum(['running', 'finishing', 'paused']),
  /** Whose doing it is; null while running. */
  source: z.enum(pauseSources).nullable(),
  /** For a person, naming the rule and what made it hold: "Paused because game.exe runs." Null while running. */
  message: z.string().nullable(),
  since: z.string().nullable(),
  /** When it ends by itself, where that is known. */
  until: z.string().nullable(),
  /** Rules that hold now but were overruled by "resume anyway"; each comes back once it has stopped holding. */
  overruled: z.array(z.enum(pauseSources)),
});
export type PauseState = z.infer<typeof pauseStateSchema>;

/** POST /local/v1/pause. */
export const pauseRequestSchema = z.strictObject({
  /** `now`: jobs that run go back to the queue. `after-job`: they end first. */
  when: z.enum(['now', 'after-job']),
  /** Milliseconds; until somebody resumes, without. */
  forMs: z
    .int()
    .min(1000)
    .max(31 * 86_400_000)
    .optional(),
});
export type PauseRequest = z.infer<typeof pauseRequestSchema>;

/** How an engine keeps a pause over a restart: what a person or a start holds back, and the rules that are overruled. */
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
  /** Why there are no GPUs, or why they are not measured; null when all is well. */
  gpuProblem: z.string().nullable(),
  containers: z.looseObject({
    available: z.boolean(),
    /** `Docker` or `Podman`, with its version, where one answers. */
    name: z.string().nullable(),
    version: z.string().nullable(),
    address: z.string().nullable(),
    /** What is missing, and how to get it. */
    problem: z.string().nullable(),
  }),
  /** Python of the workers, where one was found. */
  python: z.looseObject({ version: z.string().nullable(), problem: z.string().nullable() }),
  pause: pauseStateSchema,
  onBattery: z.boolean().nullable(),
});
export type Machine = z.infer<typeof machineSchema>;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day like 22:00');

/** By the name of the field, for messages that name both ends. */
export const machineRanges = {
  othersGpuPercent: { min: 1, max: 100 },
  othersGpuMemoryGb: { min: 0.1, max: 1000, whole: false },
} as const;
const { othersGpuPercent, othersGpuMemoryGb } = machineRanges;

const ruleFields = {
  /** Pause while the machine runs on its battery. */
  battery: z.boolean(),
  /** Pause while one of these programs runs; names as the system lists them, case does not count. Empty: off. */
  programs: z.array(z.string().trim().min(1).max(200)).max(100),
  /** Pause while programs that are no workers of ours use more of a GPU than this; null: off. */
  othersGpuPercent: z.int().min(othersGpuPercent.min).max(othersGpuPercent.max).nullable(),
  /** Pause while they have more GPU memory than this, in GB of 10^9 bytes; null: off. */
  othersGpuMemoryGb: z.number().min(othersGpuMemoryGb.min).max(othersGpuMemoryGb.max).nullable(),
  /** Pause every day between these times of this machine's clock, over midnight too; null: off. */
  quietHours: z.strictObject({ from: timeOfDay, to: timeOfDay }).nullable(),
};

const gpuChoiceFields = { enabled: z.boolean(), shared: z.boolean() };

/** The part of the settings that is about the person's machine: `machine` of GET and PATCH /local/v1/settings. */
export const machineSettingsSchema = z.strictObject({
  rules: z.strictObject(ruleFields),
  /** What an engine does with its queue after a start. */
  onStart: z.enum(['run', 'paused', 'as-it-was']),
  /** By uuid; a GPU that is not named is enabled and not shared. */
  gpus: z.record(z.string(), z.strictObject(gpuChoiceFields)),
  /** What use of it costs; for billing. */
  prices: priceSettingsSchema,
});
export type MachineSettings = z.infer<typeof machineSettingsSchema>;

/** Of a GPU that nobody has chosen for. */
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

/** A job that was running when the engine crashed, twice: it waits until somebody lets it go on. GET /local/v1/set-aside. */
export const setAsideSchema = z.looseObject({
  id: z.string(),
  endpointId: z.string(),
  submittedAt: z.string(),
  crashes: z.int(),
});
export type SetAside = z.infer<typeof setAsideSchema>;

/** A job in the queue of an endpoint, first to go first. GET /local/v1/endpoints/{id}/queue. */
export const queuedJobSchema = z.looseObject({
  id: z.string(),
  submittedAt: z.string(),
  lowPriority: z.boolean(),
  retries: z.int(),
});
export type QueuedJob = z.infer<typeof queuedJobSchema>;

/** POST /local/v1/jobs/{id}/move: puts a waiting job before another of its endpoint, or last. */
export const moveJobSchema = z.strictObject({ before: z.string().nullable() });
