/** Management resources under /v1: templates and endpoints, with the field names and defaults of the description. */
import * as z from 'zod';
import { cudaVersions, dataCenters, endpointCpuFlavors, type CudaVersion } from '../core/cloudNames.ts';
import { keysOf } from '../core/keysOf.ts';
import { limits } from '../core/limits.ts';
import { secret } from '../core/secretFields.ts';

const range = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max);
const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(limits.endpoint.nameLength)
  .meta({ description: 'For people.', examples: ['my name'] });

/** Whether a program can receive the text: an argument or a variable cannot hold the character of code 0. */
const isHandedOver = (text: string): boolean => !text.includes('\0');
const argumentsSchema = z.array(z.string().refine(isHandedOver, 'must not hold a character of code 0'));
const envSchema = z.record(z.string(), z.string()).superRefine((env, issues) => {
  const wrong = (name: string, message: string): void =>
    issues.addIssue({ code: 'custom', path: [name], message, input: undefined });
  for (const [name, value] of Object.entries(env)) {
    if (name === '' || name.includes('=') || !isHandedOver(name)) wrong(name, 'is no name of a variable');
    else if (!isHandedOver(value)) wrong(name, 'must not hold a character of code 0');
  }
});

/** The engine serves `8888/http` at a stable address; `22/tcp` gets a free port of this machine. */
const portSchema = z
  .string()
  .regex(/^\d{1,5}\/(http|tcp)$/, 'must be a port and http or tcp, such as 8888/http or 22/tcp')
  .refine(
    (port) => Number.parseInt(port, 10) >= 1 && Number.parseInt(port, 10) <= 65_535,
    'names no port from 1 to 65535',
  );
export const portsSchema = z.array(portSchema).max(limits.pod.ports);

/** Prefix of an `imageName` that names a folder on this machine instead of a container image. */
export const FILE_IMAGE_PREFIX = 'file://';

const diskGb = range(limits.pod.diskGb);

const templateFields = {
  category: z.enum(['NVIDIA', 'AMD', 'CPU']).meta({ description: 'Fixed when the template is made.' }),
  containerDiskInGb: diskGb,
  containerRegistryAuthId: z.string().meta({ description: 'Credentials for a private image; empty for none.' }),
  dockerEntrypoint: argumentsSchema.meta({ description: "In place of the image's own, unless it is empty." }),
  dockerStartCmd: argumentsSchema.meta({ description: "In place of the image's own, unless it is empty." }),
  env: secret('values', envSchema),
  isPublic: z.boolean(),
  isServerless: z
    .boolean()
    .meta({ description: 'For workers of endpoints, not for Pods. Fixed when the template is made.' }),
  ports: portsSchema.meta({ examples: [['8888/http', '22/tcp']] }),
  readme: z.string().meta({ description: 'Markdown.' }),
  volumeInGb: diskGb,
  volumeMountPath: z
    .string()
    .refine((path) => path === '' || (path.startsWith('/') && isHandedOver(path)), 'must be a path that begins with /'),
};

export const templateDefaults: z.infer<z.ZodObject<typeof templateFields>> = {
  category: 'NVIDIA',
  containerDiskInGb: limits.pod.diskGb.container,
  containerRegistryAuthId: '',
  dockerEntrypoint: [],
  dockerStartCmd: [],
  env: {},
  isPublic: false,
  isServerless: false,
  ports: ['8888/http', '22/tcp'],
  readme: '',
  volumeInGb: limits.pod.diskGb.volume,
  volumeMountPath: '/workspace',
};

export const templateCreateSchema = z.object({
  name: nameSchema,
  imageName: z.string().trim().min(1).max(limits.pod.imageLength).refine(isHandedOver, 'is no name of an image').meta({
    description: 'A container image, or with `file://` a folder of this machine.',
  }),
  ...z.object(templateFields).partial().shape,
});
export type TemplateCreate = z.infer<typeof templateCreateSchema>;

export const templateUpdateSchema = templateCreateSchema.partial();
export type TemplateUpdate = z.infer<typeof templateUpdateSchema>;

const templateRecord = z.object({
  id: z.string(),
  name: z.string(),
  imageName: z.string(),
  ...templateFields,
});
export type Template = z.infer<typeof templateRecord>;
/** Other services may send more; unknown fields are kept. */
export const templateSchema = templateRecord.loose();

/** Template fields of REST v2 only: they are stored, and v2 returns them. */
export interface TemplateExtras {
  startSsh?: boolean;
  startJupyter?: boolean;
  allowedCudaVersions?: CudaVersion[];
}
/**
 * A template of an engine of Hangar. `boundEndpointId`: the template was created for this endpoint and is deleted with
 * it.
 */
export interface EngineTemplate extends Template, TemplateExtras {
  boundEndpointId?: string;
}

/** `QB`: queue-based. `LB`: load-balancing; requests go directly to HTTP servers on the workers. */
export const endpointTypes = ['QB', 'LB'] as const;

export const scalerTypes = ['QUEUE_DELAY', 'REQUEST_COUNT'] as const;

