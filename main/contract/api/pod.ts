/** Pods: containers of a person, with the fields of /v1/pods and of the requests that create or change a Pod. */
import * as z from 'zod';
import { cudaVersions, dataCenters, podCpuFlavors } from '../core/cloudNames.ts';
import { keysOf } from '../core/keysOf.ts';
import { limits } from '../core/limits.ts';
import { flag, several } from '../core/query.ts';
import { autoStopSchema } from './autoStop.ts';
import { portsSchema, templateSchema, volumeSchema } from './resources.ts';
import { secret } from '../core/secretFields.ts';

/**
 * RUNNING: it should run. EXITED: it is stopped; its volume is kept, and its GPUs are free. TERMINATED: it is deleted.
 */
export const desiredStatuses = ['RUNNING', 'EXITED', 'TERMINATED'] as const;
export const computeTypes = ['GPU', 'CPU'] as const;

const nameSchema = z.string().trim().min(1).max(limits.pod.nameLength);
const diskSchema = z.int().min(limits.pod.diskGb.min).max(limits.pod.diskGb.max);

/** Fields of a change. A change of any field except `name` and `locked` recreates the container. */
const changeable = {
  name: nameSchema,
  locked: z.boolean(),
  imageName: z.string().trim().min(1).max(limits.pod.imageLength),
  env: z.record(z.string(), z.string()),
  ports: portsSchema,
  dockerEntrypoint: z.array(z.string()),
  dockerStartCmd: z.array(z.string()),
  containerDiskInGb: diskSchema.nullable(),
  volumeInGb: diskSchema.nullable(),
  volumeMountPath: z.string().startsWith('/'),
  containerRegistryAuthId: z.string(),
  globalNetworking: z.boolean(),
};

const priority = z.enum(['availability', 'custom']);

/** Fields that only a cloud uses: this machine stores and returns them, without any effect. */
const podCloudFields = {
  cloudType: z.enum(['SECURE', 'COMMUNITY']),
  gpuTypePriority: priority,
  cpuFlavorIds: z
    .array(z.enum(keysOf(podCpuFlavors)))
    .meta({ description: 'The first says how much memory a Pod on the CPU has for each core.' }),
  cpuFlavorPriority: priority,
  dataCenterIds: z.array(z.enum(dataCenters)),
  dataCenterPriority: priority,
  countryCodes: z.array(z.string()),
  allowedCudaVersions: z.array(z.enum(cudaVersions)),
  supportPublicIp: z.boolean(),
  minRAMPerGPU: z.int().min(0).meta({ description: 'Refused where this machine has less.' }),
  minVCPUPerGPU: z.int().min(0).meta({ description: 'Refused where this machine has fewer.' }),
  minDiskBandwidthMBps: z.number().min(0),
  minDownloadMbps: z.number().min(0),
  minUploadMbps: z.number().min(0),
};
/** GraphQL has one more type of cloud, and accepts any name of a region, a flavor and a CUDA version. */
const graphqlCloudFields = {
  cloudType: z.enum(['SECURE', 'COMMUNITY', 'ALL']),
  cpuFlavorIds: z.array(z.string()),
  dataCenterIds: z.array(z.string()),
  allowedCudaVersions: z.array(z.string()),
};
/** The cloud fields that are stored with a Pod. */
export const podCloudSchema = z
  .object({ ...podCloudFields, ...graphqlCloudFields, globalNetworking: z.boolean() })
  .partial();
export type PodCloudFields = z.infer<typeof podCloudSchema>;
export const podCloudFieldNames = keysOf(podCloudSchema.shape);

/** Fields that are fixed at creation. */
const fixed = {
  /** Clients write null for "no template". */
  templateId: z
    .string()
    .nullable()
    .transform((id) => id ?? ''),
  computeType: z.enum(computeTypes),
  gpuTypeIds: z.array(z.string()),
  /** 0: the Pod runs on the CPU. */
  gpuCount: z.int().min(0).max(limits.endpoint.gpuCount.max),
  vcpuCount: z.int().min(1),
  memoryInGb: z.int().min(1).max(limits.pod.memoryGb.max).meta({ description: 'Of ours. How much memory it may use.' }),
  networkVolumeId: z.string().nullable(),
  interruptible: z.boolean(),
};

/** POST /v1/pods: only one of `imageName` and `templateId` is required. */
export const podCreateSchema = z
  .object({ ...changeable, ...podCloudFields, ...fixed, networkVolumeId: z.string() })
  .partial();
/** The input of the same creation over GraphQL. */
export const podDeploySchema = podCreateSchema.extend(z.object(graphqlCloudFields).partial().shape);
export type PodCreate = z.infer<typeof podDeploySchema>;

/** The body of POST /v1/pods. The published command-line tool names the command as GraphQL does. */
export const podRequestSchema = podCreateSchema.extend({
  dockerArgs: z
    .string()
    .optional()
    .meta({ description: 'A command line that is split as a shell would, where dockerStartCmd names no command.' }),
});

