/**
 * The GraphQL API of the fake: what Hangar, or a person with it, sends. Errors come with HTTP 200, as they do there.
 */
import { buildSchema, execute, GraphQLError, parse, validate } from 'graphql';
import { restartPod, startPod, stopPod } from './pods.ts';
import { addPod, costOf, newId, type RemoteAccount, type RemotePod } from '../records.ts';
import { Refusal, type RemoteCall, type Reply } from '../wire.ts';

const schema = buildSchema(/* GraphQL */ `
  enum CloudTypeEnum {
    SECURE
    COMMUNITY
    ALL
  }
  scalar Void
  input EnvironmentVariableInput {
    key: String!
    value: String!
  }
  input GpuTypeFilter {
    id: String
    ids: [String]
  }
  input GpuLowestPriceInput {
    gpuCount: Int
    secureCloud: Boolean
    minMemoryInGb: Int
    minVcpuCount: Int
  }
  input PodFilter {
    podId: String!
  }
  input PodResumeInput {
    podId: String!
    gpuCount: Int
    allowedCudaVersions: [String]
  }
  input PodFindAndDeployOnDemandInput {
    cloudType: CloudTypeEnum
    gpuCount: Int
    volumeInGb: Int
    containerDiskInGb: Int
    minVcpuCount: Int
    minMemoryInGb: Int
    gpuTypeId: String
    name: String
    imageName: String
    dockerArgs: String
    ports: String
    volumeMountPath: String
    networkVolumeId: String
    templateId: String
    env: [EnvironmentVariableInput]
    allowedCudaVersions: [String]
  }
  type LowestPrice {
    gpuName: String
    gpuTypeId: String
    minimumBidPrice: Float
    uninterruptablePrice: Float
    minMemory: Int
    minVcpu: Int
    stockStatus: String
    availableGpuCounts: [Int!]
    maxUnreservedGpuCount: Int
    totalCount: Int
    rentedCount: Int
  }
  type GpuType {
    id: String
    displayName: String
    manufacturer: String
    memoryInGb: Int
    cudaCores: Int
    secureCloud: Boolean
    communityCloud: Boolean
    securePrice: Float
    communityPrice: Float
    maxGpuCount: Int
    lowestPrice(input: GpuLowestPriceInput): LowestPrice
  }
  type PodMachineInfo {
    podHostId: String
    gpuDisplayName: String
    gpuTypeId: String
    location: String
    dataCenterId: String
  }
  type PodRuntimePort {
    ip: String
    isIpPublic: Boolean
    privatePort: Int
    publicPort: Int
    type: String
  }
  type PodRuntimeGpu {
    id: String
    gpuUtilPercent: Float
    memoryUtilPercent: Float
  }
  type PodRuntimeContainer {
    cpuPercent: Float
    memoryPercent: Float
  }
  type PodRuntime {
    uptimeInSeconds: Int
    ports: [PodRuntimePort]
    gpus: [PodRuntimeGpu]
    container: PodRuntimeContainer
  }
  type Pod {
    id: String
    name: String
    imageName: String
    desiredStatus: String
    costPerHr: Float
    env: [String]
    ports: String
    gpuCount: Int
    containerDiskInGb: Int
    volumeInGb: Int
    volumeMountPath: String
    machineId: String
    machine: PodMachineInfo
    runtime: PodRuntime
    lastStatusChange: String
  }
  type User {
    id: String
    email: String
    clientBalance: Float
    currentSpendPerHr: Float
    spendLimit: Float
    pubKey: String
    pods: [Pod]
  }
  type Query {
    myself: User
    pod(input: PodFilter): Pod
    gpuTypes(input: GpuTypeFilter): [GpuType]
  }
  type Mutation {
    podFindAndDeployOnDemand(input: PodFindAndDeployOnDemandInput): Pod
    podResume(input: PodResumeInput!): Pod
    podStop(input: PodFilter!): Pod
    podReset(input: PodFilter!): Pod
    podTerminate(input: PodFilter!): Void
  }
`);

