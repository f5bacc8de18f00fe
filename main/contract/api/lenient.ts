/**
 * Schemas with which the app and the page read the answers of services. A missing or wrong field gets its default,
 * unknown fields are kept, and no number has a range. Requests to an engine have strict schemas of their own.
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
/** Services send null for "none". */
const orNull = <T extends z.ZodType>(schema: T) => schema.nullable().catch(null);
/** Numbers and booleans among the values become text. */
const env = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).catch({});

export const lenientTemplateSchema = z.looseObject({
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

export const lenientEndpointSchema = z.looseObject({
  id: z.string(),
  templateId: text,
  createdAt: text,
  version: count,
  name: text,
  computeType: z.enum(computeTypes).catch('GPU'),
  gpuTypeIds: texts,
  gpuCount: count,
  networkVolumeIds: texts,
  /** REST v1 of the service omits it; all its endpoints are queue-based. */
  type: z.enum(endpointTypes).catch('QB'),
  scalerType: z.enum(scalerTypes).catch('QUEUE_DELAY'),
  scalerValue: count,
  idleTimeout: count,
  executionTimeoutMs: count,
  workersMin: count,
  workersMax: count,
});

export const lenientVolumeSchema = z.looseObject({ id: z.string(), name: text, size: count, dataCenterId: text });
export const lenientRegistryAuthSchema = z.looseObject({ id: z.string(), name: text });

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

export const lenientPodSchema = z.looseObject({
  id: z.string(),
  name: text,
  image: text,
  imageName: text,
  /** The default is RUNNING: a Pod in an unknown state may cost money. */
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
  networkVolume: lenientVolumeSchema.optional().catch(undefined),
  template: lenientTemplateSchema.optional().catch(undefined),
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

export const lenientPodFactsSchema = z.looseObject({
  id: z.string(),
  preparing: orNull(z.string()),
  problem: orNull(z.string()),
  runtime: orNull(podRuntimeSchema),
  httpAddresses: z.record(z.string(), z.string()).catch({}),
  gpus: texts,
});

export const lenientGpuTypeSchema = z.looseObject({
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
  /**
   * The smallest and largest number of cores of a Pod, if the type is a processor of a service; memory and prices are
   * then for one core.
   */
  vcpu: z.object({ min: z.number(), max: z.number() }).nullish().catch(null),
  lowestPrice: orNull(
    z.looseObject({
      uninterruptablePrice: orNull(z.number()),
      minimumBidPrice: z.number().nullish().catch(null),
      stockStatus: orNull(z.enum(stockStatuses)),
      availableGpuCounts: z.array(z.number()).optional().catch(undefined),
      totalCount: z.number().optional().catch(undefined),
      rentedCount: z.number().optional().catch(undefined),
    }),
  ),
});
export type LenientGpuType = z.infer<typeof lenientGpuTypeSchema>;

/** An unknown state counts as not final: the app continues to poll. */
export const lenientJobStatusSchema = z
  .string()
  .min(1)
  .transform((status): JobStatus => jobStatuses.find((candidate) => candidate === status) ?? 'IN_PROGRESS');

const optionalCount = z.number().optional().catch(undefined);
const optionalWhole = z.number().transform(Math.round).optional().catch(undefined);
export const lenientJobSchema = z.looseObject({
  id: z.string(),
  status: lenientJobStatusSchema,
  delayTime: optionalWhole,
  executionTime: optionalWhole,
  workerId: optionalText,
  retries: optionalWhole,
  output: z.unknown().optional(),
  /** Old workers send values of any type. */
  error: z
    .unknown()
    .transform((error) => (error == null ? undefined : typeof error === 'string' ? error : JSON.stringify(error)))
    .optional(),
});
export type LenientRequest = z.output<typeof lenientJobSchema>;
/** Answer of /requests, whose shape the service description does not show. What is no job is left out. */
export const lenientRequestsSchema = z.looseObject({ requests: z.array(z.unknown()) }).transform(({ requests }) =>
  requests.flatMap((one) => {
    const job = lenientJobSchema.safeParse(one);
    return job.success ? [job.data] : [];
  }),
);
export const lenientAcceptedSchema = z.looseObject({ id: z.string(), status: lenientJobStatusSchema });
export const lenientPurgedSchema = z.looseObject({ removed: count });

const none = { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 };
const nobody = { idle: 0, initializing: 0, ready: 0, running: 0, throttled: 0, unhealthy: 0 };
export const lenientHealthSchema = z.looseObject({
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

/** US dollars, as a number or its text. Another value is an error: shown as $0, it would hide what was spent. */
export const lenientAmountSchema = z.union([z.number(), z.string().trim().min(1).pipe(z.coerce.number())]);

export const lenientBillingSchema = z.looseObject({
  time: text,
  amount: lenientAmountSchema,
  /** Zero if the service does not send it. */
  timeBilledMs: count,
  diskSpaceBilledGb: optionalCount,
  podId: optionalText,
  endpointId: optionalText,
  gpuTypeId: optionalText,
  networkVolumeId: optionalText,
});
export type LenientBilling = z.infer<typeof lenientBillingSchema>;

/** The known fields of each resource. The page shows all other fields unchanged. */
export const knownFields = {
  endpoint: Object.keys(lenientEndpointSchema.shape),
  template: Object.keys(lenientTemplateSchema.shape),
  pod: Object.keys(lenientPodSchema.shape),
} as const;

/** An answer of a GraphQL API. Services agree only on the message of an error. */
export const lenientGraphqlAnswerSchema = z.looseObject({
  /** Null or missing if nothing was executed. */
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(z.looseObject({ message: z.string() })).nullish(),
});