const cpuFlavorSchema = z.enum(keysOf(endpointCpuFlavors));

/** The CPU options of workers in containers. */
const cpuFields = {
  cpuFlavorIds: z.array(cpuFlavorSchema).meta({
    description: 'Of workers on the CPU: the first says how much memory each has for each of its cores.',
  }),
  vcpuCount: range(limits.endpoint.vcpuCount).meta({ description: 'Cores of a worker on the CPU.' }),
  memoryInGb: range(limits.pod.memoryGb).meta({
    description: 'Of ours. Memory of a worker on the CPU, where it is not what its flavor says; 0 for that.',
  }),
};

/** Where in the cloud workers may run. This machine stores and returns these fields, without any effect. */
const cloudFields = {
  ...cpuFields,
  allowedCudaVersions: z.array(z.enum(cudaVersions)),
  dataCenterIds: z.array(z.enum(dataCenters)).meta({ description: 'Everywhere, where none is named.' }),
  flashboot: z.boolean(),
};

const endpointFields = {
  name: nameSchema,
  computeType: z.enum(['GPU', 'CPU']).meta({ description: 'Fixed when the endpoint is made.' }),
  gpuTypeIds: z.array(z.string().max(limits.endpoint.nameLength)).meta({
    description: 'Product names of GPUs, in the order in which they are wanted.',
    examples: [['NVIDIA GeForce RTX 4090']],
  }),
  gpuCount: range(limits.endpoint.gpuCount),
  /** Network volumes, which are folders of this machine. Workers see the first one at /runpod-volume. */
  networkVolumeIds: z.array(z.string()),
  type: z.enum(endpointTypes).meta({ description: 'Of ours. QB: queue-based. LB: load balancing.' }),
  scalerType: z.enum(scalerTypes),
  scalerValue: range(limits.endpoint.scalerValue),
  /** How many seconds a worker without a job is kept. */
  idleTimeout: range(limits.endpoint.idleTimeoutS).meta({ description: 'Seconds.' }),
  /** Default execution time limit of the endpoint's jobs, milliseconds. */
  executionTimeoutMs: range(limits.executionTimeoutMs),
  workersMin: range(limits.endpoint.workersMin),
  workersMax: range(limits.endpoint.workersMax),
};

const minCudaVersion = z.enum(cudaVersions);

export const endpointCreateSchema = z.object({
  templateId: z.string().min(1),
  networkVolumeId: z
    .string()
    .optional()
    .meta({ description: 'The same as `networkVolumeIds` with one; empty for none.' }),
  minCudaVersion: minCudaVersion.optional(),
  ...z.object({ ...endpointFields, ...cloudFields }).partial().shape,
});
export type EndpointCreate = z.infer<typeof endpointCreateSchema>;

export const endpointUpdateSchema = endpointCreateSchema.partial();
export type EndpointUpdate = z.infer<typeof endpointUpdateSchema>;

const endpointRecord = z.object({
  id: z.string(),
  templateId: z.string(),
  createdAt: z.string(),
  /** Grows when the endpoint gets another template, or the template changes. */
  version: z.int(),
  ...endpointFields,
});
/** The fields of an endpoint that every service sends and Hangar uses. */
export type Endpoint = z.infer<typeof endpointRecord>;
export const endpointSchema = endpointRecord.loose();

export const engineEndpointSchema = endpointRecord.extend({
  ...cloudFields,
  minCudaVersion: minCudaVersion.optional(),
});
/** An endpoint of an engine of Hangar. */
export type EngineEndpoint = z.infer<typeof engineEndpointSchema>;

/** Credentials for private images. They are written once and never returned: the record has only their name. */
export const registryAuthCreateSchema = z.object({
  name: nameSchema,
  username: z.string().min(1).max(limits.registryAuth.fieldLength),
  password: z.string().min(1).max(limits.registryAuth.fieldLength),
});
export type RegistryAuthCreate = z.infer<typeof registryAuthCreateSchema>;
export const registryAuthSchema = z.looseObject({ id: z.string(), name: z.string() });
export interface RegistryAuth {
  id: string;
  name: string;
}

/** A network volume is a folder of this machine. Workers see it at /runpod-volume. */
const volumeFields = { name: nameSchema, size: range(limits.volume.sizeGb), dataCenterId: z.string() };
export const volumeCreateSchema = z.object({
  ...volumeFields,
  dataCenterId: z.enum(dataCenters).meta({ description: 'Any region; the volume is on this machine in any case.' }),
});
export type VolumeCreate = z.infer<typeof volumeCreateSchema>;
export const volumeUpdateSchema = z.object({ name: nameSchema, size: range(limits.volume.sizeGb) }).partial();
export type VolumeUpdate = z.infer<typeof volumeUpdateSchema>;
const volumeRecord = z.object({ id: z.string(), ...volumeFields });
export type NetworkVolume = z.infer<typeof volumeRecord>;
export const volumeSchema = volumeRecord.loose();

/** GET /local/v1/volumes: a volume with the path of its folder. */
export const localVolumeSchema = volumeSchema.extend({ folder: z.string() });
