/** The GraphQL types of features that only the cloud has: its Hub, its models, Flash apps and clusters. */

export const hubTypes = /* GraphQL */ `
  type HubListing {
    id: String!
    title: String
    repoName: String
    repoOwner: String
    repoOwnerAvatarUrl: String
    description: String
    category: String
    type: String
    tags: [String!]
    stars: Int
    views: Int
    deploys: Int
    openIssues: Int
    watchers: Int
    language: String
    createdAt: DateTime
    updatedAt: DateTime
    listedRelease: HubRelease
  }
  type HubRelease {
    id: String!
    name: String
    tagName: String
    body: String
    readme: String
    branch: String
    license: String
    config: String
    deploys: Int
    iconUrl: String
    authorName: String
    createdAt: DateTime
    releasedAt: DateTime
    updatedAt: DateTime
    build: GitBuild
    tests: String
  }
  type GitBuild {
    imageName: String
  }
  input ListingsInput {
    searchQuery: String
    category: String
    limit: Int
    offset: Int
    orderBy: String
    orderDirection: String
    owner: String
  }
  extend type Query {
    "Empty here."
    listings(input: ListingsInput): [HubListing!]
    "Null here."
    listing(id: String): HubListing
    "Null here."
    listingFromRepo(repoOwner: String, repoName: String): HubListing
  }
`;

export const modelTypes = /* GraphQL */ `
  enum ModelVersionStatus {
    READY
    POD_REMOVED
  }
  type Model {
    id: String!
    owner: String
    name: String
    provider: String
    status: String
    createdAt: DateTime
    updatedAt: DateTime
    users: [ModelUser!]
    versions: [ModelVersion!]
  }
  type ModelUser {
    userId: String
    credentialType: String
    credentialReference: String
    status: String
    updatedAt: DateTime
  }
  type ModelVersion {
    uuid: String
    hash: String
    status: String
    metadata: JSON
    createdAt: DateTime
    updatedAt: DateTime
  }
  type ModelRepoUploadPart {
    partNumber: Int
    url: String
    expiresAt: DateTime
  }
  type ModelRepoUpload {
    sessionId: String
    status: String
    uploadId: String
    bucket: String
    key: String
    keyPrefix: String
    partSizeBytes: String
    partCount: Int
    expiresInSeconds: Int
    parts: [ModelRepoUploadPart!]
    completeUrl: String
    abortUrl: String
  }
  type ModelRepoResult {
    success: Boolean!
    message: String
    model: Model
    version: ModelVersion
    upload: ModelRepoUpload
  }
  type CompleteModelRepoUploadResult {
    success: Boolean!
    message: String
    sessionId: String
    status: String
  }
  type ModelVersionStatusResult {
    success: Boolean!
    message: String
    modelVersion: ModelVersion
  }
  input AddModelToRepoInput {
    owner: String
    name: String!
    provider: String
    credentialType: String
    credentialReference: String
    modelStatus: String
    metadata: JSON
  }
  input RemoveModelFromRepoInput {
    owner: String
    name: String
  }
  input CreateModelRepoUploadInput {
    owner: String
    name: String
    modelVersionUuid: String
    fileName: String
    fileSizeBytes: String
    partSizeBytes: String
    contentType: String
    metadata: JSON
    credentialType: String
    credentialReference: String
  }
  input CompletedModelRepoPartInput {
    partNumber: Int
    etag: String
  }
  input CompleteModelRepoUploadInput {
    sessionId: String
    uploadId: String
    key: String
    parts: [CompletedModelRepoPartInput!]
  }
  extend type Query {
    "Empty here."
    myModels: [Model!]
    "Null here."
    myModel(owner: String, name: String): Model
  }
  # This machine has no repository of models: none of these succeeds.
  extend type Mutation {
    addModelToRepo(input: AddModelToRepoInput!): ModelRepoResult
    removeModelFromRepo(input: RemoveModelFromRepoInput!): ModelRepoResult
    createModelRepoUpload(input: CreateModelRepoUploadInput!): ModelRepoResult
    completeModelRepoUpload(input: CompleteModelRepoUploadInput!): CompleteModelRepoUploadResult
    updateModelVersionStatus(uuid: ID, hash: ID, status: ModelVersionStatus!): ModelVersionStatusResult
  }
`;