export const podUpdateSchema = z.object(changeable).partial();
export type PodUpdate = z.infer<typeof podUpdateSchema>;

/** What the container of a Pod may use; null for as much as the machine has. */
export const podLimitsSchema = z.looseObject({
  vcpuCount: z.int().nullable(),
  /** GB of 1024³ bytes. */
  memoryInGb: z.int().nullable(),
});
export type PodLimits = z.infer<typeof podLimitsSchema>;

/** PATCH /local/v1/pods/{podId}/limits: only the limits that it names change. Null removes a limit; a Pod on the CPU then has all cores. */
export const podLimitsChangeSchema = z
  .strictObject({ vcpuCount: fixed.vcpuCount.nullable(), memoryInGb: fixed.memoryInGb.nullable() })
  .partial();
export type PodLimitsChange = z.infer<typeof podLimitsChangeSchema>;

const fixedSchema = z.object({ ...podCloudFields, ...fixed }).partial();
export const podFixedFieldNames: ReadonlySet<string> = new Set(Object.keys(fixedSchema.shape));

/** PATCH /v1/pods/{podId}, and its synonym. A fixed field may repeat its value; another value is refused. */
export const podChangeSchema = podUpdateSchema.extend(fixedSchema.shape);
export type PodChangeRequest = z.infer<typeof podChangeSchema>;

const text = z.string().optional();
const nameFilter = z.string().max(limits.pod.nameLength);

/** The optional parts of a Pod's view, in the query of GET /v1/pods/{podId}. */
export const podWithSchema = z.object({
  includeMachine: flag,
  includeNetworkVolume: flag,
  /** This machine has no savings plans: the list is always there, and empty. */
  includeSavingsPlans: flag,
  includeTemplate: flag,
  /** Workers of endpoints are Pods, too. */
  includeWorkers: flag,
});

/** The query of GET /v1/pods: filters, all of which must match, and optional parts of the answer. */
export const podQuerySchema = podWithSchema.extend({
  id: text,
  imageName: text,
  templateId: text,
  networkVolumeId: text,
  name: nameFilter.optional(),
  endpointId: nameFilter.optional(),
  computeType: z.enum(computeTypes).optional(),
  desiredStatus: z.enum(desiredStatuses).optional(),
  gpuTypeId: several,
  cpuFlavorId: several,
  dataCenterId: several,
});
export type PodQuery = z.infer<typeof podQuerySchema>;

const price = z.number().nullish();

/** Prices are in US dollars an hour for one GPU; null if the GPU is not rented out in that way. */
const podGpuSchema = z.looseObject({
  id: z.string(),
  count: z.int(),
  displayName: z.string(),
  securePrice: z.number(),
  communityPrice: z.number(),
  oneMonthPrice: price,
  threeMonthPrice: price,
  sixMonthPrice: price,
  oneWeekPrice: price,
  communitySpotPrice: price,
  secureSpotPrice: price,
});
export type PodGpu = z.infer<typeof podGpuSchema>;

const cpuTypeSchema = z.looseObject({
  id: z.string(),
  displayName: z.string(),
  cores: z.number(),
  threadsPerCore: z.number().nullable(),
  groupId: z.string(),
});

const maintenance = z.string().nullable();

/** The machine of a Pod; empty unless the query requests it. Null: the value is not measured, or does not exist. */
export const podMachineSchema = z
  .looseObject({
    minPodGpuCount: z.int(),
    gpuTypeId: z.string(),
    gpuType: podGpuSchema.nullable(),
    gpuDisplayName: z.string(),
    gpuAvailable: z.int().nullable().meta({ description: 'GPUs of its type that are free now.' }),
    cpuCount: z.int(),
    cpuTypeId: z.string(),
    cpuType: cpuTypeSchema,
    location: z.string(),
    dataCenterId: z.string(),
    diskThroughputMBps: z.int().nullable(),
    maxDownloadSpeedMbps: z.int().nullable(),
    maxUploadSpeedMbps: z.int().nullable(),
    supportPublicIp: z.boolean(),
    secureCloud: z.boolean(),
    maintenanceStart: maintenance,
    maintenanceEnd: maintenance,
    maintenanceNote: maintenance,
    note: maintenance,
    costPerHr: z.number(),
    currentPricePerGpu: z.number(),
  })
  .partial();

/** Engines of Hangar have none. */
export const savingsPlanSchema = z.looseObject({
  id: z.string(),
  podId: z.string(),
  gpuTypeId: z.string(),
  costPerHr: z.number(),
  startTime: z.string(),
  endTime: z.string(),
});

