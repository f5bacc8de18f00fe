/**
 * REST v1 of the fake: bare lists, loose bodies, and the ways in which its live answers differ from its description.
 */
import { billingV1 } from '../billing.ts';
import { podV1, podFromV1, podChangeFromV1, restartPod, startPod, stopPod } from './pods.ts';
import {
  addEndpoint,
  addPod,
  addTemplate,
  newId,
  removeEndpoint,
  type RemoteAccount,
  type RemoteEndpoint,
  type RemoteTemplate,
} from '../records.ts';
import { recordOf, noContent, notFound, ok, Refusal, type RemoteCall, type Reply } from '../wire.ts';

type Given = Record<string, unknown>;
const text = (body: Given, name: string): string | undefined =>
  typeof body[name] === 'string' ? body[name] : undefined;
const number = (body: Given, name: string): number | undefined =>
  typeof body[name] === 'number' ? body[name] : undefined;
const list = (body: Given, name: string): string[] | undefined =>
  Array.isArray(body[name]) ? body[name].map(String) : undefined;
const flagOf = (body: Given, name: string): boolean | undefined =>
  typeof body[name] === 'boolean' ? body[name] : undefined;
/** What was said, without what was not. */
export const definedOnly = <T extends object>(fields: { [K in keyof T]: T[K] | undefined }): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;

export const dateOf = (at: number): string => new Date(at).toISOString();

const templateV1 = (template: RemoteTemplate): object => ({
  id: template.id,
  name: template.name,
  imageName: template.image,
  category: template.category,
  containerDiskInGb: template.disk,
  containerRegistryAuthId: template.registryId,
  dockerEntrypoint: template.entrypoint,
  dockerStartCmd: template.startCmd,
  env: template.env,
  isPublic: template.isPublic,
  isRunpod: false,
  isServerless: template.isServerless,
  ports: template.ports,
  readme: template.readme,
  runtimeInMin: 0,
  earned: 0,
  volumeInGb: template.volumeInGb,
  volumeMountPath: template.volumeMountPath,
});

const templateFrom = (body: Given): Partial<RemoteTemplate> =>
  definedOnly<RemoteTemplate>({
    name: text(body, 'name'),
    image: text(body, 'imageName'),
    readme: text(body, 'readme'),
    disk: number(body, 'containerDiskInGb'),
    volumeInGb: number(body, 'volumeInGb'),
    volumeMountPath: text(body, 'volumeMountPath'),
    registryId: text(body, 'containerRegistryAuthId'),
    startCmd: list(body, 'dockerStartCmd'),
    entrypoint: list(body, 'dockerEntrypoint'),
    env: body['env'] as Record<string, string> | undefined,
    ports: list(body, 'ports'),
    isPublic: flagOf(body, 'isPublic'),
  } as Partial<RemoteTemplate> as RemoteTemplate);

const endpointV1 = (account: RemoteAccount, endpoint: RemoteEndpoint, query: URLSearchParams): object => ({
  id: endpoint.id,
  name: endpoint.name,
  userId: 'user_2example',
  createdAt: dateOf(endpoint.createdAt),
  version: endpoint.version,
  computeType: endpoint.gpu ? 'GPU' : 'CPU',
  templateId: endpoint.templateId,
  env: endpoint.env,
  gpuTypeIds: endpoint.gpu?.typeIds ?? [],
  gpuCount: endpoint.gpu?.count ?? 0,
  instanceIds: endpoint.cpu.map(({ id, vcpuCount }) => `${id}-${vcpuCount}-${vcpuCount * 2}`),
  allowedCudaVersions: endpoint.allowedCudaVersions,
  dataCenterIds: endpoint.dataCenterIds,
  networkVolumeId: endpoint.volumeIds[0] ?? '',
  networkVolumeIds: endpoint.volumeIds,
  scalerType: endpoint.scaler.type,
  scalerValue: endpoint.scaler.value,
  idleTimeout: endpoint.idleTimeout,
  executionTimeoutMs: endpoint.timeoutMs,
  workersMin: endpoint.workersMin,
  workersMax: endpoint.workersMax,
  // Of no use to anybody, and not described: what is not known has to be kept.
  flashBootType: endpoint.flashboot,
  ...(query.get('includeTemplate') === 'true' && {
    template: templateV1(account.templates.get(endpoint.templateId)!),
  }),
});

