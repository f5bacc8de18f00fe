/**
 * What an account at the remote service holds, as both dialects tell of it in their own words, and the hardware there
 * is.
 */
import { randomBytes } from 'node:crypto';

export interface RemoteContainer {
  image: string;
  /** As v2 has it; as v1 has it. */
  args: string;
  startCmd: string[];
  entrypoint: string[];
  disk: number;
  env: Record<string, string>;
  ports: string[];
  registryId: string;
}

export interface RemoteTemplate extends RemoteContainer {
  id: string;
  name: string;
  category: 'NVIDIA' | 'AMD' | 'CPU';
  volumeInGb: number;
  volumeMountPath: string;
  readme: string;
  isServerless: boolean;
  isPublic: boolean;
  startSsh: boolean;
  startJupyter: boolean;
  allowedCudaVersions: string[];
  /** The endpoint that it was made for and goes with; such templates are listed only for those who ask. */
  boundTo: string | null;
}

export interface RemoteEndpoint extends RemoteContainer {
  id: string;
  name: string;
  type: 'QUEUE' | 'LOAD_BALANCER';
  templateId: string;
  /** Null on the CPU. */
  gpu: { pools: string[]; excludedTypes: string[]; typeIds: string[]; count: number } | null;
  cpu: { id: string; vcpuCount: number }[];
  allowedCudaVersions: string[];
  minCudaVersion: string | null;
  workersMin: number;
  workersMax: number;
  /** Seconds. */
  idleTimeout: number;
  scaler: { type: 'QUEUE_DELAY' | 'REQUEST_COUNT'; value: number };
  timeoutMs: number;
  flashboot: 'OFF' | 'FLASHBOOT' | 'PRIORITY_FLASHBOOT';
  dataCenterIds: string[];
  volumeIds: string[];
  version: number;
  createdAt: number;
}

export type RemotePodStatus = 'PROVISIONING' | 'STARTING' | 'RUNNING' | 'EXITED' | 'ERROR' | 'TERMINATED';

export interface RemotePod extends RemoteContainer {
  id: string;
  name: string;
  status: RemotePodStatus;
  gpu: { id: string; count: number } | null;
  cpu: { id: string; vcpuCount: number } | null;
  volumeInGb: number;
  volumeMountPath: string;
  networkVolumeId: string;
  templateId: string;
  cloud: 'SECURE' | 'COMMUNITY';
  dataCenterId: string;
  locked: boolean;
  globalNetworking: boolean;
  interruptible: boolean;
  /** Where its 22/tcp is reached from outside; null: it is not exposed. */
  ssh: { host: string; port: number } | null;
  createdAt: number;
  startedAt: number | null;
  /** Its processor and GPUs do nothing. */
  isIdle: boolean;
}

export interface RemoteVolume {
  id: string;
  name: string;
  size: number;
  dataCenterId: string;
  type: 'STANDARD' | 'HIGH_PERFORMANCE';
}

export interface RemoteRegistry {
  id: string;
  name: string;
  username: string;
  password: string;
}

/** What one resource cost in one hour. */
export interface RemoteCharge {
  kind: 'pod' | 'endpoint' | 'volume';
  id: string;
  gpuTypeId: string;
  at: number;
  amount: number;
  timeMs: number;
  gb: number;
}

export interface RemoteLogLine {
  at: number;
  source: 'container' | 'system';
  line: string;
}

export interface RemoteGpu {
  id: string;
  name: string;
  pool: string | null;
  manufacturer: 'NVIDIA' | 'AMD';
  memory: number;
  secure: number;
  community: number;
  serverless: number;
  stock: 'NONE' | 'LOW' | 'MEDIUM' | 'HIGH';
}

const gpu = (
  name: string,
  pool: string | null,
  memory: number,
  [secure, community]: [number, number],
  stock: RemoteGpu['stock'],
): RemoteGpu => ({
  id: `NVIDIA ${name}`,
  name: name.replace('GeForce ', ''),
  pool,
  manufacturer: 'NVIDIA',
  memory,
  secure,
  community,
  serverless: secure * 1.6,
  stock,
});

export interface RemoteAccount {
  endpoints: Map<string, RemoteEndpoint>;
  templates: Map<string, RemoteTemplate>;
  volumes: Map<string, RemoteVolume>;
  registries: Map<string, RemoteRegistry>;
  pods: Map<string, RemotePod>;
  gpus: RemoteGpu[];
  sshKeys: string[];
  charges: RemoteCharge[];
  /** By the id of a Pod, or of a worker. */
  logs: Map<string, RemoteLogLine[]>;
  email: string;
  balance: number;
}