const stockNames = { NONE: 'None', LOW: 'Low', MEDIUM: 'Medium', HIGH: 'High' } as const;

function runtimeOf(pod: RemotePod, now: number): object | null {
  if (pod.status !== 'RUNNING') return null;
  const http = pod.ports
    .filter((port) => port.endsWith('/http'))
    .map((port) => ({
      ip: '100.65.3.7',
      isIpPublic: false,
      privatePort: Number.parseInt(port, 10),
      publicPort: 60_000,
      type: 'http',
    }));
  const ssh = pod.ssh
    ? [{ ip: pod.ssh.host, isIpPublic: true, privatePort: 22, publicPort: pod.ssh.port, type: 'tcp' }]
    : [];
  return {
    uptimeInSeconds: Math.round((now - (pod.startedAt ?? now)) / 1000),
    ports: [...http, ...ssh],
    gpus: Array.from({ length: pod.gpu?.count ?? 0 }, (_, at) => ({
      id: `GPU-${pod.id}-${at}`,
      gpuUtilPercent: pod.isIdle ? 0 : 63,
      memoryUtilPercent: 41,
    })),
    container: { cpuPercent: pod.isIdle ? 1 : 12, memoryPercent: 34 },
  };
}

interface DeployInput {
  gpuTypeId?: string;
  gpuCount?: number;
  name?: string;
  imageName?: string;
  dockerArgs?: string;
  ports?: string;
  volumeInGb?: number;
  containerDiskInGb?: number;
  volumeMountPath?: string;
  networkVolumeId?: string;
  env?: { key: string; value: string }[];
}

