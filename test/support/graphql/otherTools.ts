/** Operations that dstack, SkyPilot and gpuhunt send, and those of the official documentation. */
import type { ToolOperation } from './toolOperations.ts';

export const otherTools: readonly ToolOperation[] = [
  ['dstack', `query myself { myself { id authId email } }`],
  [
    'dstack',
    `mutation { podEditJob( input: {podId: "none", imageName: "image", containerDiskInGb: 10, containerRegistryAuthId:
    "none", volumeInGb: 20} ) { id } }`,
  ],
  ['dstack', `query myself { myself { containerRegistryCreds { id name } } }`],
  ['dstack', `query getMyVolumes { myself { networkVolumes { id name size dataCenter { id name } } } }`],
  ['dstack', `mutation { saveRegistryAuth(input: {name: "auth", username: "me", password: "word"}) { id } }`],
  ['dstack', `mutation { deleteRegistryAuth(registryAuthId: "none") }`],
  ['dstack', `mutation { createNetworkVolume(input: {name: "volume", size: 10, dataCenterId: "EU-RO-1"}) { id } }`],
  ['dstack', `mutation { deleteNetworkVolume(input: {id: "none"}) }`],
  [
    'dstack',
    `query pod { pod(input: {podId: "none"}) { id clusterIp containerDiskInGb costPerHr desiredStatus dockerArgs dockerId
    env gpuCount imageName lastStatusChange machineId memoryInGb name podType port ports uptimeSeconds vcpuCount volumeInGb
    volumeMountPath runtime { ports { ip isIpPublic privatePort publicPort type } } machine { gpuDisplayName } } }`,
  ],
  [
    'dstack',
    `mutation { podFindAndDeployOnDemand( input: {name: "pod", imageName: "image", gpuTypeId: "NVIDIA A40", cloudType:
    SECURE, minCudaVersion: "12.8", startSsh: true, supportPublicIp: true, dataCenterId: "EU-RO-1", countryCode: "US",
    gpuCount: 1, volumeInGb: 0, containerDiskInGb: 10, minVcpuCount: 1, minMemoryInGb: 1, dockerArgs: "", ports: "22/tcp",
    volumeMountPath: "/workspace", env: [{key: "A", value: "b"}], templateId: "none", networkVolumeId: "none",
    allowedCudaVersions: ["12.8"], containerRegistryAuthId: "none"} ) { id lastStatusChange imageName machine { podHostId }
    } }`,
  ],
  [
    'dstack',
    `mutation { podRentInterruptable( input: {name: "pod", imageName: "image", gpuTypeId: "NVIDIA A40", cloudType: SECURE,
    minCudaVersion: "12.8", supportPublicIp: false, bidPerGpu: 0.3, containerRegistryAuthId: "none"} ) { id
    lastStatusChange imageName machine { podHostId } } }`,
  ],
  [
    'dstack',
    `mutation { createCluster( input: {clusterName: "cluster", gpuTypeId: "NVIDIA A40", podCount: 2, imageName: "image",
    type: TRAINING, gpuCountPerPod: 8, deployCost: 1.5, templateId: "none", networkVolumeId: "none", volumeInGb: 1,
    throughput: 1, allowedCudaVersions: ["12.8"], volumeKey: "key", dataCenterId: "EU-RO-1", startJupyter: true, startSsh:
    true, containerDiskInGb: 10, dockerArgs: "", env: [{key: "A", value: "b"}], volumeMountPath: "/data", ports: "22/tcp",
    minCudaVersion: "12.8"} ) { id name pods { id clusterIp lastStatusChange imageName machine { podHostId } } } }`,
  ],
  ['dstack', `mutation { deleteCluster(input: {id: "none"}) }`],
  [
    'SkyPilot',
    `query myPods { myself { pods { id containerDiskInGb containerRegistryAuthId costPerHr desiredStatus dockerArgs dockerId
    env gpuCount imageName lastStatusChange machineId memoryInGb name podType port ports uptimeSeconds vcpuCount volumeInGb
    volumeMountPath runtime { ports { ip isIpPublic privatePort publicPort type } } machine { gpuDisplayName } } } }`,
  ],
  ['SkyPilot', `query myself { myself { podTemplates { name containerRegistryAuthId } } }`],
  ['SkyPilot', `query Pods { myself { pods { id name networkVolumeId } } }`],
  [
    'SkyPilot',
    `query GpuTypes { gpuTypes(input: {id: "1"}) { maxGpuCount id displayName manufacturer memoryInGb cudaCores secureCloud
    communityCloud securePrice communityPrice oneMonthPrice threeMonthPrice oneWeekPrice communitySpotPrice secureSpotPrice
    lowestPrice(input: {gpuCount: 1}) { minimumBidPrice uninterruptablePrice minVcpu minMemory stockStatus compliance
    maxUnreservedGpuCount availableGpuCounts } } }`,
  ],
  [
    'SkyPilot',
    `query SecureCpuTypes { cpuFlavors(input: {id: "1"}) { id groupId displayName minVcpu maxVcpu vcpuBurstable
    ramMultiplier diskLimitPerVcpu } }`,
  ],
  [
    'SkyPilot',
    `query SecureCpuTypes { cpuFlavors(input: {id: "1"}) { id groupId displayName specifics(input: {instanceId: "1",
    dataCenterId: "1"}) { stockStatus securePrice slsPrice } } }`,
  ],
  ['gpuhunt', `query CpuDataCenters { dataCenters { id listed } }`],
  [
    'gpuhunt',
    `query CpuFlavors($dataCenterId: String!) { cpuFlavors { id displayName groupId minVcpu maxVcpu ramMultiplier
    diskLimitPerVcpu specifics(input: {dataCenterId: $dataCenterId}) { stockStatus securePrice } } }`,
    { dataCenterId: 'none' },
  ],
  [
    'gpuhunt',
    `query GpuTypes { countryCodes dataCenters { id name listed __typename } gpuTypes { maxGpuCountCommunityCloud
    maxGpuCountSecureCloud minPodGpuCount id displayName memoryInGb secureCloud communityCloud __typename } }`,
  ],
  [
    'gpuhunt',
    `query GpuTypes($lowestPriceInput: GpuLowestPriceInput, $gpuTypesInput: GpuTypeFilter) { gpuTypes(input: $gpuTypesInput)
    { lowestPrice(input: $lowestPriceInput) { minimumBidPrice uninterruptablePrice minVcpu minMemory stockStatus compliance
    countryCode __typename } maxGpuCountCommunityCloud maxGpuCountSecureCloud id nodeGroupDatacenters { id } clusterPrice
    displayName memoryInGb securePrice communityPrice oneMonthPrice threeMonthPrice sixMonthPrice __typename } }`,
    {
      lowestPriceInput: {
        secureCloud: true,
        dataCenterId: 'EU-RO-1',
        gpuCount: 1,
        minDisk: null,
        minMemoryInGb: null,
        minVcpuCount: null,
        minCudaVersion: '12.8',
      },
      gpuTypesInput: { cluster: true },
    },
  ],
  ['documentation', `{ myself { id email } }`],
  [
    'documentation',
    `mutation { saveEndpoint( input: {gpuIds: "AMPERE_16", idleTimeout: 5, locations: "US", name: "My Endpoint",
    flashBootType: FLASHBOOT, scalerType: "QUEUE_DELAY", scalerValue: 4, templateId: "none", workersMax: 3, workersMin: 0}
    ) { id name gpuIds idleTimeout locations flashBootType scalerType scalerValue templateId workersMax workersMin } }`,
  ],
  [
    'documentation',
    `mutation { saveEndpoint( input: {id: "none", gpuIds: "AMPERE_16", name: "My Endpoint", templateId: "none", workersMax:
    5} ) { id gpuIds name templateId workersMax } }`,
  ],
  [
    'documentation',
    `{ myself { endpoints { id name gpuIds idleTimeout locations networkVolumeId scalerType scalerValue templateId
    workersMax workersMin pods { desiredStatus } } serverlessDiscount { discountFactor type expirationDate } } }`,
  ],
  ['documentation', `mutation { deleteEndpoint(id: "none") }`],
  [
    'documentation',
    `mutation { saveTemplate( input: {containerDiskInGb: 5, dockerArgs: "sleep infinity", env: [{key: "key1", value:
    "value1"}, {key: "key2", value: "value2"}], imageName: "ubuntu:latest", name: "My GPU Template", ports:
    "8888/http,22/tcp", readme: "## Hello, World!", volumeInGb: 15, volumeMountPath: "/workspace"} ) { id name imageName
    containerDiskInGb volumeInGb dockerArgs ports env { key value } } }`,
  ],
  [
    'documentation',
    `mutation { saveTemplate( input: {containerDiskInGb: 5, dockerArgs: "python handler.py", env: [{key: "key1", value:
    "value1"}], imageName: "runpod/serverless-hello-world:latest", isServerless: true, name: "My Serverless Template",
    volumeInGb: 0} ) { id name imageName isServerless containerDiskInGb dockerArgs env { key value } } }`,
  ],
  [
    'documentation',
    `mutation { saveTemplate( input: {containerDiskInGb: 5, imageName: "myregistry.io/private-image:latest",
    containerRegistryAuthId: "none", name: "Private Image Template", volumeInGb: 10} ) { id name } }`,
  ],
  [
    'documentation',
    `mutation { saveTemplate( input: {id: "none", containerDiskInGb: 10, imageName: "ubuntu:latest", name: "My GPU Template", volumeInGb: 20, readme: "## Updated readme"} ) { id containerDiskInGb volumeInGb readme } }`,
  ],
  ['documentation', `mutation { deleteTemplate(templateName: "My GPU Template") }`],
  [
    'documentation',
    `mutation { secretCreate(input: {value: "my-secret-value", name: "my-secret"}) { id name description } }`,
  ],
  ['documentation', `mutation { secretDelete(id: "none") }`],
  [
    'documentation',
    `mutation { podFindAndDeployOnDemand( input: {cloudType: ALL, gpuCount: 1, volumeInGb: 40, containerDiskInGb: 40,
    minVcpuCount: 2, minMemoryInGb: 15, gpuTypeId: "NVIDIA RTX A6000", name: "Runpod Tensorflow", imageName:
    "runpod/tensorflow", dockerArgs: "", ports: "8888/http", volumeMountPath: "/workspace", env: [{key: "JUPYTER_PASSWORD",
    value: "your-password"}]} ) { id imageName env machineId machine { podHostId } } }`,
  ],
  [
    'documentation',
    `mutation { podFindAndDeployOnDemand( input: {cloudType: ALL, gpuCount: 1, volumeInGb: 40, containerDiskInGb: 40,
    gpuTypeId: "NVIDIA RTX A6000", name: "Runpod Pytorch", imageName: "runpod/pytorch", allowedCudaVersions: ["12.0",
    "12.1", "12.2", "12.3"]} ) { id imageName machineId } }`,
  ],
  ['documentation', `mutation { podResume(input: {podId: "none", gpuCount: 1}) { id desiredStatus imageName } }`],
  [
    'documentation',
    `mutation { podResume( input: {podId: "none", gpuCount: 1, allowedCudaVersions: ["12.0", "12.1", "12.2", "12.3"]} ) { id
    desiredStatus } }`,
  ],
  [
    'documentation',
    `{ myself { pods { id name runtime { uptimeInSeconds ports { ip isIpPublic privatePort publicPort type } gpus { id
    gpuUtilPercent memoryUtilPercent } container { cpuPercent memoryPercent } } } } }`,
  ],
  [
    'documentation',
    `{ pod(input: {podId: "none"}) { id name runtime { uptimeInSeconds ports { ip isIpPublic privatePort publicPort type }
    gpus { id gpuUtilPercent memoryUtilPercent } container { cpuPercent memoryPercent } } } }`,
  ],
  ['documentation', `{ gpuTypes { id displayName memoryInGb } }`],
  [
    'documentation',
    `{ gpuTypes(input: {id: "NVIDIA GeForce RTX 3090"}) { id displayName memoryInGb secureCloud communityCloud
    lowestPrice(input: {gpuCount: 1}) { uninterruptablePrice } } }`,
  ],
  [
    'documentation',
    `{ gpuTypes(input: {id: "NVIDIA RTX A4000"}) { id displayName lowestPrice(input: {gpuCount: 1, secureCloud: true}) {
    stockStatus uninterruptablePrice availableGpuCounts } } }`,
  ],
];
