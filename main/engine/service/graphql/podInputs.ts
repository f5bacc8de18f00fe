/** Requests about Pods in the GraphQL API, with the names that clients of the cloud use. */

/** Fields of each request that makes a Pod. */
const deployFields = `
  cloudType: CloudTypeEnum
  containerDiskInGb: Int
  containerRegistryAuthId: String
  countryCode: String
  dataCenterId: String
  dockerArgs: String
  env: [EnvironmentVariableInput]
  imageName: String
  minDownload: Int
  minUpload: Int
  name: String
  networkVolumeId: String
  port: Int
  ports: String
  startJupyter: Boolean
  startSsh: Boolean
  stopAfter: DateTime
  supportPublicIp: Boolean
  templateId: String
  terminateAfter: DateTime
  volumeInGb: Int
  volumeKey: String
  volumeMountPath: String
`;

/** Fields of each request that makes a Pod with GPUs. */
const gpuDeployFields = `
  aiApiId: String
  allowedCudaVersions: [String]
  compliance: [Compliance]
  cudaVersion: String
  gpuCount: Int
  gpuTypeId: String
  gpuTypeIdList: [String]
  minCudaVersion: String
  minDisk: Int
  minMemoryInGb: Int
  minVcpuCount: Int
`;

export const podInputs = /* GraphQL */ `
  enum CloudTypeEnum {
    ALL
    COMMUNITY
    SECURE
  }

  input PodFilter {
    podId: String!
  }
  "Fields that only the real service uses are accepted and change nothing."
  input PodFindAndDeployOnDemandInput {
    ${deployFields}
    ${gpuDeployFields}
    computeType: ComputeType
    deployCost: Float
    globalNetwork: Boolean
    instanceIds: [String]
    savingsPlan: SavingsPlanInput
  }
  input SavingsPlanInput {
    planLength: String
    upfrontCost: Float
  }
  "Fields that only the real service uses are accepted and change nothing."
  input PodRentInterruptableInput {
    ${deployFields}
    ${gpuDeployFields}
    bidPerGpu: Float!
  }
  "Fields that only the real service uses are accepted and change nothing."
  input deployCpuPodInput {
    ${deployFields}
    deployCost: Float
    globalNetwork: Boolean
    "As in cpu3c-2-4: two cores and 4 GB of memory."
    instanceId: String
  }
  input PodResumeInput {
    podId: String!
    gpuCount: Int
    allowedCudaVersions: [String]
    computeType: ComputeType
    syncMachine: Boolean
  }
  input PodBidResumeInput {
    podId: String!
    bidPerGpu: Float!
    gpuCount: Int!
  }
  input PodStopInput {
    podId: String!
    incrementVersion: Boolean
  }
  input PodTerminateInput {
    podId: String!
  }
  input PodEditJobInput {
    podId: String!
    containerDiskInGb: Int
    containerRegistryAuthId: String
    dockerArgs: String
    env: [EnvironmentVariableInput]
    imageName: String
    port: Int
    ports: String
    volumeInGb: Int
    volumeMountPath: String
  }
`;