export function createGraphql(account: RemoteAccount, now: () => number) {
  const shown = (pod: RemotePod): object => ({
    id: pod.id,
    name: pod.name,
    imageName: pod.image,
    costPerHr: costOf(account, pod),
    ports: pod.ports.join(','),
    desiredStatus: pod.status === 'EXITED' ? 'EXITED' : 'RUNNING',
    env: Object.entries(pod.env).map(([key, value]) => `${key}=${value}`),
    gpuCount: pod.gpu?.count ?? 0,
    containerDiskInGb: pod.disk,
    volumeInGb: pod.volumeInGb,
    volumeMountPath: pod.volumeMountPath,
    machineId: 'm1example',
    runtime: runtimeOf(pod, now()),
    machine: { podHostId: `${pod.id}-64411eb2`, gpuDisplayName: pod.gpu?.id ?? null, dataCenterId: pod.dataCenterId },
    lastStatusChange: `Rented by User: ${new Date(pod.createdAt).toUTCString()}`,
  });
  const podOf = (podId: string): RemotePod => {
    const pod = account.pods.get(podId);
    if (!pod) throw new GraphQLError('pod not found', { extensions: { code: 'RUNPOD' } });
    return pod;
  };
  const pods = (): object[] => [...account.pods.values()].map(shown);

  const root = {
    myself: () => ({
      id: 'user_2example',
      email: account.email,
      clientBalance: account.balance,
      spendLimit: 80,
      pubKey: account.sshKeys.join('\n\n'),
      pods,
      currentSpendPerHr: [...account.pods.values()].reduce((sum, pod) => sum + costOf(account, pod), 0),
    }),
    pod: ({ input }: { input?: { podId: string } }) => {
      const pod = account.pods.get(input?.podId ?? '');
      return pod ? shown(pod) : null;
    },
    gpuTypes: ({ input }: { input?: { id?: string; ids?: string[] } }) =>
      account.gpus
        .filter(({ id }) => (input?.id === undefined || id === input.id) && (input?.ids?.includes(id) ?? true))
        .map((gpu) => ({
          id: gpu.id,
          displayName: gpu.name,
          manufacturer: gpu.manufacturer === 'NVIDIA' ? 'Nvidia' : 'AMD',
          memoryInGb: gpu.memory,
          cudaCores: 0,
          secureCloud: true,
          communityCloud: gpu.community > 0,
          securePrice: gpu.secure,
          communityPrice: gpu.community,
          maxGpuCount: 8,
          lowestPrice: (args: { input?: { gpuCount?: number; secureCloud?: boolean } }) => {
            const count = args.input?.gpuCount ?? 1;
            const each = args.input?.secureCloud === false ? gpu.community : gpu.secure;
            const isOut = gpu.stock === 'NONE';
            return {
              gpuName: gpu.name,
              gpuTypeId: gpu.id,
              minimumBidPrice: isOut ? null : each / 2,
              uninterruptablePrice: isOut ? null : each * count,
              minMemory: 31,
              minVcpu: 8,
              stockStatus: stockNames[gpu.stock],
              availableGpuCounts: isOut ? [] : [1, 2, 4],
              maxUnreservedGpuCount: isOut ? 0 : 4,
              totalCount: 400,
              rentedCount: isOut ? 400 : 120,
            };
          },
        })),
    podFindAndDeployOnDemand: ({ input = {} }: { input?: DeployInput }) => {
      const type = account.gpus.find(({ id }) => id === input.gpuTypeId);
      if (!type || type.stock === 'NONE') {
        throw new GraphQLError('There are no instances currently available with the requested specifications.');
      }
      const pod = addPod(account, {
        id: newId(),
        name: input.name ?? 'my pod',
        image: input.imageName ?? '',
        args: input.dockerArgs ?? '',
        gpu: { id: type.id, count: input.gpuCount ?? 1 },
        ports: (input.ports ?? '').split(',').filter((port) => port !== ''),
        volumeInGb: input.volumeInGb ?? 0,
        disk: input.containerDiskInGb ?? 50,
        volumeMountPath: input.volumeMountPath ?? '/workspace',
        networkVolumeId: input.networkVolumeId ?? '',
        env: Object.fromEntries((input.env ?? []).map(({ key, value }) => [key, value])),
        createdAt: now(),
      });
      return shown(pod);
    },
    podResume: ({ input }: { input: { podId: string } }) => shown(startPod(podOf(input.podId), now())),
    podStop: ({ input }: { input: { podId: string } }) => shown(stopPod(podOf(input.podId))),
    podReset: ({ input }: { input: { podId: string } }) => shown(restartPod(podOf(input.podId), 'reset', now())),
    podTerminate: ({ input }: { input: { podId: string } }) => {
      account.pods.delete(podOf(input.podId).id);
      return null;
    },
  };

  return (request: RemoteCall): Promise<Reply> => answer(root, request);
}

async function answer(rootValue: object, request: RemoteCall): Promise<Reply> {
  if (request.method !== 'POST') throw new Refusal(405, 'method not allowed');
  const { query, variables, operationName } = request.json();
  if (typeof query !== 'string') throw new Refusal(400, 'Must provide query string.');
  try {
    const document = parse(query);
    const faults = validate(schema, document);
    if (faults.length > 0) {
      const errors = faults.map(({ message }) => ({ message, extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }));
      return { status: 400, json: { errors } };
    }
    const { data, errors } = await execute({
      schema,
      document,
      rootValue,
      variableValues: (variables ?? {}) as Record<string, unknown>,
      operationName: typeof operationName === 'string' ? operationName : null,
    });
    const errorList = errors?.map((error) => ({
      message: error.originalError instanceof Refusal ? 'Something went wrong. Please try again later.' : error.message,
      path: error.path,
      extensions: { code: error.extensions['code'] ?? 'INTERNAL_SERVER_ERROR' },
    }));
    return { status: 200, json: { ...(errorList && { errors: errorList }), data } };
  } catch (thrown) {
    if (!(thrown instanceof GraphQLError)) throw thrown;
    return {
      status: 400,
      json: { errors: [{ message: thrown.message, extensions: { code: 'GRAPHQL_PARSE_FAILED' } }] },
    };
  }
}
