/** The four OpenAPI documents of the engine: what each is about. Their operations are those of the routes. */
import * as z from 'zod';
import type { LimitSettings } from '#contract/local/settings.ts';
import { problemSchema, PROBLEM_TYPE } from '../http/errorFormats/problem.ts';
import { REST_V2_BASE } from '../http/restV2Address.ts';
import { createDocsPage, type DocsPage } from './docsPage.ts';
import { createDocument, type DocumentDefinition } from './document.ts';
import { named, type Operation } from './operation.ts';

type DocumentTexts = Omit<DocumentDefinition, 'version'>;

const jobs: DocumentTexts = {
  title: 'Hangar job API',
  description:
    'Jobs of an endpoint: submitted, watched, streamed, cancelled. Each operation takes only so many requests in 10 seconds and at the same time; the settings under /local/v1 tell how many.',
  groups: {
    jobs: 'What clients call.',
    'load balancing':
      'What is passed to workers. The host name {endpoint}.localhost stands for the path before theirs.',
    'worker protocol': 'What workers call.',
  },
  parameters: {
    endpointId: 'The endpoint.',
    jobId: 'The job, as it was answered when it was submitted.',
    workerId: 'The worker: 1 to 128 letters, digits, `_`, `-` or `.`.',
    path: 'The path of the worker, slashes included.',
    route: 'The path below /openai, slashes included, such as v1/chat/completions.',
  },
};

const management: DocumentTexts = {
  title: 'Hangar management API',
  description:
    'What jobs run on: Pods, templates, endpoints, network volumes and credentials for private images, in the words of the cloud that this machine stands in for. Fields that are not known are ignored.',
  groups: {
    pods: 'Containers of your own, with a shell, ports and GPUs.',
    templates: 'What a worker or a Pod is made of.',
    endpoints: 'Queues and load balancers, with workers behind them.',
    'network volumes': 'Folders of this machine that workers and Pods see.',
    'container registry auths': 'Credentials for private images. What is secret is never told.',
    billing: 'What the use of this machine cost, by the prices that its person set.',
    docs: 'This description.',
  },
  parameters: {
    podId: 'Id of the Pod.',
    templateId: 'Id of the template.',
    endpointId: 'Id of the endpoint.',
    networkVolumeId: 'Id of the network volume.',
    containerRegistryAuthId: 'Id of the container registry auth.',
  },
};

const restV2: DocumentTexts = {
  title: 'Hangar REST v2',
  description: `REST v2 of the cloud that this machine stands in for, with ${REST_V2_BASE} as its base address: /v2 are the jobs. What has no meaning on one machine is refused with a sentence.`,
  groups: {
    Account: 'The SSH keys that Pods are given.',
    Pods: 'Containers of your own.',
    Clusters: 'Several machines that work as one: there are none here.',
    Serverless: 'Endpoints: queues and load balancers, with workers behind them.',
    Templates: 'What Pods and workers are made of.',
    'Network Volumes': 'Folders of this machine that workers and Pods see.',
    Registries: 'Credentials for private images. What is secret is never told.',
    Catalog: 'What there is on this machine to run on.',
    Billing: 'What the use of this machine cost, by the prices that its person set.',
    docs: 'This description.',
  },
  parameters: { id: 'Its id.', workerId: 'Id of the worker.' },
  errors: { type: PROBLEM_TYPE, schema: problemSchema },
};

const local: DocumentTexts = {
  title: 'Hangar engine',
  description: 'What only an engine of Hangar can tell: its workers, keys and settings, and why a job waits.',
  groups: {
    engine: 'The engine and what it runs.',
    graphql: 'What clients of the cloud ask by GraphQL.',
    pods: 'What the containers of Pods do just now.',
    machine: 'The computer it runs on, and giving it back to whoever sits there.',
    queue: 'The order of jobs that wait, and those that are set aside.',
    'api keys': 'Who may call.',
    settings: 'What may be changed.',
    files: 'What lies in network volumes.',
    folders: 'Folders of this machine that endpoints are made of.',
    terminals: 'Shells in the containers of Pods and workers, each at a WebSocket.',
    logs: 'What workers wrote, and what they were over time.',
    webhooks: 'Calls of addresses that jobs named.',
  },
  parameters: {
    id: 'As it was answered when the thing was made.',
    podId: 'Id of the Pod.',
    workerId: 'Id of the worker.',
  },
};

const documentShape = named('Document', z.looseObject({ openapi: z.string() }));

/** The description of a route that answers the document which describes it. */
export const describeDocument = (id: string, group: string) => ({
  id,
  group,
  need: null,
  summary: 'This document.',
  answers: { 200: { words: 'The document.', shape: documentShape } },
});

/** The document that describes a path. */
function documentOf(path: string): DocumentTexts {
  if (path.startsWith('/v2/') || path.startsWith('/lb/')) return jobs;
  if (path.startsWith('/v1/')) return management;
  return path.startsWith(`${REST_V2_BASE}/`) ? restV2 : local;
}

export interface DocumentsOptions {
  version: string;
  /** The limits in force: the document of the job API names them. */
  limits(): LimitSettings;
  /** Every operation that is served, described with these limits. */
  operations(limits: LimitSettings): readonly Operation[];
}

/** Each document as JSON. It is made when it is first asked for; that of the job API again when the limits change. */
export interface Documents {
  jobs(): string;
  management(): string;
  restV2(): string;
  local(): string;
  /** The document of the management API as a page. */
  managementPage(): DocsPage;
}

/** Calls `make` again only when `key` returns another value. */
function remember<K, V>(key: () => K, make: (key: K) => V): () => V {
  let last: { key: K; value: V } | null = null;
  return () => {
    const now = key();
    if (last?.key !== now) last = { key: now, value: make(now) };
    return last.value;
  };
}

export function createDocuments({ version, limits, operations }: DocumentsOptions): Documents {
  const write = (texts: DocumentTexts, now: LimitSettings): string =>
    createDocument(
      { ...texts, version },
      operations(now).filter(({ path }) => documentOf(path) === texts),
    );
  const once = (texts: DocumentTexts): (() => string) =>
    remember(
      () => texts,
      () => write(texts, limits()),
    );
  const managementText = once(management);
  return {
    jobs: remember(limits, (now) => write(jobs, now)),
    management: managementText,
    restV2: once(restV2),
    local: once(local),
    managementPage: remember(managementText, createDocsPage),
  };
}
