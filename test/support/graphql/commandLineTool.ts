/** Operations that runpodctl sends. */
import { endpointInput, podInput, templateInput } from './toolInputs.ts';
import type { ToolOperation } from './toolOperations.ts';

export const commandLineTool: readonly ToolOperation[] = [
  [
    'runpodctl',
    `query LowestPrice($input: GpuLowestPriceInput!) { gpuTypes { lowestPrice(input: $input) { gpuName gpuTypeId
    minimumBidPrice uninterruptablePrice minMemory minVcpu } } }`,
    { input: { gpuCount: 1, minMemoryInGb: 1, minVcpuCount: 1, secureCloud: true, totalDisk: 10 } },
  ],
  [
    'runpodctl',
    `mutation saveTemplate($input: SaveTemplateInput) { saveTemplate(input: $input) { advancedStart containerDiskInGb
    dockerArgs env { key value } id imageName name ports readme startJupyter startScript startSsh volumeInGb
    volumeMountPath } }`,
    { input: templateInput },
  ],
  [
    'runpodctl',
    `mutation saveEndpoint($input: EndpointInput!) { saveEndpoint(input: $input) { gpuIds id idleTimeout locations name
    networkVolumeId scalerType scalerValue templateId userId workersMax workersMin } }`,
    { input: endpointInput },
  ],
  [
    'runpodctl',
    `mutation Mutation($input: UpdateEndpointTemplateInput) { updateEndpointTemplate(input: $input) { id templateId } }`,
    { input: { endpointId: 'none', templateId: 'none' } },
  ],
  [
    'runpodctl',
    `query Query { myself { endpoints { aiKey gpuIds id idleTimeout name networkVolumeId locations scalerType scalerValue
    templateId type userId version workersMax workersMin workersStandby gpuCount env { key value } createdAt networkVolume
    { id dataCenterId } } } }`,
  ],
  [
    'runpodctl',
    `mutation addModelToRepo($input: AddModelToRepoInput!) { addModelToRepo(input: $input) { success message model { id
    owner name provider status createdAt updatedAt users { userId credentialType credentialReference status updatedAt }
    versions { hash status metadata createdAt updatedAt } } } }`,
    { input: { name: 'model', owner: 'me', metadata: { a: 1 } } },
  ],
  [
    'runpodctl',
    `query myModels { myModels { id owner provider name status createdAt updatedAt users { userId credentialType
    credentialReference status updatedAt } versions { uuid hash status metadata createdAt updatedAt } } }`,
  ],
  [
    'runpodctl',
    `query myModel($owner: String!, $name: String!) { myModel(owner: $owner, name: $name) { id owner name provider status
    createdAt updatedAt users { userId credentialType credentialReference status updatedAt } versions { uuid hash status
    metadata createdAt updatedAt } } }`,
    { owner: 'none', name: 'none' },
  ],
  [
    'runpodctl',
    `mutation removeModelFromRepo($input: RemoveModelFromRepoInput!) { removeModelFromRepo(input: $input) { success message
    model { id owner name provider status createdAt updatedAt users { userId credentialType credentialReference status
    updatedAt } versions { hash status metadata createdAt updatedAt } } } }`,
    { input: { owner: 'me', name: 'model' } },
  ],
  [
    'runpodctl',
    `mutation createModelRepoUpload($input: CreateModelRepoUploadInput!) { createModelRepoUpload(input: $input) { success
    message upload { sessionId status uploadId bucket key keyPrefix partSizeBytes partCount expiresInSeconds parts {
    partNumber url expiresAt } completeUrl abortUrl } model { id owner name provider status updatedAt } version { uuid hash
    status metadata createdAt updatedAt } } }`,
    { input: { name: 'model', fileName: 'file', fileSizeBytes: '1', metadata: {} } },
  ],
  [
    'runpodctl',
    `mutation completeModelRepoUpload($input: CompleteModelRepoUploadInput!) { completeModelRepoUpload(input: $input) {
    success message sessionId status } }`,
    { input: { sessionId: 'none' } },
  ],
  [
    'runpodctl',
    `mutation updateModelVersionStatus($uuid: ID, $hash: ID, $status: ModelVersionStatus!) { updateModelVersionStatus(uuid:
    $uuid, hash: $hash, status: $status) { success message modelVersion { uuid hash status metadata createdAt updatedAt } }
    }`,
    { uuid: 'none', hash: 'none', status: 'READY' },
  ],
  [
    'runpodctl',
    `query myPods { myself { pods { id containerDiskInGb costPerHr desiredStatus dockerArgs dockerId env gpuCount imageName
    lastStatusChange machineId memoryInGb name podType port ports uptimeSeconds vcpuCount volumeInGb volumeMountPath
    machine { gpuDisplayName location } runtime { ports { ip isIpPublic privatePort publicPort PortType: type } } } } }`,
  ],
  [
    'runpodctl',
    `mutation createPod($input: PodFindAndDeployOnDemandInput!) { podFindAndDeployOnDemand(input: $input) { id costPerHr
    desiredStatus lastStatusChange } }`,
    { input: podInput },
  ],
  [
    'runpodctl',
    `mutation stopPod($podId: String!) { podStop(input: {podId: $podId}) { id desiredStatus lastStatusChange } }`,
    { podId: 'none' },
  ],
  ['runpodctl', `mutation terminatePod($podId: String!) { podTerminate(input: {podId: $podId}) }`, { podId: 'none' }],
  [
    'runpodctl',
    `mutation podResume($podId: String!) { podResume(input: {podId: $podId}) { id costPerHr desiredStatus lastStatusChange }
    }`,
    { podId: 'none' },
  ],
  [
    'runpodctl',
    `mutation Mutation($podId: String!, $bidPerGpu: Float!, $gpuCount: Int!) { podBidResume(input: {podId: $podId,
    bidPerGpu: $bidPerGpu, gpuCount: $gpuCount}) { id costPerHr desiredStatus lastStatusChange } }`,
    { podId: 'none', bidPerGpu: 0.3, gpuCount: 1 },
  ],
  ['runpodctl', `query myself { myself { id pubKey } }`],
  [
    'runpodctl',
    `mutation Mutation($input: UpdateUserSettingsInput) { updateUserSettings(input: $input) { id } }`,
    { input: { pubKey: '' } },
  ],
  ['runpodctl', `query getNetworkVolumes { myself { networkVolumes { dataCenterId id name size } } }`],
  [
    'runpodctl',
    `mutation SaveEndpoint($input: EndpointInput!) { saveEndpoint(input: $input) { id name templateId gpuIds gpuCount
    instanceIds workersMin workersMax locations networkVolumeId networkVolumeIds { networkVolumeId } idleTimeout scalerType
    scalerValue executionTimeoutMs minCudaVersion flashBootType modelReferences } }`,
    { input: endpointInput },
  ],
  [
    'runpodctl',
    `mutation SaveEndpoint($input: EndpointInput!) { saveEndpoint(input: $input) { id name templateId gpuIds instanceIds
    computeType networkVolumeId networkVolumeIds { networkVolumeId dataCenterId } locations idleTimeout scalerType
    scalerValue workersMin workersMax gpuCount minCudaVersion executionTimeoutMs flashBootType modelReferences } }`,
    { input: endpointInput },
  ],
  ['runpodctl', `{ gpuTypes { id displayName memoryInGb secureCloud communityCloud } }`],
  ['runpodctl', `{ serverlessGpuPools { id gpuTypeIds } }`],
  ['runpodctl', `{ dataCenters { id name location gpuAvailability { gpuTypeId displayName stockStatus } } }`],
  [
    'runpodctl',
    `{ myself { id email clientBalance currentSpendPerHr spendLimit notifyPodsStale notifyPodsGeneral notifyLowBalance } }`,
  ],
  [
    'runpodctl',
    `mutation createPod($input: PodFindAndDeployOnDemandInput!) { podFindAndDeployOnDemand(input: $input) { id name
    imageName desiredStatus costPerHr containerDiskInGb volumeInGb volumeMountPath gpuCount memoryInGb vcpuCount ports
    lastStatusChange env machine { gpuDisplayName location } } }`,
    { input: podInput },
  ],
  [
    'runpodctl',
    `query myPods { myself { pods { id containerDiskInGb costPerHr desiredStatus lastStatusChange uptimeSeconds dockerArgs
    env gpuCount imageName memoryInGb name podType ports vcpuCount volumeInGb volumeMountPath machine { gpuDisplayName
    location } runtime { ports { ip isIpPublic privatePort publicPort type } } } } }`,
  ],
  [
    'runpodctl',
    `query Listings($input: ListingsInput!) { listings(input: $input) { id title repoName repoOwner description category
    type tags stars views deploys language createdAt updatedAt } }`,
    {
      input: {
        searchQuery: 'vllm',
        limit: 10,
        offset: 1,
        orderBy: 'stars',
        orderDirection: 'desc',
        owner: 'me',
        category: 'ai',
      },
    },
  ],
  [
    'runpodctl',
    `query GetListing($id: String!) { listing(id: $id) { id title repoName repoOwner repoOwnerAvatarUrl description category
    type tags stars views deploys openIssues watchers language createdAt updatedAt listedRelease { id name tagName body
    readme branch license config deploys iconUrl authorName createdAt releasedAt updatedAt build { imageName } tests } } }`,
    { id: 'none' },
  ],
  [
    'runpodctl',
    `query GetListingFromRepo($repoOwner: String!, $repoName: String!) { listingFromRepo(repoOwner: $repoOwner, repoName:
    $repoName) { id title repoName repoOwner repoOwnerAvatarUrl description category type tags stars views deploys
    openIssues watchers language createdAt updatedAt listedRelease { id name tagName body readme branch license config
    deploys iconUrl authorName createdAt releasedAt updatedAt build { imageName } tests } } }`,
    { repoOwner: 'none', repoName: 'none' },
  ],
  [
    'runpodctl',
    `mutation UpdateTemplatePortLabels($input: SaveTemplateInput) { saveTemplate(input: $input) { id } }`,
    { input: templateInput },
  ],
  [
    'runpodctl',
    `query GetTemplateForPortLabels { myself { podTemplates { id name imageName dockerArgs env { key value } ports
    volumeMountPath volumeInGb containerDiskInGb containerRegistryAuthId startJupyter startSsh startScript isServerless
    isPublic readme advancedStart category } } }`,
  ],
  [
    'runpodctl',
    `query PodTemplates($input: PodTemplateInput) { podTemplates(input: $input) { id name imageName isServerless isPublic
    isRunpod category containerDiskInGb volumeInGb volumeMountPath } }`,
    { input: { isRunpod: false } },
  ],
  [
    'runpodctl',
    `query GetTemplate($id: String!) { podTemplate(id: $id) { id name imageName isServerless isPublic isRunpod category
    ports portsConfig { port name } env { key value } containerDiskInGb containerRegistryAuthId volumeInGb volumeMountPath
    readme } }`,
    { id: 'none' },
  ],
];
