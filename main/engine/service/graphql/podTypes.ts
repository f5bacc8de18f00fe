/** Answers about Pods in the GraphQL API, with the names that clients of the cloud use. */

export const podTypes = /* GraphQL */ `
  enum PodStatus {
    CREATED
    RUNNING
    RESTARTING
    EXITED
    PAUSED
    DEAD
    TERMINATED
  }
  enum PodType {
    INTERRUPTABLE
    RESERVED
    BID
    BACKGROUND
  }

  type Pod {
    id: String!
    name: String
    imageName: String
    desiredStatus: PodStatus
    podType: PodType
    costPerHr: Float
    adjustedCostPerHr: Float
    consumerUserId: String
    createdAt: DateTime
    lastStartedAt: DateTime
    lastStatusChange: String
    "0 while it does not run."
    uptimeSeconds: Int
    "Each as KEY=VALUE."
    env: [String!] @secret
    "The command, as one line."
    dockerArgs: String
    "With commas: 8888/http,22/tcp."
    ports: String
    gpuCount: Int
    gpus: [Gpu!]
    vcpuCount: Int
    memoryInGb: Int
    containerDiskInGb: Int
    volumeInGb: Int
    volumeMountPath: String
    volumeEncrypted: Boolean
    templateId: String
    containerRegistryAuthId: String
    machineId: String
    machine: PodMachineInfo
    "Null while it does not run."
    runtime: PodRuntime
    "Null while it does not run."
    latestTelemetry: PodTelemetry
    networkVolumeId: String
    networkVolume: NetworkVolume
    locked: Boolean
    slsVersion: Int
    "Null here."
    aiApiId: String
    "Null here."
    apiKey: String
    "Null here."
    clusterIp: String
    "Null here: there is one price."
    costMultiplier: Float
    "Null here."
    cpuFlavor: CpuFlavor
    "Null here."
    cpuFlavorId: String
    "Null here."
    dockerId: String
    "Null here: what works for an endpoint is a worker, not a Pod."
    endpoint: Endpoint
    "Null here."
    globalNetwork: Boolean
    "Null here."
    gpuPowerLimitPercent: Int
    "Null here."
    lowestBidPriceToResume: Float
    "Null here."
    machineType: String
    "Null here."
    port: Int
    "Null here."
    version: Int
    "Null here."
    volumeKey: String
  }
  extend type Endpoint {
    "Null here: what works for an endpoint is a worker, not a Pod."
    pods: [Pod!]
  }
  type Gpu {
    id: String!
    podId: String
  }
  type PodMachineInfo {
    id: String
    costPerHr: Float
    currentPricePerGpu: Float
    cpuCount: Int
    cpuType: CpuType
    cpuTypeId: String
    dataCenterId: String
    "How many GPUs of its type are free."
    gpuAvailable: Int
    gpuDisplayName: String
    gpuType: GpuType
    gpuTypeId: String
    location: String
    secureCloud: Boolean
    supportPublicIp: Boolean
    vcpuTotal: Int
    "Null here."
    diskMBps: Int
    "Null here."
    listed: Boolean
    "Null here."
    machineSystem: MachineSystem
    "Null here."
    machineType: String
    "Null here."
    maintenanceEnd: DateTime
    "Null here."
    maintenanceNote: String
    "Null here."
    maintenanceStart: DateTime
    "Null here."
    maxDownloadSpeedMbps: Int
    "Null here."
    maxUploadSpeedMbps: Int
    "Null here."
    memoryReserved: Int
    "Null here."
    memoryTotal: Int
    "Null here."
    minPodGpuCount: Int
    "Null here."
    note: String
    "Null here: Pods are reached on this machine, not through a proxy."
    podHostId: String
    "Null here."
    runpodIp: String
    "Null here."
    vcpuReserved: Int
  }
  type MachineSystem {
    cudaVersion: String
    diskFree: Int
    diskTotal: Int
    dockerVersion: String
    kernelVersion: String
    os: String
  }
  type PodRuntime {
    uptimeInSeconds: Int
    ports: [PodRuntimePorts!]
    gpus: [PodRuntimeGpus!]
    container: PodRuntimeContainer
  }
  type PodRuntimePorts {
    ip: String
    isIpPublic: Boolean
    privatePort: Int
    publicPort: Int
    type: String
  }
  type PodRuntimeGpus {
    id: String
    gpuUtilPercent: Float
    memoryUtilPercent: Float
  }
  type PodRuntimeContainer {
    cpuPercent: Float
    memoryPercent: Float
  }
  type PodTelemetry {
    state: String
    time: DateTime
    cpuUtilization: Float
    memoryUtilization: Float
    averageGpuMetrics: GpuTelemetry
    individualGpuMetrics: [GpuTelemetry!]
    "Null here."
    lastStateTransitionTimestamp: Int
  }
  type GpuTelemetry {
    id: String
    percentUtilization: Float
    memoryUtilization: Float
    "Null here."
    powerWatts: Float
    "Null here."
    temperatureCelcius: Float
  }

  extend type Query {
    pod(input: PodFilter): Pod
  }
  extend type Mutation {
    podFindAndDeployOnDemand(input: PodFindAndDeployOnDemandInput): Pod
    podRentInterruptable(input: PodRentInterruptableInput): Pod
    deployCpuPod(input: deployCpuPodInput): Pod
    podResume(input: PodResumeInput): Pod
    podBidResume(input: PodBidResumeInput): Pod
    podStop(input: PodStopInput): Pod
    podTerminate(input: PodTerminateInput): Void
    podEditJob(input: PodEditJobInput): Pod
  }
  "US dollars an hour."
  type UserSpendDetails {
    gpuComputePerHour: Float
    "Of the Pods' own volumes."
    localStoragePerHour: Float
    networkStoragePerHour: Float
  }
  extend type User {
    pods: [Pod!]
    "US dollars an hour of the Pods that run."
    currentSpendPerHr: Float
    spendDetails: UserSpendDetails
  }
`;
