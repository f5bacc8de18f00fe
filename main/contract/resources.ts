/** Management resources under /v1: templates and endpoints, with the field names and defaults of the description. */
import * as z from 'zod';
import { limits } from './limits.ts';

const range = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max);
const nameSchema = z.string().trim().min(1).max(limits.endpoint.nameLength);
const envSchema = z.record(z.string(), z.string());

/** Prefix of an `imageName` that names a folder on this machine instead of a container image. */
export const FILE_IMAGE_PREFIX = 'file://';

const templateFields = {
  category: z.enum(['NVIDIA', 'AMD', 'CPU']),
  containerDiskInGb: z.int().min(0),
  containerRegistryAuthId: z.string(),
  dockerEntrypoint: z.array(z.string()),
  dockerStartCmd: z.array(z.string()),
  env: envSchema,
  isPublic: z.boolean(),
  isServerless: z.boolean(),
  ports: z.array(z.string()),
  readme: z.string(),
  volumeInGb: z.int().min(0),
  volumeMountPath: z.string(),
};

export const templateCreateSchema = z.object({
  name: nameSchema,
  imageName: z.string().trim().min(1),
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
/** Other services may tell more; unknown fields are kept. */
export const templateSchema = templateRecord.loose();

/** Queue-based, or load balancing: requests go straight to HTTP servers on the workers. */
export const endpointTypes = ['QB', 'LB'] as const;

export const scalerTypes = ['QUEUE_DELAY', 'REQUEST_COUNT'] as const;

const endpointFields = {
  name: nameSchema,
  computeType: z.enum(['GPU', 'CPU']),
  gpuTypeIds: z.array(z.string()),
  gpuCount: range(limits.endpoint.gpuCount),
  /** Folders of this machine that its workers see below /runpod-volume; the first is the one. */
  networkVolumeIds: z.array(z.string()),
  type: z.enum(endpointTypes),
  scalerType: z.enum(scalerTypes),
  scalerValue: range(limits.endpoint.scalerValue),
  /** Seconds a worker without a job is kept. */
  idleTimeout: range(limits.endpoint.idleTimeoutS),
  /** Default execution time limit of the endpoint's jobs, milliseconds. */
  executionTimeoutMs: range(limits.executionTimeoutMs),
  workersMin: range(limits.endpoint.workersMin),
  workersMax: range(limits.endpoint.workersMax),
};

export const endpointCreateSchema = z.object({
  templateId: z.string().min(1),
  /** The same as `networkVolumeIds` with one. */
  networkVolumeId: z.string().optional(),
  ...z.object(endpointFields).partial().shape,
});
export type EndpointCreate = z.infer<typeof endpointCreateSchema>;

export const endpointUpdateSchema = endpointCreateSchema.omit({ computeType: true }).partial();
export type EndpointUpdate = z.infer<typeof endpointUpdateSchema>;

const endpointRecord = z.object({
  id: z.string(),
  templateId: z.string(),
  createdAt: z.string(),
  /** Grows when the template, or what it says, changes. */
  version: z.int(),
  ...endpointFields,
});
export type Endpoint = z.infer<typeof endpointRecord>;
export const endpointSchema = endpointRecord.loose();

/** Credentials for private images. The record tells no more than its name: what is secret is written once and never told. */
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

/** A network volume is a folder of this machine: its workers see it at /runpod-volume. */
const volumeFields = { name: nameSchema, size: range(limits.volume.sizeGb), dataCenterId: z.string() };
export const volumeCreateSchema = z.object({ ...volumeFields, dataCenterId: z.string().optional() });
export type VolumeCreate = z.infer<typeof volumeCreateSchema>;
export const volumeUpdateSchema = z.object({ name: nameSchema, size: range(limits.volume.sizeGb) }).partial();
export type VolumeUpdate = z.infer<typeof volumeUpdateSchema>;
const volumeRecord = z.object({ id: z.string(), ...volumeFields });
export type NetworkVolume = z.infer<typeof volumeRecord>;
export const volumeSchema = volumeRecord.loose();

/** GET /local/v1/volumes: with the folder that it is. */
export const localVolumeSchema = volumeSchema.extend({ folder: z.string() });
