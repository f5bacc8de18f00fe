/** REST v2 of the fake: wrapped lists in pages, strict bodies, and each part of it in its place. */
import { billingV2 } from '../billing.ts';
import {
  bodyOf,
  containerFrom,
  registryCreate,
  sshKeys,
  templateChange,
  templateCreate,
  volumeChange,
  volumeCreate,
} from './bodies.ts';
import { catalogV2 } from './catalog.ts';
import { streamLogs } from './logs.ts';
import { podsV2 } from './pods.ts';
import { addTemplate, newId, type RemoteAccount, type RemoteTemplate } from '../records.ts';
import { serverlessV2, type ServerlessParts } from './serverless.ts';
import { recordOf, noContent, notFound, ok, Refusal, type RemoteCall, type Reply } from '../wire.ts';
import type * as z from 'zod';

type Listed = Reply | { list: object[] };

const templateV2 = (template: RemoteTemplate): object => ({
  id: template.id,
  name: template.name,
  image: template.image,
  args: template.args,
  disk: template.disk,
  mounts:
    template.volumeInGb >= 10 ? { persistent: { size: template.volumeInGb, path: template.volumeMountPath } } : {},
  ports: template.ports,
  env: template.env,
  registry: template.registryId === '' ? null : template.registryId,
  serverless: template.isServerless,
  public: template.isPublic,
  category: template.category,
  startSsh: template.startSsh,
  startJupyter: template.startJupyter,
  allowedCudaVersions: template.allowedCudaVersions,
});

function templateFrom({ mounts, ...body }: z.infer<typeof templateChange>): Partial<RemoteTemplate> {
  return {
    ...containerFrom(body),
    ...(body.name !== undefined && { name: body.name }),
    ...(body.category && { category: body.category }),
    ...(body.public !== undefined && { isPublic: body.public }),
    ...(body.serverless !== undefined && { isServerless: body.serverless }),
    ...(body.startSsh !== undefined && { startSsh: body.startSsh }),
    ...(body.startJupyter !== undefined && { startJupyter: body.startJupyter }),
    ...(body.allowedCudaVersions && { allowedCudaVersions: body.allowedCudaVersions }),
    ...(mounts?.persistent && { volumeInGb: mounts.persistent.size, volumeMountPath: mounts.persistent.path }),
  };
}

function templates(account: RemoteAccount, request: RemoteCall): Listed {
  const id = request.path[1];
  if (id === undefined) {
    if (request.method === 'GET') {
      return { list: [...account.templates.values()].filter(({ boundTo }) => boundTo === null).map(templateV2) };
    }
    const body = bodyOf(request, templateCreate);
    const none = { volumeInGb: 0, ports: [] as string[] };
    return {
      status: 201,
      json: templateV2(addTemplate(account, { ...none, ...templateFrom(body), name: body.name, image: body.image })),
    };
  }
  const template = recordOf(account.templates, id, 'template');
  if (request.method === 'DELETE') {
    account.templates.delete(id);
    return noContent;
  }
  if (request.method === 'PATCH') Object.assign(template, templateFrom(bodyOf(request, templateChange)));
  return ok(templateV2(template));
}

function volumes(account: RemoteAccount, request: RemoteCall): Listed {
  const id = request.path[1];
  const shown = ({ dataCenterId, ...volume }: { dataCenterId: string; id: string; name: string; size: number }) => ({
    ...volume,
    dataCenter: dataCenterId,
  });
  if (id === undefined) {
    if (request.method === 'GET') return { list: [...account.volumes.values()].map(shown) };
    const { name, size, dataCenter, type = 'STANDARD' } = bodyOf(request, volumeCreate);
    const volume = { id: newId(10), name, size, dataCenterId: dataCenter, type };
    account.volumes.set(volume.id, volume);
    return { status: 201, json: shown(volume) };
  }
  const volume = recordOf(account.volumes, id, 'network volume');
  if (request.method === 'DELETE') {
    account.volumes.delete(id);
    return noContent;
  }
  if (request.method === 'PATCH') {
    const body = bodyOf(request, volumeChange);
    if (body.size !== undefined && body.size < volume.size) throw new Refusal(400, 'size can only grow');
    Object.assign(volume, body);
  }
  return ok(shown(volume));
}

