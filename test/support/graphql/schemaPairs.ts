/** Each type of the GraphQL API that has a schema of the contract beside it, and what differs between the two. */
import type * as z from 'zod';
import { gpuTypeSchema, lowestPriceSchema } from '#contract/api/gpuType.ts';
import { podDeploySchema, podMachineSchema, podRuntimeSchema, podSchema, podUpdateSchema } from '#contract/api/pod.ts';
import { endpointAnswerSchema, templateAnswerSchema } from '#contract/api/resourceAnswers.ts';
import {
  endpointCreateSchema,
  registryAuthCreateSchema,
  registryAuthSchema,
  templateCreateSchema,
  volumeCreateSchema,
  volumeSchema,
  volumeUpdateSchema,
} from '#contract/api/resources.ts';

export interface Pair {
  type: string;
  contract: z.ZodType;
  /** Fields of the contract that GraphQL has under another name, or writes in another way, as `name: how`. */
  otherwise?: Record<string, string>;
  /** Fields of the contract that GraphQL has not. */
  without?: readonly string[];
  /** Fields that only GraphQL has. */
  own?: readonly string[];
}

export const pairs: Record<string, Pair> = {
  Pod: {
    type: 'Pod',
    contract: podSchema,
    otherwise: {
      dockerStartCmd: 'dockerArgs: one line',
      endpointId: 'aiApiId',
      env: 'env: KEY=VALUE',
      gpu: 'machine.gpuType',
      image: 'imageName',
      interruptible: 'podType',
      ports: 'ports: one line',
      portMappings: 'runtime.ports',
      publicIp: 'runtime.ports',
    },
    without: ['dockerEntrypoint', 'savingsPlans', 'template'],
    own: [
      ...['apiKey', 'clusterIp', 'costMultiplier', 'cpuFlavor', 'dockerArgs', 'dockerId'],
      ...['endpoint', 'globalNetwork', 'gpuPowerLimitPercent', 'gpus', 'latestTelemetry', 'lowestBidPriceToResume'],
      ...['machineType', 'podType', 'port', 'runtime', 'uptimeSeconds', 'version', 'volumeKey'],
    ],
  },
  'the machine of a Pod': {
    type: 'PodMachineInfo',
    contract: podMachineSchema,
    otherwise: { diskThroughputMBps: 'diskMBps' },
    own: [
      ...['id', 'diskMBps', 'listed', 'machineSystem', 'machineType', 'memoryReserved', 'memoryTotal', 'podHostId'],
      ...['runpodIp', 'vcpuReserved', 'vcpuTotal'],
    ],
  },
  'the runtime of a Pod': { type: 'PodRuntime', contract: podRuntimeSchema },
  'a GPU type': {
    type: 'GpuType',
    contract: gpuTypeSchema,
    own: [
      ...['communitySpotPrice', 'lowestPrice', 'maxGpuCountCommunityCloud', 'maxGpuCountSecureCloud', 'minPodGpuCount'],
      ...['oneMonthPrice', 'oneWeekPrice', 'secureSpotPrice', 'sixMonthPrice', 'threeMonthPrice'],
      ...['clusterPrice', 'nodeGroupDatacenters', 'nodeGroupGpuSizes', 'throughput'],
    ],
  },
  'the lowest price': {
    type: 'LowestPrice',
    contract: lowestPriceSchema,
    own: [
      ...['compliance', 'countryCode', 'minDisk', 'minDownload', 'minUpload', 'rentalPercentage', 'supportPublicIp'],
    ],
  },
  'a template': {
    type: 'PodTemplate',
    contract: templateAnswerSchema,
    otherwise: { dockerStartCmd: 'dockerArgs: one line', env: 'env: pairs', ports: 'ports: one line' },
    without: ['dockerEntrypoint'],
    own: [
      ...['advancedStart', 'boundEndpointId', 'dockerArgs', 'portsConfig'],
      ...['startJupyter', 'startScript', 'startSsh'],
    ],
  },
  'an endpoint': {
    type: 'Endpoint',
    contract: endpointAnswerSchema,
    otherwise: {
      allowedCudaVersions: 'allowedCudaVersions: one line',
      cpuFlavorIds: 'instanceIds',
      dataCenterIds: 'locations: one line',
      env: 'env: pairs',
      flashboot: 'flashBootType',
      gpuTypeIds: 'gpuIds: one line',
      networkVolumeIds: 'networkVolumeIds: objects',
      memoryInGb: 'instanceIds',
      vcpuCount: 'instanceIds',
    },
    without: ['workers'],
    own: [
      ...['aiKey', 'flashBootType', 'gpuIds', 'locations', 'modelReferences', 'networkVolume', 'pods', 'workerState'],
      ...['workersStandby', 'workersPFBTarget', 'idePodId', 'activeBuildid', 'flashEnvironmentId'],
    ],
  },
  'a network volume': { type: 'NetworkVolume', contract: volumeSchema, own: ['dataCenter', 'flashEnvironmentId'] },
  'a registry auth': {
    type: 'ContainerRegistryAuth',
    contract: registryAuthSchema,
    own: ['registryAuth', 'userId'],
  },
  'a new Pod': {
    type: 'PodFindAndDeployOnDemandInput',
    contract: podDeploySchema,
    otherwise: {
      countryCodes: 'countryCode',
      dataCenterIds: 'dataCenterId',
      dockerStartCmd: 'dockerArgs: one line',
      env: 'env: pairs',
      globalNetworking: 'globalNetwork',
      gpuTypeIds: 'gpuTypeId and gpuTypeIdList',
      interruptible: 'podRentInterruptable',
      minDownloadMbps: 'minDownload',
      minRAMPerGPU: 'minMemoryInGb',
      minUploadMbps: 'minUpload',
      minVCPUPerGPU: 'minVcpuCount',
      ports: 'ports: one line',
      memoryInGb: 'instanceId of deployCpuPod',
      vcpuCount: 'instanceId of deployCpuPod',
    },
    without: [
      ...['cpuFlavorIds', 'cpuFlavorPriority', 'dataCenterPriority', 'dockerEntrypoint', 'gpuTypePriority', 'locked'],
      'minDiskBandwidthMBps',
    ],
    own: [
      ...['aiApiId', 'compliance', 'countryCode', 'cudaVersion', 'dataCenterId', 'deployCost', 'dockerArgs'],
      ...['globalNetwork', 'gpuTypeId', 'gpuTypeIdList', 'instanceIds', 'minCudaVersion', 'minDisk', 'minDownload'],
      ...['minMemoryInGb', 'minUpload', 'minVcpuCount', 'port', 'savingsPlan', 'startJupyter', 'startSsh'],
      ...['stopAfter', 'terminateAfter', 'volumeKey'],
    ],
  },
  'a change of a Pod': {
    type: 'PodEditJobInput',
    contract: podUpdateSchema,
    otherwise: { dockerStartCmd: 'dockerArgs: one line', env: 'env: pairs', ports: 'ports: one line' },
    without: ['dockerEntrypoint', 'globalNetworking', 'locked', 'name'],
    own: ['dockerArgs', 'podId', 'port'],
  },
  'a template to save': {
    type: 'SaveTemplateInput',
    contract: templateCreateSchema,
    otherwise: { dockerStartCmd: 'dockerArgs: one line', env: 'env: pairs', ports: 'ports: one line' },
    without: ['dockerEntrypoint'],
    own: [...['advancedStart', 'config', 'dockerArgs', 'id', 'portsConfig', 'startJupyter', 'startScript', 'startSsh']],
  },
  'an endpoint to save': {
    type: 'EndpointInput',
    contract: endpointCreateSchema,
    otherwise: {
      allowedCudaVersions: 'allowedCudaVersions: one line',
      computeType: 'instanceIds',
      cpuFlavorIds: 'instanceIds',
      dataCenterIds: 'locations: one line',
      flashboot: 'flashBootType',
      gpuTypeIds: 'gpuIds: one line',
      networkVolumeIds: 'networkVolumeIds: objects',
      memoryInGb: 'instanceIds',
      vcpuCount: 'instanceIds',
    },
    own: [
      ...['flashBootType', 'gpuIds', 'id', 'instanceIds', 'locations', 'template', 'hubReleaseId', 'modelReferences'],
      ...['workersPFBTarget', 'flashEnvironmentId'],
    ],
  },
  'a new network volume': { type: 'CreateNetworkVolumeInput', contract: volumeCreateSchema },
  'a change of a network volume': { type: 'UpdateNetworkVolumeInput', contract: volumeUpdateSchema, own: ['id'] },
  'a new registry auth': { type: 'SaveRegistryAuthInput', contract: registryAuthCreateSchema },
};