/** A Pod as /v1 answers it. The image has two names, because clients read either. */
export const podSchema = z.looseObject({
  id: z.string(),
  name: z.string().max(limits.pod.nameLength),
  image: z.string(),
  imageName: z.string(),
  desiredStatus: z.enum(desiredStatuses),
  createdAt: z.string(),
  lastStartedAt: z.string(),
  /** A sentence for a person, with the time. */
  lastStatusChange: z.string(),
  costPerHr: z.number().meta({ format: 'currency' }),
  adjustedCostPerHr: z.number(),
  consumerUserId: z.string(),
  containerDiskInGb: z.int(),
  containerRegistryAuthId: z.string(),
  dockerEntrypoint: z.array(z.string()),
  dockerStartCmd: z.array(z.string()),
  env: secret('values', z.record(z.string(), z.string())),
  /** The endpoint of a worker, under both of its names; null for other Pods. */
  endpointId: z.string().nullish(),
  aiApiId: z.string().nullish(),
  /** The requested CPU flavor; null if none was requested, and on GPUs. */
  cpuFlavorId: z.string().nullish(),
  /** Null on the CPU. */
  gpu: podGpuSchema.nullable(),
  gpuCount: z.int(),
  interruptible: z.boolean(),
  locked: z.boolean(),
  machineId: z.string(),
  machine: podMachineSchema,
  memoryInGb: z.int(),
  vcpuCount: z.int(),
  networkVolumeId: z.string().nullable(),
  networkVolume: volumeSchema.optional(),
  template: templateSchema.optional(),
  /** Private port → port of this machine, for `tcp` ports; null unless the Pod runs. */
  portMappings: z.record(z.string(), z.int()).nullable(),
  ports: z.array(z.string()),
  publicIp: z.ipv4().nullable(),
  savingsPlans: z.array(savingsPlanSchema),
  slsVersion: z.int(),
  templateId: z.string(),
  volumeEncrypted: z.boolean(),
  volumeInGb: z.int(),
  volumeMountPath: z.string(),
});
export type Pod = z.infer<typeof podSchema>;

/** A port of a running Pod, and its address. */
const runtimePortSchema = z.object({
  ip: z.string(),
  isIpPublic: z.boolean(),
  privatePort: z.int(),
  publicPort: z.int(),
  type: z.enum(['http', 'tcp']),
});

/** The current load of a running Pod, in percent of its own limits. */
export const podRuntimeSchema = z.object({
  uptimeInSeconds: z.int(),
  ports: z.array(runtimePortSchema),
  gpus: z.array(z.object({ id: z.string(), gpuUtilPercent: z.number(), memoryUtilPercent: z.number() })),
  container: z.object({ cpuPercent: z.number(), memoryPercent: z.number() }),
});
export type PodRuntime = z.infer<typeof podRuntimeSchema>;

/** The same without waiting for a measurement: `container` is null until its load is measured. */
const podRuntimeNowSchema = podRuntimeSchema.extend({ container: podRuntimeSchema.shape.container.nullable() });
export type PodRuntimeNow = z.infer<typeof podRuntimeNowSchema>;

/** GET /local/v1/pods/{podId}: facts that the Pod of the service description lacks. */
export const podFactsSchema = z.looseObject({
  id: z.string(),
  /** The current step of the preparation, such as "Pulling me/image, 40 %"; null otherwise. */
  preparing: z.string().nullable(),
  /** Why the Pod does not run although it should, and what to do; null if there is no problem. */
  problem: z.string().nullable(),
  /** When the next try is to start a Pod that does not run; null if none is planned. Absent for Hangars before that. */
  nextTryAt: z.string().nullable().optional(),
  /** Requested options that its container cannot have, in sentences. */
  notes: z.array(z.string()).optional(),
  /** Null while its container does not run. */
  runtime: podRuntimeNowSchema.nullable(),
  /** How often its container ended by itself since a person last started it; null if it did not. */
  restarts: z
    .looseObject({
      times: z.int(),
      /** When it ended last. */
      endedAt: z.string(),
      /** How it ended last: a sentence for a person. */
      text: z.string(),
      /** The last lines that it wrote before. */
      lastLines: z.array(z.string()),
      /** Whether it ends again and again, without a minute in between. */
      isCrashLoop: z.boolean(),
      /** When it is started next; null while it runs. */
      nextStartAt: z.string().nullable(),
    })
    .nullable()
    .optional(),
  /** What limits its container; null for as much as the machine has. Absent for Hangars before that. */
  limits: podLimitsSchema.optional(),
  /** When it stops by itself; absent for Hangars before that. */
  autoStop: autoStopSchema.optional(),
  /** The address of each `http` port: http://{podId}-{port}.localhost:{engine's port}/. */
  httpAddresses: z.record(z.string(), z.string()),
  /**
   * Whether the engine asks callers from other machines for an API key at these addresses, and keeps it from the Pod.
   * Absent for Hangars before that: those would pass the key on.
   */
  asksForKey: z.boolean().optional(),
  /** uuids of its GPUs. */
  gpus: z.array(z.string()),
});
export type PodFacts = z.infer<typeof podFactsSchema>;