function registries(account: RemoteAccount, request: RemoteCall): Listed {
  const id = request.path[1];
  if (id === undefined) {
    const shown = ({ id: own, name }: { id: string; name: string }) => ({ id: own, name });
    if (request.method === 'GET') return { list: [...account.registries.values()].map(shown) };
    const registry = { id: newId(25), ...bodyOf(request, registryCreate) };
    account.registries.set(registry.id, registry);
    return { status: 201, json: shown(registry) };
  }
  const { id: own, name } = recordOf(account.registries, id, 'registry');
  if (request.method === 'DELETE') {
    if ([...account.pods.values()].some(({ registryId }) => registryId === id)) {
      throw new Refusal(400, 'registry is used by a pod');
    }
    account.registries.delete(id);
    return noContent;
  }
  return ok({ id: own, name });
}

/** A page of a list: `cursor` is where it begins. */
function page(name: string, list: object[], query: URLSearchParams): Reply {
  const from = Number(query.get('cursor') ?? 0);
  const limit = Number(query.get('limit') ?? list.length);
  if (!Number.isInteger(from) || !Number.isInteger(limit) || limit < 0)
    throw new Refusal(400, 'invalid cursor or limit');
  const next = from + limit;
  const hasNextPage = next < list.length;
  return ok({
    [name]: list.slice(from, next),
    pagination: { nextCursor: hasNextPage ? String(next) : null, hasNextPage },
  });
}

/** Where each part lives, what its list is called, and which methods it takes at all. */
const allowed: Readonly<Record<string, readonly [list: string, one: string]>> = {
  pods: ['GET, POST', 'GET, PATCH, DELETE'],
  serverless: ['GET, POST', 'GET, PATCH, DELETE'],
  templates: ['GET, POST', 'GET, PATCH, DELETE'],
  'network-volumes': ['GET, POST', 'GET, PATCH, DELETE'],
  registries: ['GET, POST', 'GET, DELETE'],
  catalog: ['GET', 'GET'],
  billing: ['GET', 'GET'],
};

export function createRestV2(parts: ServerlessParts, stopping: AbortSignal) {
  const { account, now } = parts;

  async function answer(request: RemoteCall): Promise<Reply | null> {
    const [area = '', id, part] = request.path;
    if (area === 'account' && id === 'ssh-keys') {
      if (request.method === 'PUT') account.sshKeys = bodyOf(request, sshKeys).keys;
      return ok({ keys: account.sshKeys });
    }
    const methods = allowed[area];
    if (!methods) throw notFound('resource');
    const isLogs = part === 'logs' || request.path[4] === 'logs';
    const permitted =
      part === 'action' ? 'POST' : part !== undefined ? 'GET' : id === undefined ? methods[0] : methods[1];
    if (!permitted.split(', ').includes(request.method)) {
      throw new Refusal(405, `${request.method} is not supported here`, { headers: { allow: permitted } });
    }
    if (isLogs) {
      if (area === 'pods') recordOf(account.pods, id, 'pod');
      else recordOf(account.endpoints, id, 'endpoint');
      await streamLogs(account, (area === 'pods' ? id : request.path[3]) ?? '', request, stopping);
      return null;
    }
    const listed = (name: string, result: Listed): Reply =>
      'list' in result ? page(name, result.list, request.query) : result;
    switch (area) {
      case 'pods':
        return listed('pods', podsV2(account, request, now()));
      case 'serverless':
        return listed('endpoints', serverlessV2(parts, request));
      case 'templates':
        return listed('templates', templates(account, request));
      case 'network-volumes':
        return listed('networkVolumes', volumes(account, request));
      case 'registries':
        return listed('registries', registries(account, request));
      case 'billing':
        return ok(billingV2(account, id, request.query, now()));
      default:
        return ok(catalogV2(account, request));
    }
  }
  return answer;
}
