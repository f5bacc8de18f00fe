/**
 * The schemas of the records that the database stores as JSON texts. They check the type of each field but not its
 * range, so that a stricter limit in a later version does not make old records unreadable. Missing fields of earlier
 * versions get their defaults; unknown fields of later versions stay.
 */
import * as z from 'zod';
import { apiKeySchema, type ApiKeyRecord } from '#contract/local/engine.ts';
import { autoStoppedSchema } from '#contract/api/autoStop.ts';
import { computeTypes, desiredStatuses, podCloudSchema } from '#contract/api/pod.ts';
import {
  endpointTypes,
  scalerTypes,
  templateDefaults,
  type EngineEndpoint,
  type EngineTemplate,
  type RegistryAuth,
} from '#contract/api/resources.ts';
import type { PodRecord } from '../../domain/pods/podInterfaces.ts';
import { endpointDefaults } from '../../domain/resources/endpoints.ts';
import type { StoredVolume } from '../../domain/resources/ports.ts';
import type { Secret } from '../../domain/resources/secrets.ts';
import type { WebhookAttempt } from '../../domain/webhooks/delivery.ts';

/** A name of the cloud: a region, a flavor, a CUDA version. It has no effect here, so any text is valid. */
const cloudName = <Name extends string>() => z.custom<Name>((value) => typeof value === 'string', 'must be a text');
const texts = z.array(z.string());
const variables = z.record(z.string(), z.string());

/** Adds `defaults` for missing fields. */
const completedBy =
  (defaults: object) =>
  (record: unknown): unknown =>
    typeof record === 'object' && record !== null ? { ...defaults, ...record } : record;

export const storedTemplate: z.ZodType<EngineTemplate> = z.preprocess(
  completedBy(templateDefaults),
  z.looseObject({
    id: z.string(),
    name: z.string(),
    imageName: z.string(),
    category: z.enum(['NVIDIA', 'AMD', 'CPU']),
    containerDiskInGb: z.number(),
    containerRegistryAuthId: z.string(),
    dockerEntrypoint: texts,
    dockerStartCmd: texts,
    env: variables,
    isPublic: z.boolean(),
    isServerless: z.boolean(),
    ports: texts,
    readme: z.string(),
    volumeInGb: z.number(),
    volumeMountPath: z.string(),
    startSsh: z.boolean().exactOptional(),
    startJupyter: z.boolean().exactOptional(),
    allowedCudaVersions: z
      .array(cloudName<NonNullable<EngineTemplate['allowedCudaVersions']>[number]>())
      .exactOptional(),
    boundEndpointId: z.string().exactOptional(),
  }),
);

export const storedEndpoint: z.ZodType<EngineEndpoint> = z.preprocess(
  completedBy({ ...endpointDefaults, version: 0 }),
  z.looseObject({
    id: z.string(),
    templateId: z.string(),
    createdAt: z.string(),
    version: z.number(),
    name: z.string(),
    computeType: z.enum(computeTypes),
    gpuTypeIds: texts,
    gpuCount: z.number(),
    networkVolumeIds: texts,
    type: z.enum(endpointTypes),
    scalerType: z.enum(scalerTypes),
    scalerValue: z.number(),
    idleTimeout: z.number(),
    executionTimeoutMs: z.number(),
    workersMin: z.number(),
    workersMax: z.number(),
    cpuFlavorIds: z.array(cloudName<EngineEndpoint['cpuFlavorIds'][number]>()),
    vcpuCount: z.number(),
    memoryInGb: z.number(),
    allowedCudaVersions: z.array(cloudName<EngineEndpoint['allowedCudaVersions'][number]>()),
    dataCenterIds: z.array(cloudName<EngineEndpoint['dataCenterIds'][number]>()),
    flashboot: z.boolean(),
    minCudaVersion: cloudName<NonNullable<EngineEndpoint['minCudaVersion']>>().optional(),
  }),
);

export const storedVolume: z.ZodType<StoredVolume> = z.looseObject({
  id: z.string(),
  name: z.string(),
  size: z.number(),
  dataCenterId: z.string(),
  folder: z.string(),
  isOpenedToAll: z.boolean().default(false),
});

const storedAutoStop = z.looseObject({
  rules: z.looseObject({ idleMinutes: z.number().nullable(), spendUsd: z.number().nullable() }),
  isWarned: z.boolean(),
  stopped: autoStoppedSchema.nullable(),
});

/** The fields that later versions have added to Pods. */
const podDefaults: Partial<PodRecord> = {
  env: {},
  networkVolumeId: '',
  containerRegistryAuthId: '',
  vcpuCount: 0,
  memoryInGb: 0,
  interruptible: false,
  locked: false,
  gpuUuids: [],
  gpuTypeId: '',
  stopAfter: null,
  terminateAfter: null,
  dockerArgs: '',
  ineffectiveFields: [],
};

export const storedPod: z.ZodType<PodRecord> = z.preprocess(
  completedBy(podDefaults),
  z.looseObject({
    id: z.string(),
    name: z.string(),
    templateId: z.string(),
    imageName: z.string(),
    env: variables,
    ports: texts,
    dockerEntrypoint: texts,
    dockerStartCmd: texts,
    containerDiskInGb: z.number(),
    volumeInGb: z.number(),
    volumeMountPath: z.string(),
    networkVolumeId: z.string(),
    containerRegistryAuthId: z.string(),
    computeType: z.enum(computeTypes),
    gpuTypeIds: texts,
    gpuCount: z.number(),
    vcpuCount: z.number(),
    memoryInGb: z.number(),
    cloud: podCloudSchema.loose().exactOptional(),
    interruptible: z.boolean(),
    locked: z.boolean(),
    desiredStatus: z.enum(desiredStatuses),
    createdAt: z.number(),
    lastStartedAt: z.number(),
    lastStatusChange: z.string(),
    gpuUuids: texts,
    gpuTypeId: z.string(),
    costPerHr: z.number(),
    stopAfter: z.number().nullable(),
    terminateAfter: z.number().nullable(),
    runsSince: z.number().nullable().exactOptional(),
    spent: z.object({ usd: z.number(), until: z.number() }).nullable().exactOptional(),
    autoStop: storedAutoStop.exactOptional(),
    dockerArgs: z.string(),
    ineffectiveFields: texts,
    terminatedAt: z.number().exactOptional(),
    containerGone: z.boolean().exactOptional(),
  }),
);

export const storedRegistryAuth: z.ZodType<RegistryAuth> = z.looseObject({ id: z.string(), name: z.string() });

export const storedCredentials = z.looseObject({ username: z.string(), password: z.string() });

export const storedApiKey: z.ZodType<ApiKeyRecord> = apiKeySchema.loose();

export const storedSecret: z.ZodType<Secret> = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  createdAt: z.string(),
});

export const storedEnv = variables;

export const storedAccount = z.looseObject({ pubKey: z.string() });

export const storedAttempts: z.ZodType<WebhookAttempt[]> = z.array(
  z.object({ at: z.number(), tookMs: z.number(), status: z.number().nullable(), error: z.string().nullable() }),
);
