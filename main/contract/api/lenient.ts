/**
 * Resources as services tell of them, the way the app and the page read them: a field that is missing, or not what it should be, is
 * what it is without anything; unknown ones are kept; nothing has a range. What is asked of an engine has schemas of its own.
 */
import * as z from 'zod';
import { stockStatuses } from './gpuType.ts';
import { jobStatuses, type JobStatus } from './job.ts';
import { computeTypes, desiredStatuses, podRuntimeSchema, savingsPlanSchema } from './pod.ts';
import { endpointTypes, scalerTypes } from './resources.ts';

const text = z.string().catch('');
const count = z.number().catch(0);
const flag = z.boolean().catch(false);
const texts = z.array(z.string()).catch([]);
/** Services tell null where they mean none. */
const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().catch(null);
/** Numbers among the values of variables are text. */
const env = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).catch({});

export const toldTemplateSchema = z.looseObject({
  id: z.string(),
  name: text,
  imageName: text,
  category: z.enum(['NVIDIA', 'AMD', 'CPU']).catch('NVIDIA'),
  containerDiskInGb: count,
  containerRegistryAuthId: text,
  dockerEntrypoint: texts,
  dockerStartCmd: texts,
  env,
  isPublic: flag,
  isServerless: flag,
  ports: texts,
  readme: text,
  volumeInGb: count,
  volumeMountPath: text,
});

export const toldEndpointSchema = z.looseObject({
  id: z.string(),
  templateId: text,
  createdAt: text,
  version: count,
  name: text,
  computeType: z.enum(computeTypes).catch('GPU'),
  gpuTypeIds: texts,
  gpuCount: count,
  networkVolumeIds: texts,
  /** REST v1 of the service does not tell it, and makes no others. */
  type: z.enum(endpointTypes).catch('QB'),
  scalerType: z.enum(scalerTypes).catch('QUEUE_DELAY'),
  scalerValue: count,
  idleTimeout: count,
  executionTimeoutMs: count,
  workersMin: count,
  workersMax: count,
});

export const toldVolumeSchema = z.looseObject({ id: z.string(), name: text, size: count, dataCenterId: text });
export const toldRegistryAuthSchema = z.looseObject({ id: z.string(), name: text });

const podGpuSchema = z.looseObject({
  id: z.string(),
  count: z.number().catch(1),
  displayName: text,
  securePrice: count,
  communityPrice: count,
});
const optionalText = z.string().optional().catch(undefined);
const podMachineSchema = z.looseObject({
  gpuTypeId: optionalText,
  gpuDisplayName: optionalText,
  cpuTypeId: optionalText,
  location: optionalText,
  dataCenterId: optionalText,
  cpuCount: z.number().optional().catch(undefined),
  costPerHr: z.number().optional().catch(undefined),
});

export const toldPodSchema = z.looseObject({
  id: z.string(),
  name: text,
  image: text,
  imageName: text,
  /** One that is not known may well cost money. */
  desiredStatus: z.enum(desiredStatuses).catch('RUNNING'),
  createdAt: text,
  lastStartedAt: text,
  lastStatusChange: text,
  // Described as text, and a number in what is answered.
  costPerHr: z.coerce.number().catch(0),
  adjustedCostPerHr: z.coerce.number().catch(0),
  consumerUserId: text,
  containerDiskInGb: count,
  containerRegistryAuthId: text,
  dockerEntrypoint: texts,
  dockerStartCmd: texts,
  env,
  gpu: orNull(podGpuSchema),
  gpuCount: count,
  interruptible: flag,
  locked: flag,
  machineId: text,
  machine: podMachineSchema.catch({}),
  memoryInGb: count,
  vcpuCount: count,
  networkVolumeId: orNull(z.string()),
  networkVolume: toldVolumeSchema.optional().catch(undefined),
  template: toldTemplateSchema.optional().catch(undefined),
  portMappings: orNull(z.record(z.string(), z.number())),
  ports: texts,
  publicIp: orNull(z.string()),
  savingsPlans: z.array(savingsPlanSchema).catch([]),
  slsVersion: count,
  templateId: text,
  volumeEncrypted: flag,
  volumeInGb: count,
  volumeMountPath: text,
});

export const toldPodFactsSchema = z.looseObject({
  id: z.string(),
  preparing: orNull(z.string()),
  problem: orNull(z.string()),
  runtime: orNull(podRuntimeSchema),
  httpAddresses: z.record(z.string(), z.string()).catch({}),
  gpus: texts,
});

export const toldGpuTypeSchema = z.looseObject({
  id: z.string(),
  displayName: text,
  manufacturer: text,
  memoryInGb: count,
  cudaCores: orNull(z.number()),
  secureCloud: flag,
  communityCloud: flag,
  securePrice: count,
  communityPrice: count,
  maxGpuCount: count,
  /** The least and the most cores of a Pod, where it is a processor of a service: memory and prices are those of one core. */
  vcpu: z.object({ min: z.number(), max: z.number() }).nullish().catch(null),
  lowestPrice: orNull(
    z.looseObject({
      uninterruptablePrice: orNull(z.number()),
      stockStatus: orNull(z.enum(stockStatuses)),
      availableGpuCounts: z.array(z.number()).optional().catch(undefined),
      totalCount: z.number().optional().catch(undefined),
      rentedCount: z.number().optional().catch(undefined),
    }),
  ),
});
export type ToldGpuType = z.infer<typeof toldGpuTypeSchema>;

/** A state that nobody knows is one to go on asking about. */
export const toldJobStatusSchema = z
  .string()
  .min(1)
  .transform((status): JobStatus => jobStatuses.find((candidate) => candidate === status) ?? 'IN_PROGRESS');

const optionalCount = z.number().optional().catch(undefined);
const optionalWhole = z.number().transform(Math.round).optional().catch(undefined);
export const toldJobSchema = z.looseObject({
  id: z.string(),
  status: toldJobStatusSchema,
  delayTime: optionalWhole,
  executionTime: optionalWhole,
  workerId: optionalText,
  retries: optionalWhole,
  output: z.unknown().optional(),
  /** Old workers send whatever they have. */
  error: z
    .unknown()
    .transform((error) => (error == null ? undefined : typeof error === 'string' ? error : JSON.stringify(error)))
    .optional(),
});
export const toldAcceptedSchema = z.looseObject({ id: z.string(), status: toldJobStatusSchema });
export const toldPurgedSchema = z.looseObject({ removed: count });

const none = { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 };
const nobody = { idle: 0, initializing: 0, ready: 0, running: 0, throttled: 0, unhealthy: 0 };
export const toldHealthSchema = z.looseObject({
  jobs: z
    .looseObject({ completed: count, failed: count, inProgress: count, inQueue: count, retried: count })
    .catch(none),
  workers: z
    .looseObject({
      idle: count,
      initializing: count,
      ready: count,
      running: count,
      throttled: count,
      unhealthy: count,
    })
    .catch(nobody),
});

export const toldBillingSchema = z.looseObject({
  time: text,
  amount: count,
  /** Zero where it is not told. */
  timeBilledMs: count,
  diskSpaceBilledGb: optionalCount,
  podId: optionalText,
  endpointId: optionalText,
  gpuTypeId: optionalText,
  networkVolumeId: optionalText,
});
export type ToldBilling = z.infer<typeof toldBillingSchema>;

/** What is known of each; whatever else is told of one is shown as it is. */
export const knownFields = {
  endpoint: Object.keys(toldEndpointSchema.shape),
  template: Object.keys(toldTemplateSchema.shape),
  pod: Object.keys(toldPodSchema.shape),
} as const;
