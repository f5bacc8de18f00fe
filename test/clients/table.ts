/** Which published clients are run, in which versions, and with which calls. `reasons.ts` says which calls cannot pass. */
import type { Packages } from '../support/clients/install.ts';

export interface PublishedClient extends Packages {
  /** As people call it. */
  readonly name: string;
  readonly version: string;
  /** What it is used as; versions of one use have the same calls. */
  readonly use: 'client' | 'worker';
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
  'stream',
  'aggregated stream',
  'concurrency',
  'cancel',
  'refresh',
  'idle stop',
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

function npm(packages: readonly string[], calls: readonly string[]): PublishedClient {
  const [first = ''] = packages;
  const at = first.lastIndexOf('@');
  return {
    ...{ name: first.slice(0, at), version: first.slice(at + 1), use: 'client', calls },
    ...{ registry: 'npm', packages },
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
];
