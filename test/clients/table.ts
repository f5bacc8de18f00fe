/**
 * Which published clients are run, in which versions, and with which calls. `reasons.ts` says which calls cannot pass.
 */
import type { Packages } from '../support/clients/install.ts';
import { RUNPODCTL_TESTS } from './runpodctlTests.ts';

export interface PublishedClient extends Packages {
  /** As people call it. */
  readonly name: string;
  readonly version: string;
  /** What it is used as; versions of one use have the same calls. */
  readonly use: 'client' | 'worker' | 'end-to-end suite';
  readonly calls: readonly string[];
}

const RUNPOD_VERSIONS = ['1.3.7', '1.6.2', '1.7.13', '1.10.1', '1.12.0'];

const RUNPOD_CALLS = [
  'run',
  'status',
  'output',
  'stream',
  'cancel',
  'run_sync',
  'health',
  'purge_queue',
  'RuntimeError for a wrong key',
  'asyncio: run, status, output',
  'asyncio: stream',
  'asyncio: cancel',
  'get_user',
  'get_gpus',
  'get_pods',
  'create_template',
  'create_endpoint, update_endpoint_template',
  'get_endpoints',
  'create, update, delete_container_registry_auth',
];

export const WORKER_CALLS = [
  'job',
  'failed job',
  'progress',
  'cancel',
  'refresh',
  'stream',
  'aggregated stream',
  'idle stop',
  'concurrency',
] as const;

const OPENAI_CALLS = [
  'models.list',
  'chat.completions.create',
  'chat.completions.create, streamed',
  'completions.create',
  'embeddings.create',
  'responses.create',
  'NotFoundError for a missing model',
  'AuthenticationError for a wrong key',
];

const DSTACK_CALLS = [
  'validate_api_key',
  'create, list, delete_container_registry_credentials',
  'create, get, delete_network_volume',
  'create_cluster',
  'list_cluster_pods',
  'delete_cluster',
];
/** These and those of SkyPilot need a container engine. */
export const DSTACK_POD_CALLS = [
  'create, get, terminate_pod',
  'create_pod with a network volume and credentials',
  'create_pod with a GPU',
  'create_gpu_pod_graphql',
];

/** SkyPilot asks for four cores with each GPU. */
export const SKYPILOT_GPU_CALLS = ['launch with a GPU', 'launch of a spot instance'];
const SKYPILOT_CALLS = [
  'list_instances',
  'template and credentials of a docker login',
  'apply, use, delete_volume',
  'fetch_runpod: get_gpu_details',
  'fetch_runpod: query_cpu_id, query_cpu_specifics',
];
export const SKYPILOT_POD_CALLS = [
  'launch, remove',
  'get_ssh_ports, query_ports',
  'run, query, terminate_instances, get_cluster_info',
  'launch with a volume, get_volume_usedby',
  ...SKYPILOT_GPU_CALLS,
];

export const RUNPODCTL_POD_CALLS = [
  'pod create, list, get, update, stop, start, restart, reset, delete',
  'ssh info',
  'create, get, stop, start, remove pod',
];
const RUNPODCTL_CALLS = [
  'user',
  'an error for a wrong key',
  'doctor',
  'gpu list',
  'datacenter list',
  'template create, list, get, update, delete',
  'serverless create, list, get, update, delete',
  'network-volume create, list, get, update, delete',
  'registry create, list, get, delete',
  'ssh add-key, list-keys, remove-key',
  'billing pods, serverless, network-volume',
  'pod list --output yaml',
  'get cloud',
  'get pod',
  ...RUNPODCTL_POD_CALLS,
];

function npm(packages: readonly string[], calls: readonly string[]): PublishedClient {
  const [first = ''] = packages;
  const at = first.lastIndexOf('@');
  return {
    name: first.slice(0, at),
    version: first.slice(at + 1),
    use: 'client',
    calls,
    registry: 'npm',
    packages,
  };
}

const pypi = (
  name: string,
  version: string,
  calls: readonly string[],
  use: PublishedClient['use'] = 'client',
): PublishedClient => ({ name, version, use, calls, registry: 'PyPI', packages: [`${name}@${version}`] });

export const clients = {
  runpodSdk: npm(
    ['runpod-sdk@1.1.2'],
    [
      'run',
      'status',
      'statusSync',
      'runSync',
      'runSync of a job that fails',
      'stream',
      'cancel',
      'health',
      'purgeQueue',
    ],
  ),
  openai: npm(['openai@7.57.0'], OPENAI_CALLS),
  aiSdk: npm(
    ['ai@7.0.173', '@ai-sdk/openai-compatible@3.0.92'],
    ['generateText', 'streamText', 'APICallError 404 for a missing model'],
  ),
  langchain: npm(
    ['@langchain/openai@1.6.0', '@langchain/core@1.4.0'],
    ['ChatOpenAI.invoke', 'ChatOpenAI.stream', 'OpenAIEmbeddings.embedQuery', 'error 404 for a missing model'],
  ),
  mcpServer: npm(
    ['@runpod/mcp-server@4.0.0'],
    [
      'run-endpoint',
      'get-job-status',
      'get-job-status with wait',
      'runsync-endpoint',
      'stream-job',
      'cancel-job',
      'retry-job',
      'endpoint-health',
      'purge-endpoint-queue',
      'list-endpoints',
      'list-pods',
      'list-templates',
    ],
  ),
  openaiPython: pypi('openai', '3.54.0', OPENAI_CALLS),
  dstack: pypi('dstack', '0.22.5', [...DSTACK_CALLS, ...DSTACK_POD_CALLS]),
  skypilot: {
    ...pypi('skypilot', '0.14.1', [...SKYPILOT_CALLS, ...SKYPILOT_POD_CALLS]),
    packages: ['skypilot[runpod]@0.14.1'],
  },
};

/** Version 2.7.2, as Go names a version whose module path has no /v2 at its end. */
const RUNPODCTL: Packages = {
  registry: 'Go',
  packages: ['github.com/runpod/runpodctl@v1.14.16-0.20260714190450-309512b4926e'],
  endToEnd: './e2e',
};
const runpodctl = { ...RUNPODCTL, name: 'runpodctl', version: '2.7.2' };
export const goClients: Record<'runpodctl' | 'runpodctlTests', PublishedClient> = {
  runpodctl: { ...runpodctl, use: 'client', calls: RUNPODCTL_CALLS },
  runpodctlTests: { ...runpodctl, use: 'end-to-end suite', calls: RUNPODCTL_TESTS },
};

export const runpodClients = RUNPOD_VERSIONS.map((version) => pypi('runpod', version, RUNPOD_CALLS));
export const runpodWorkers = RUNPOD_VERSIONS.map((version) => pypi('runpod', version, WORKER_CALLS, 'worker'));

/** In the order in which they are shown. */
export const allClients: readonly PublishedClient[] = [
  clients.runpodSdk,
  ...runpodClients,
  ...runpodWorkers,
  clients.openai,
  clients.openaiPython,
  clients.aiSdk,
  clients.langchain,
  clients.mcpServer,
  clients.dstack,
  clients.skypilot,
  goClients.runpodctl,
  goClients.runpodctlTests,
];