export const createAccount = (): RemoteAccount => ({
  endpoints: new Map(),
  templates: new Map(),
  volumes: new Map(),
  registries: new Map(),
  pods: new Map(),
  gpus: [
    gpu('GeForce RTX 4090', 'ADA_24', 24, [0.69, 0.34], 'HIGH'),
    gpu('L4', 'ADA_24', 24, [0.43, 0.4], 'MEDIUM'),
    gpu('RTX A5000', 'AMPERE_24', 24, [0.36, 0.22], 'LOW'),
    gpu('A100 80GB PCIe', 'AMPERE_80', 80, [1.64, 1.19], 'NONE'),
    gpu('GeForce RTX 3070', null, 8, [0.13, 0.13], 'LOW'),
  ],
  sshKeys: [],
  charges: [],
  logs: new Map(),
  email: 'person@example.com',
  balance: 42.5,
});

/** Ids of the service are short, of small letters and digits. */
export const newId = (length = 14): string =>
  [...randomBytes(length)].map((byte) => 'abcdefghijklmnopqrstuvwxyz0123456789'[byte % 36]!).join('');

export const defaultContainer: RemoteContainer = {
  image: '',
  args: '',
  startCmd: [],
  entrypoint: [],
  disk: 50,
  env: {},
  ports: [],
  registryId: '',
};

export function addTemplate(
  account: RemoteAccount,
  fields: Partial<RemoteTemplate> & { name: string; image: string },
): RemoteTemplate {
  const template: RemoteTemplate = {
    ...structuredClone(defaultContainer),
    id: newId(10),
    category: 'NVIDIA',
    volumeInGb: 20,
    volumeMountPath: '/workspace',
    readme: '',
    isServerless: false,
    isPublic: false,
    startSsh: true,
    startJupyter: true,
    allowedCudaVersions: [],
    boundTo: null,
    ...fields,
  };
  account.templates.set(template.id, template);
  return template;
}

export function addEndpoint(
  account: RemoteAccount,
  fields: Partial<RemoteEndpoint> & { name: string; createdAt: number },
): RemoteEndpoint {
  const id = fields.id ?? newId();
  const template =
    fields.templateId === undefined
      ? addTemplate(account, {
          name: `${fields.name}__template__${id}`,
          image: fields.image ?? 'example/worker:1',
          isServerless: true,
          boundTo: id,
          args: fields.args ?? '',
          env: fields.env ?? {},
          ports: fields.ports ?? [],
        })
      : account.templates.get(fields.templateId)!;
  const { image, args, startCmd, entrypoint, disk, env, ports, registryId } = structuredClone(template);
  const endpoint: RemoteEndpoint = {
    image,
    args,
    startCmd,
    entrypoint,
    disk,
    env,
    ports,
    registryId,
    id,
    type: 'QUEUE',
    templateId: template.id,
    cpu: [],
    allowedCudaVersions: [],
    minCudaVersion: null,
    gpu: { pools: ['ADA_24'], excludedTypes: [], typeIds: ['NVIDIA GeForce RTX 4090'], count: 1 },
    workersMin: 0,
    workersMax: 3,
    idleTimeout: 5,
    scaler: { type: 'QUEUE_DELAY', value: 4 },
    timeoutMs: 600_000,
    flashboot: 'OFF',
    dataCenterIds: [],
    volumeIds: [],
    version: 1,
    ...fields,
  };
  account.endpoints.set(id, endpoint);
  return endpoint;
}

export function removeEndpoint(account: RemoteAccount, id: string): void {
  account.endpoints.delete(id);
  for (const template of account.templates.values()) if (template.boundTo === id) account.templates.delete(template.id);
}

export function addPod(
  account: RemoteAccount,
  fields: Partial<RemotePod> & { name: string; createdAt: number },
): RemotePod {
  const pod: RemotePod = {
    ...structuredClone(defaultContainer),
    id: newId(),
    status: 'RUNNING',
    gpu: { id: 'NVIDIA GeForce RTX 4090', count: 1 },
    cpu: null,
    volumeInGb: 20,
    volumeMountPath: '/workspace',
    networkVolumeId: '',
    templateId: '',
    cloud: 'SECURE',
    dataCenterId: 'US-KS-2',
    locked: false,
    globalNetworking: false,
    interruptible: false,
    isIdle: false,
    ssh: null,
    startedAt: fields.createdAt,
    ...fields,
  };
  account.pods.set(pod.id, pod);
  return pod;
}

/** US dollars an hour while it runs. */
export function costOf(account: RemoteAccount, pod: RemotePod): number {
  if (pod.status !== 'RUNNING' && pod.status !== 'STARTING') return 0;
  if (pod.gpu === null) return 0.06 * (pod.cpu?.vcpuCount ?? 2);
  const type = account.gpus.find(({ id }) => id === pod.gpu?.id);
  return (pod.cloud === 'SECURE' ? (type?.secure ?? 0) : (type?.community ?? 0)) * pod.gpu.count;
}