export const flashTypes = /* GraphQL */ `
  type FlashApp {
    id: String!
    name: String
    flashEnvironments: [FlashEnvironment!]
    flashBuilds: [FlashBuild!]
  }
  type FlashEnvironment {
    id: String!
    name: String
    state: String
    activeBuildId: String
    activeArtifact: FlashArtifact
    createdAt: DateTime
    endpoints: [Endpoint!]
    networkVolumes: [NetworkVolume!]
  }
  type FlashBuild {
    id: String!
    objectKey: String
    manifest: JSON
    createdAt: DateTime
  }
  type FlashArtifact {
    objectKey: String
    uploadUrl: String
    downloadUrl: String
    expiresAt: DateTime
  }
  type FlashAuthRequest {
    id: String!
    status: String
    expiresAt: DateTime
    apiKey: String
  }
  input CreateFlashAppInput {
    name: String
  }
  input CreateFlashEnvironmentInput {
    flashAppId: String
    name: String
  }
  input UpdateFlashEnvironmentInput {
    flashEnvironmentId: String
    name: String
    state: String
  }
  input FlashEnvironmentByNameInput {
    flashAppId: String
    name: String
  }
  input PrepareFlashArtifactUploadInput {
    flashAppId: String
    flashEnvironmentId: String
    tarballSize: Float
  }
  input FinalizeFlashArtifactUploadInput {
    flashAppId: String
    flashEnvironmentId: String
    objectKey: String
    manifest: JSON
  }
  input UpdateFlashBuildManifestInput {
    flashBuildId: String
    manifest: JSON
  }
  input DeployBuildToEnvironmentInput {
    flashEnvironmentId: String
    flashBuildId: String
  }
  input AddEndpointToEnvironmentInput {
    flashEnvironmentId: String
    endpointId: String
  }
  input AddNetworkVolumeToEnvironmentInput {
    flashEnvironmentId: String
    networkVolumeId: String
  }
  extend type Endpoint {
    "Null here."
    activeBuildid: String
    "Null here."
    flashEnvironmentId: String
  }
  extend input EndpointInput {
    "Taken, and makes no difference: this machine has no Flash apps."
    flashEnvironmentId: String
  }
  extend type NetworkVolume {
    "Null here."
    flashEnvironmentId: String
  }
  extend type User {
    "Empty here."
    flashApps: [FlashApp!]
  }
  extend type Query {
    "Null here."
    flashApp(flashAppId: String): FlashApp
    "Null here."
    flashAppByName(flashAppName: String): FlashApp
    "Null here."
    flashEnvironment(flashEnvironmentId: String): FlashEnvironment
    "Null here."
    flashEnvironmentByName(input: FlashEnvironmentByNameInput): FlashEnvironment
    "Null here."
    flashBuild(flashBuildId: String): FlashBuild
    "Null here."
    flashAuthRequestStatus(flashAuthRequestId: String): FlashAuthRequest
  }
  # This machine has no Flash apps: all of these are refused.
  extend type Mutation {
    createFlashApp(input: CreateFlashAppInput): FlashApp
    deleteFlashApp(flashAppId: String): Void
    createFlashEnvironment(input: CreateFlashEnvironmentInput): FlashEnvironment
    updateFlashEnvironment(input: UpdateFlashEnvironmentInput): FlashEnvironment
    deleteFlashEnvironment(flashEnvironmentId: String): Void
    addEndpointToFlashEnvironment(input: AddEndpointToEnvironmentInput): Endpoint
    addNetworkVolumeToFlashEnvironment(input: AddNetworkVolumeToEnvironmentInput): NetworkVolume
    prepareFlashArtifactUpload(input: PrepareFlashArtifactUploadInput): FlashArtifact
    finalizeFlashArtifactUpload(input: FinalizeFlashArtifactUploadInput): FlashBuild
    updateFlashBuildManifest(input: UpdateFlashBuildManifestInput): FlashBuild
    deployBuildToEnvironment(input: DeployBuildToEnvironmentInput): FlashEnvironment
    createFlashAuthRequest: FlashAuthRequest
  }
`;

export const clusterTypes = /* GraphQL */ `
  enum ClusterType {
    APPLICATION
    TRAINING
    SLURM
    RAY
  }
  type Cluster {
    id: String!
    name: String
    pods: [Pod!]
  }
  input CreateClusterInput {
    allowedCudaVersions: [String]
    clusterName: String
    containerDiskInGb: Int
    dataCenterId: String
    deployCost: Float
    dockerArgs: String
    env: [EnvironmentVariableInput]
    gpuCountPerPod: Int
    gpuTypeId: String
    imageName: String
    minCudaVersion: String
    networkVolumeId: String
    podCount: Int
    ports: String
    startJupyter: Boolean
    startSsh: Boolean
    templateId: String
    throughput: Int
    type: ClusterType
    volumeInGb: Int
    volumeKey: String
    volumeMountPath: String
  }
  input DeleteClusterInput {
    id: String
  }
  # One machine is no cluster: these are refused.
  extend type Mutation {
    createCluster(input: CreateClusterInput): Cluster
    deleteCluster(input: DeleteClusterInput): Void
  }
`;
