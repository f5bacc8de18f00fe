/**
 * Why a call of a published client cannot pass. A call that is named here and passes fails its test, until its reason
 * is taken out.
 */
import { COMMUNITY_TESTS, HUB_TESTS, PUBLIC_TEMPLATE_TESTS } from './runpodctlTests.ts';
import { allClients, type PublishedClient } from './table.ts';

interface Reason {
  readonly client: string;
  readonly use: PublishedClient['use'];
  /** Of which versions; of all where it is left out. */
  readonly versions?: readonly string[];
  readonly calls: readonly string[];
  readonly reason: string;
  /** What its error contains, where the reason is an answer of the engine. */
  readonly error?: string;
}

const reasons: readonly Reason[] = [
  {
    client: 'runpod',
    use: 'client',
    versions: ['1.3.7', '1.6.2'],
    calls: [
      'get_user',
      'get_gpus',
      'get_pods',
      'create_template',
      'create_endpoint, update_endpoint_template',
      'get_endpoints',
      'create, update, delete_container_registry_auth',
    ],
    reason: 'The address of GraphQL cannot be changed in this version.',
  },
  {
    client: 'runpod',
    use: 'client',
    versions: ['1.3.7'],
    calls: ['stream', 'asyncio: stream'],
    reason: 'This version has no streams.',
  },
  {
    client: 'runpod',
    use: 'client',
    versions: ['1.6.2'],
    calls: ['asyncio: stream'],
    reason: 'Its loop has no end in this version, and leaves out chunks that come with the end of the job.',
  },
  {
    client: 'runpod',
    use: 'worker',
    versions: ['1.3.7'],
    calls: ['concurrency'],
    reason: 'This version has no `concurrency_modifier`: it runs one job at a time.',
  },
  {
    client: 'dstack',
    use: 'client',
    calls: ['create_cluster', 'list_cluster_pods', 'delete_cluster'],
    reason: 'A cluster joins several machines, and an engine is one: it refuses them with 501.',
    error: '501 Server Error',
  },
  {
    client: 'runpodctl',
    use: 'end-to-end suite',
    calls: HUB_TESTS,
    reason: 'It asks for entries of the hub of the cloud, and an engine has no hub.',
  },
  {
    client: 'runpodctl',
    use: 'end-to-end suite',
    calls: PUBLIC_TEMPLATE_TESTS,
    reason: 'It asks for templates that the cloud publishes, and an engine has those of its owner.',
  },
  {
    client: 'runpodctl',
    use: 'end-to-end suite',
    calls: COMMUNITY_TESTS,
    reason: 'It asks for a machine of the community cloud, and skips itself if there is none.',
  },
];

/** Why this call cannot pass; undefined where it passes. */
export const reasonOf = ({ name, use, version }: PublishedClient, call: string): Reason | undefined =>
  reasons.find(
    (one) =>
      one.client === name && one.use === use && (one.versions?.includes(version) ?? true) && one.calls.includes(call),
  );

/** The calls and versions of reasons that no client of the table has: what is left of those that were taken out. */
export const reasonsWithoutACall = (): string[] =>
  reasons.flatMap(({ client, use, versions, calls }) => {
    const named = allClients.filter((one) => one.name === client && one.use === use);
    const missing = (versions ?? []).filter((version) => named.every((one) => one.version !== version));
    return [
      ...missing.map((version) => `${client} ${version} (${use})`),
      ...calls
        .filter((call) => named.length === 0 || named.some((one) => !one.calls.includes(call)))
        .map((call) => `${client} (${use}): ${call}`),
    ];
  });