function endpointFrom(body: Given, before?: RemoteEndpoint): Partial<RemoteEndpoint> {
  const typeIds = list(body, 'gpuTypeIds') ?? before?.gpu?.typeIds ?? [];
  const scalerType = text(body, 'scalerType') as 'QUEUE_DELAY' | 'REQUEST_COUNT' | undefined;
  const old = before?.scaler ?? { type: 'QUEUE_DELAY' as const, value: 4 };
  const volumes = list(body, 'networkVolumeIds');
  const volume = text(body, 'networkVolumeId');
  return {
    ...(definedOnly({
      name: text(body, 'name'),
      workersMin: number(body, 'workersMin'),
      workersMax: number(body, 'workersMax'),
      idleTimeout: number(body, 'idleTimeout'),
      timeoutMs: number(body, 'executionTimeoutMs'),
      dataCenterIds: list(body, 'dataCenterIds'),
      allowedCudaVersions: list(body, 'allowedCudaVersions'),
      volumeIds: volumes ?? (volume === undefined ? undefined : volume === '' ? [] : [volume]),
      templateId: text(body, 'templateId'),
      flashboot: flagOf(body, 'flashboot') ? 'FLASHBOOT' : undefined,
    }) as Partial<RemoteEndpoint>),
    // Live, computeType CPU made an endpoint with GPUs all the same.
    gpu: { pools: [], excludedTypes: [], typeIds, count: number(body, 'gpuCount') ?? before?.gpu?.count ?? 1 },
    scaler: { type: scalerType ?? old.type, value: number(body, 'scalerValue') ?? old.value },
  };
}

const nameTaken = (name: string): Refusal => new Refusal(500, `Template name must be unique: ${name}`);

function volumes(account: RemoteAccount, request: RemoteCall, id: string | undefined): Reply {
  const shown = ({
    id: own,
    name,
    size,
    dataCenterId,
  }: typeof account.volumes extends Map<string, infer V> ? V : never) => ({
    id: own,
    name,
    size,
    dataCenterId,
  });
  if (id === undefined && request.method === 'GET') return ok([...account.volumes.values()].map(shown));
  const body = request.method === 'DELETE' || request.method === 'GET' ? {} : request.json();
  if (id === undefined) {
    const [name, size, dataCenterId] = [text(body, 'name'), number(body, 'size'), text(body, 'dataCenterId')];
    if (!name || size === undefined || !dataCenterId)
      throw new Refusal(400, 'name, size and dataCenterId are required');
    const volume = { id: newId(10), name, size, dataCenterId, type: 'STANDARD' as const };
    account.volumes.set(volume.id, volume);
    return ok(shown(volume));
  }
  const volume = recordOf(account.volumes, id, 'network volume');
  if (request.method === 'GET') return ok(shown(volume));
  if (request.method === 'DELETE') {
    account.volumes.delete(id);
    return noContent;
  }
  const size = number(body, 'size');
  if (size !== undefined && size < volume.size) throw new Refusal(400, 'size: a network volume can only grow');
  Object.assign(volume, definedOnly({ name: text(body, 'name'), size }));
  return ok(shown(volume));
}

function registries(account: RemoteAccount, request: RemoteCall, id: string | undefined): Reply {
  const shown = ({ id: own, name }: { id: string; name: string }) => ({ id: own, name });
  if (id === undefined && request.method === 'GET') return ok([...account.registries.values()].map(shown));
  if (id === undefined) {
    const body = request.json();
    const [name = '', username = '', password = ''] = [
      text(body, 'name'),
      text(body, 'username'),
      text(body, 'password'),
    ];
    if (name === '' || username === '' || password === '') {
      throw new Refusal(400, 'name, username and password are required');
    }
    const registry = { id: newId(25), name, username, password };
    account.registries.set(registry.id, registry);
    return ok(shown(registry));
  }
  const registry = account.registries.get(id);
  if (!registry)
    throw request.method === 'DELETE' ? new Refusal(400, 'invalid id') : notFound('container registry auth');
  if (request.method === 'GET') return ok(shown(registry));
  if (request.method !== 'DELETE') throw new Refusal(405, 'method not allowed');
  account.registries.delete(id);
  return noContent;
}

