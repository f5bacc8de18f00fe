/** Operations that the Python SDK and the Flash SDK send. */
import { flashEndpointInput, templateInput } from './toolInputs.ts';
import type { ToolOperation } from './toolOperations.ts';

export const sdks: readonly ToolOperation[] = [
  [
    'Python SDK',
    `query myPods { myself { pods { id containerDiskInGb costPerHr desiredStatus dockerArgs dockerId env gpuCount imageName
    lastStatusChange machineId memoryInGb name podType port ports uptimeSeconds vcpuCount volumeInGb volumeMountPath
    runtime { ports { ip isIpPublic privatePort publicPort type } } machine { gpuDisplayName } } } }`,
  ],
  ['Python SDK', `query myself { myself { id pubKey networkVolumes { id name size dataCenterId } } }`],
  ['Python SDK', `query GpuTypes { gpuTypes { id displayName memoryInGb } }`],
  [
    'Python SDK',
    `query pod { pod(input: {podId: "none"}) { id containerDiskInGb costPerHr desiredStatus dockerArgs dockerId env gpuCount
    imageName lastStatusChange machineId memoryInGb name podType port ports uptimeSeconds vcpuCount volumeInGb
    volumeMountPath runtime { ports { ip isIpPublic privatePort publicPort type } } machine { gpuDisplayName } } }`,
  ],
  [
    'Python SDK',
    `query GpuTypes { gpuTypes(input: {id: "none"}) { maxGpuCount id displayName manufacturer memoryInGb cudaCores
    secureCloud communityCloud securePrice communityPrice oneMonthPrice threeMonthPrice oneWeekPrice communitySpotPrice
    secureSpotPrice lowestPrice(input: {gpuCount: 1}) { minimumBidPrice uninterruptablePrice } } }`,
  ],
  [
    'Python SDK',
    `mutation { deployCpuPod( input: {name: "none", imageName: "none", cloudType: ALL, startSsh: true, dataCenterId: null,
    templateId: "runpod-ubuntu"} ) { id imageName env machineId machine { podHostId } } }`,
  ],
  [
    'Python SDK',
    `mutation { podFindAndDeployOnDemand( input: {name: "none", imageName: "none", cloudType: ALL, startSsh: true,
    gpuTypeId: "none", supportPublicIp: true, gpuCount: 1, volumeInGb: 1, minVcpuCount: 1, minMemoryInGb: 1,
    allowedCudaVersions: ["12.4"], dataCenterId: "none", dockerArgs: "none", countryCode: "none", containerDiskInGb: 1,
    ports: "none", volumeMountPath: "none", env: [{key: "A", value: "b"}], templateId: "none", networkVolumeId: "none",
    minDownload: 1, minUpload: 1} ) { id imageName env machineId machine { podHostId } } }`,
  ],
  ['Python SDK', `mutation { podStop(input: {podId: "none"}) { id desiredStatus } }`],
  [
    'Python SDK',
    `mutation { podResume(input: {podId: "none", gpuCount: 1}) { id desiredStatus imageName env machineId machine {
    podHostId } } }`,
  ],
  ['Python SDK', `mutation { podTerminate(input: {podId: "none"}) }`],
  [
    'Python SDK',
    `mutation { saveEndpoint( input: {name: "none", templateId: "none", gpuIds: "AMPERE_16", networkVolumeId: "", locations:
    "", idleTimeout: 5, scalerType: "QUEUE_DELAY", scalerValue: 4, workersMin: 0, workersMax: 3} ) { id name templateId
    gpuIds networkVolumeId locations idleTimeout scalerType scalerValue workersMin workersMax allowedCudaVersions gpuCount
    flashBootType } }`,
  ],
  [
    'Python SDK',
    `mutation { saveEndpoint( input: {name: "none", templateId: "none", gpuIds: "AMPERE_16", networkVolumeId: "none",
    locations: "none", idleTimeout: 5, scalerType: "QUEUE_DELAY", scalerValue: 4, workersMin: 0, workersMax: 3,
    allowedCudaVersions: "12.4", gpuCount: 1} ) { id name templateId gpuIds networkVolumeId locations idleTimeout
    scalerType scalerValue workersMin workersMax allowedCudaVersions gpuCount flashBootType } }`,
  ],
  [
    'Python SDK',
    `mutation { saveTemplate( input: {name: "none", imageName: "none", dockerArgs: "", containerDiskInGb: 10, volumeInGb: 0,
    ports: "", env: [], isServerless: false, containerRegistryAuthId: "", startSsh: true, isPublic: false, readme: ""} ) {
    id name imageName dockerArgs containerDiskInGb volumeInGb volumeMountPath ports env { key value } isServerless } }`,
  ],
  [
    'Python SDK',
    `mutation { saveTemplate( input: {name: "none", imageName: "none", dockerArgs: "none", containerDiskInGb: 10,
    volumeInGb: 1, volumeMountPath: "none", ports: "none", env: [{key: "A", value: "b"}], isServerless: false,
    containerRegistryAuthId: "none", startSsh: true, isPublic: false, readme: ""} ) { id name imageName dockerArgs
    containerDiskInGb volumeInGb volumeMountPath ports env { key value } isServerless } }`,
  ],
  ['Python SDK', `mutation { updateUserSettings(input: {pubKey: "none"}) { id pubKey } }`],
  [
    'Flash SDK',
    `query getTemplate($id: String!) { podTemplate(id: $id) { id containerDiskInGb dockerArgs env { key value } imageName
    name readme } }`,
    { id: 'none' },
  ],
  [
    'Flash SDK',
    `mutation saveTemplate($input: SaveTemplateInput) { saveTemplate(input: $input) { id containerDiskInGb dockerArgs env {
    key value } imageName name readme } }`,
    { input: templateInput },
  ],
  [
    'Flash SDK',
    `mutation saveEndpoint($input: EndpointInput!) { saveEndpoint(input: $input) { aiKey gpuIds id idleTimeout locations
    name networkVolumeId networkVolumeIds { networkVolumeId dataCenterId } flashEnvironmentId scalerType scalerValue
    templateId type userId version workersMax workersMin workersStandby workersPFBTarget gpuCount allowedCudaVersions
    minCudaVersion executionTimeoutMs instanceIds activeBuildid idePodId flashBootType } }`,
    { input: flashEndpointInput },
  ],
  [
    'Flash SDK',
    `query ServerlessGpuTypes($lowestPriceInput: GpuLowestPriceInput, $gpuTypesInput: GpuTypeFilter) { gpuTypes(input:
    $gpuTypesInput) { lowestPrice(input: $lowestPriceInput) { stockStatus } } }`,
    {
      lowestPriceInput: {
        dataCenterId: null,
        gpuCount: 1,
        secureCloud: true,
        includeAiApi: true,
        allowedCudaVersions: [],
        compliance: [],
      },
      gpuTypesInput: { ids: ['NVIDIA A40'] },
    },
  ],
  [
    'Flash SDK',
    `query SecureCpuTypes($cpuFlavorInput: CpuFlavorInput, $specificsInput: SpecificsInput) { cpuFlavors(input:
    $cpuFlavorInput) { specifics(input: $specificsInput) { stockStatus } } }`,
    { cpuFlavorInput: { id: 'cpu3c' }, specificsInput: { dataCenterId: 'EU-RO-1', instanceId: 'cpu3c-2-4' } },
  ],
  ['Flash SDK', `mutation deleteEndpoint($id: String!) { deleteEndpoint(id: $id) }`, { id: 'none' }],
  [
    'Flash SDK',
    `query getFlashApps { myself { flashApps { id name flashEnvironments { id name state createdAt activeBuildId }
    flashBuilds { id createdAt } } } }`,
  ],
  [
    'Flash SDK',
    `mutation PrepareArtifactUpload($input: PrepareFlashArtifactUploadInput!) { prepareFlashArtifactUpload(input: $input) {
    uploadUrl objectKey expiresAt } }`,
    { input: { flashAppId: 'none', tarballSize: 5000000000 } },
  ],
  [
    'Flash SDK',
    `mutation FinalizeArtifactUpload($input: FinalizeFlashArtifactUploadInput!) { finalizeFlashArtifactUpload(input: $input)
    { id manifest } }`,
    { input: { flashAppId: 'none', objectKey: 'key', manifest: {} } },
  ],
  [
    'Flash SDK',
    `query getFlashApp($input: String!) { flashApp(flashAppId: $input) { id name flashEnvironments { id name state }
    flashBuilds { id objectKey createdAt } } }`,
    { input: 'none' },
  ],
  [
    'Flash SDK',
    `query getFlashAppByName($flashAppName: String!) { flashAppByName(flashAppName: $flashAppName) { id name
    flashEnvironments { id name state activeBuildId createdAt } flashBuilds { id objectKey createdAt } } }`,
    { flashAppName: 'none' },
  ],
  [
    'Flash SDK',
    `query getFlashEnvironment($flashEnvironmentId: String!) { flashEnvironment(flashEnvironmentId: $flashEnvironmentId) {
    id name state activeBuildId createdAt endpoints { id name } networkVolumes { id name } } }`,
    { flashEnvironmentId: 'none' },
  ],
  [
    'Flash SDK',
    `query getFlashEnvironmentByName($input: FlashEnvironmentByNameInput!) { flashEnvironmentByName(input: $input) { id name
    state activeBuildId endpoints { id name } networkVolumes { id name } } }`,
    { input: { flashAppId: 'none', name: 'env' } },
  ],
  [
    'Flash SDK',
    `mutation updateFlashBuildManifest($input: UpdateFlashBuildManifestInput!) { updateFlashBuildManifest(input: $input) {
    id manifest } }`,
    { input: { flashBuildId: 'none', manifest: { a: [1] } } },
  ],
  [
    'Flash SDK',
    `mutation deployBuildToEnvironment($input: DeployBuildToEnvironmentInput!) { deployBuildToEnvironment(input: $input) {
    id name activeArtifact { objectKey downloadUrl expiresAt } } }`,
    { input: { flashEnvironmentId: 'none', flashBuildId: 'none' } },
  ],
  [
    'Flash SDK',
    `mutation createFlashApp($input: CreateFlashAppInput!) { createFlashApp(input: $input) { id name } }`,
    { input: { name: 'app' } },
  ],
  [
    'Flash SDK',
    `mutation createFlashEnvironment($input: CreateFlashEnvironmentInput!) { createFlashEnvironment(input: $input) { id name
    } }`,
    { input: { flashAppId: 'none', name: 'env' } },
  ],
  [
    'Flash SDK',
    `query getFlashBuild($input: String!) { flashBuild(flashBuildId: $input) { id manifest } }`,
    { input: 'none' },
  ],
  [
    'Flash SDK',
    `query listFlashBuilds($flashAppId: String!) { flashApp(flashAppId: $flashAppId) { flashBuilds { id objectKey createdAt
    } } }`,
    { flashAppId: 'none' },
  ],
  [
    'Flash SDK',
    `query listFlashEnvironments($flashAppId: String!) { flashApp(flashAppId: $flashAppId) { flashEnvironments { id name
    state activeBuildId createdAt } } }`,
    { flashAppId: 'none' },
  ],
  [
    'Flash SDK',
    `mutation deleteFlashApp($flashAppId: String!) { deleteFlashApp(flashAppId: $flashAppId) }`,
    { flashAppId: 'none' },
  ],
  [
    'Flash SDK',
    `mutation deleteFlashEnvironment($flashEnvironmentId: String!) { deleteFlashEnvironment(flashEnvironmentId:
    $flashEnvironmentId) }`,
    { flashEnvironmentId: 'none' },
  ],
  ['Flash SDK', `query getEndpoint($id: String!) { myself { endpoint(id: $id) { id } } }`, { id: 'none' }],
  ['Flash SDK', `mutation createFlashAuthRequest { createFlashAuthRequest { id status expiresAt } }`],
  [
    'Flash SDK',
    `query flashAuthRequestStatus($flashAuthRequestId: String!) { flashAuthRequestStatus(flashAuthRequestId:
    $flashAuthRequestId) { id status expiresAt apiKey } }`,
    { flashAuthRequestId: 'none' },
  ],
  [
    'Flash SDK',
    `mutation saveEndpoint($input: EndpointInput!) { saveEndpoint(input: $input) { aiKey gpuIds id idleTimeout locations
    name networkVolumeId flashEnvironmentId scalerType scalerValue templateId type userId version workersMax workersMin
    workersStandby workersPFBTarget gpuCount allowedCudaVersions executionTimeoutMs instanceIds activeBuildid idePodId } }`,
    { input: flashEndpointInput },
  ],
  ['Flash SDK', `query getCpuTypes { cpuTypes { id displayName manufacturer cores threadsPerCore groupId } }`],
  [
    'Flash SDK',
    `query getGpuTypes($input: GpuTypeFilter) { gpuTypes(input: $input) { id displayName manufacturer memoryInGb cudaCores
    secureCloud communityCloud securePrice communityPrice communitySpotPrice secureSpotPrice maxGpuCount
    maxGpuCountCommunityCloud maxGpuCountSecureCloud minPodGpuCount nodeGroupGpuSizes throughput } }`,
    { input: { cluster: true } },
  ],
  [
    'Flash SDK',
    `mutation addEndpointToFlashEnvironment($input: AddEndpointToEnvironmentInput!) { addEndpointToFlashEnvironment(input:
    $input) { id name flashEnvironmentId } }`,
    { input: { flashEnvironmentId: 'none', endpointId: 'none' } },
  ],
  [
    'Flash SDK',
    `mutation addNetworkVolumeToFlashEnvironment($input: AddNetworkVolumeToEnvironmentInput!) {
    addNetworkVolumeToFlashEnvironment(input: $input) { id name flashEnvironmentId } }`,
    { input: { flashEnvironmentId: 'none', networkVolumeId: 'none' } },
  ],
  [
    'Flash SDK',
    `mutation updateFlashEnvironment($input: UpdateFlashEnvironmentInput!) { updateFlashEnvironment(input: $input) { id name
    state } }`,
    { input: { flashEnvironmentId: 'none', name: 'env' } },
  ],
  ['Flash SDK', `{ myself { endpoints { id } } }`],
];