export function createRestV1(account: RemoteAccount, now: () => number) {
  function templates(request: RemoteCall, id: string | undefined): Reply {
    if (id === undefined && request.method === 'GET') {
      const all = request.query.get('includeEndpointBoundTemplates') === 'true';
      return ok([...account.templates.values()].filter(({ boundTo }) => all || boundTo === null).map(templateV1));
    }
    if (id === undefined) {
      const body = request.json();
      const name = text(body, 'name');
      const image = text(body, 'imageName');
      if (!name || !image) throw new Refusal(400, 'name and imageName are required');
      if ([...account.templates.values()].some((other) => other.name === name)) throw nameTaken(name);
      const isServerless = flagOf(body, 'isServerless') ?? false;
      const category = (text(body, 'category') ?? 'NVIDIA') as RemoteTemplate['category'];
      const fields = { ports: ['8888/http', '22/tcp'], ...templateFrom(body), name, image, isServerless, category };
      return ok(templateV1(addTemplate(account, fields)));
    }
    const template = recordOf(account.templates, id, 'template');
    if (request.method === 'GET') return ok(templateV1(template));
    if (request.method === 'DELETE') {
      const user = [...account.endpoints.values()].find(({ templateId }) => templateId === id);
      if (user) throw new Refusal(400, `template is in use by endpoint ${user.id}`);
      account.templates.delete(id);
      return noContent;
    }
    Object.assign(template, templateFrom(request.json()));
    const { image, startCmd, entrypoint, disk, env, ports, registryId } = template;
    for (const endpoint of account.endpoints.values()) {
      if (endpoint.templateId !== id) continue;
      Object.assign(endpoint, { image, startCmd, entrypoint, disk, env, ports, registryId });
      endpoint.version++;
    }
    return ok(templateV1(template));
  }

  function endpoints(request: RemoteCall, id: string | undefined): Reply {
    const shown = (endpoint: RemoteEndpoint): object => endpointV1(account, endpoint, request.query);
    if (id === undefined && request.method === 'GET') return ok([...account.endpoints.values()].map(shown));
    if (id === undefined) {
      const body = request.json();
      const templateId = text(body, 'templateId') ?? '';
      if (!account.templates.has(templateId)) throw new Refusal(400, 'templateId: template not found');
      const name = text(body, 'name') ?? 'my endpoint';
      return ok(shown(addEndpoint(account, { ...endpointFrom(body), name, templateId, createdAt: now() })));
    }
    const endpoint = recordOf(account.endpoints, id, 'endpoint');
    if (request.method === 'GET') return ok(shown(endpoint));
    if (request.method === 'DELETE') {
      removeEndpoint(account, id);
      return noContent;
    }
    Object.assign(endpoint, endpointFrom(request.json(), endpoint));
    return ok(shown(endpoint));
  }

  function pods(request: RemoteCall, id: string | undefined, action: string | undefined): Reply {
    const shown = (pod: Parameters<typeof podV1>[1]): object => podV1(account, pod, request.query);
    if (id === undefined && request.method === 'GET') {
      return ok([...account.pods.values()].filter(({ status }) => status !== 'TERMINATED').map(shown));
    }
    if (id === undefined) {
      const pod = addPod(account, { ...podFromV1(account, request.json()), createdAt: now() });
      return { status: 201, json: shown(pod) };
    }
    const pod = recordOf(account.pods, id, 'pod');
    if (action === 'start') return ok(shown(startPod(pod, now())));
    if (action === 'stop') return ok(shown(stopPod(pod)));
    if (action === 'restart' || action === 'reset') return ok(shown(restartPod(pod, action, now())));
    if (request.method === 'GET') return ok(shown(pod));
    if (request.method === 'DELETE') {
      account.pods.delete(id);
      return noContent;
    }
    Object.assign(pod, podChangeFromV1(request.json()));
    return ok(shown(pod));
  }

  return (request: RemoteCall): Reply => {
    const [area = '', id, action] = request.path;
    // POST …/update is another way to write PATCH.
    const isUpdate = action === 'update' && request.method === 'POST';
    const written = isUpdate ? { ...request, method: 'PATCH' } : request;
    if (area === 'templates') return templates(written, id);
    if (area === 'endpoints') return endpoints(written, id);
    if (area === 'networkvolumes') return volumes(account, written, id);
    if (area === 'containerregistryauth') return registries(account, written, id);
    if (area === 'pods') return pods(written, id, isUpdate ? undefined : action);
    if (area === 'billing' && request.method === 'GET') return ok(billingV1(account, id ?? '', request.query, now()));
    throw notFound('route');
  };
}
