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
import { found, noContent, notFound, ok, Refusal, type Asked, type Reply } from '../wire.ts';
import type * as z from 'zod';

type Listed = Reply | { list: object[] };

const templateV2 = (template: RemoteTemplate): object => ({
  ...{ id: template.id, name: template.name, image: template.image, args: template.args, disk: template.disk },
  mounts:
    template.volumeInGb >= 10 ? { persistent: { size: template.volumeInGb, path: template.volumeMountPath } } : {},
  ...{ ports: template.ports, env: template.env, registry: template.registryId === '' ? null : template.registryId },
  ...{ serverless: template.isServerless, public: template.isPublic, category: template.category },
  ...{ startSsh: template.startSsh, startJupyter: template.startJupyter },
  allowedCudaVersions: template.allowedCudaVersions,
});

function templateFrom({ mounts, ...given }: z.infer<typeof templateChange>): Partial<RemoteTemplate> {
  return {
    ...containerFrom(given),
    ...(given.name !== undefined && { name: given.name }),
    ...(given.category && { category: given.category }),
    ...(given.public !== undefined && { isPublic: given.public }),
    ...(given.serverless !== undefined && { isServerless: given.serverless }),
    ...(given.startSsh !== undefined && { startSsh: given.startSsh }),
    ...(given.startJupyter !== undefined && { startJupyter: given.startJupyter }),
    ...(given.allowedCudaVersions && { allowedCudaVersions: given.allowedCudaVersions }),
    ...(mounts?.persistent && { volumeInGb: mounts.persistent.size, volumeMountPath: mounts.persistent.path }),
  };
}

function templates(account: RemoteAccount, asked: Asked): Listed {
  const id = asked.path[1];
  if (id === undefined) {
    if (asked.method === 'GET') {
      return { list: [...account.templates.values()].filter(({ boundTo }) => boundTo === null).map(templateV2) };
    }
    const given = bodyOf(asked, templateCreate);
    const none = { volumeInGb: 0, ports: [] as string[] };
    return {
      status: 201,
      json: templateV2(addTemplate(account, { ...none, ...templateFrom(given), name: given.name, image: given.image })),
    };
  }
  const template = found(account.templates, id, 'template');
  if (asked.method === 'DELETE') {
    account.templates.delete(id);
    return noContent;
  }
  if (asked.method === 'PATCH') Object.assign(template, templateFrom(bodyOf(asked, templateChange)));
  return ok(templateV2(template));
}

function volumes(account: RemoteAccount, asked: Asked): Listed {
  const id = asked.path[1];
  const shown = ({ dataCenterId, ...volume }: { dataCenterId: string; id: string; name: string; size: number }) => ({
    ...volume,
    dataCenter: dataCenterId,
  });
  if (id === undefined) {
    if (asked.method === 'GET') return { list: [...account.volumes.values()].map(shown) };
    const { name, size, dataCenter, type = 'STANDARD' } = bodyOf(asked, volumeCreate);
    const volume = { id: newId(10), name, size, dataCenterId: dataCenter, type };
    account.volumes.set(volume.id, volume);
    return { status: 201, json: shown(volume) };
  }
  const volume = found(account.volumes, id, 'network volume');
  if (asked.method === 'DELETE') {
    account.volumes.delete(id);
    return noContent;
  }
  if (asked.method === 'PATCH') {
    const given = bodyOf(asked, volumeChange);
    if (given.size !== undefined && given.size < volume.size) throw new Refusal(400, 'size can only grow');
    Object.assign(volume, given);
  }
  return ok(shown(volume));
}

function registries(account: RemoteAccount, asked: Asked): Listed {
  const id = asked.path[1];
  if (id === undefined) {
    const shown = ({ id: own, name }: { id: string; name: string }) => ({ id: own, name });
    if (asked.method === 'GET') return { list: [...account.registries.values()].map(shown) };
    const registry = { id: newId(25), ...bodyOf(asked, registryCreate) };
    account.registries.set(registry.id, registry);
    return { status: 201, json: shown(registry) };
  }
  const { id: own, name } = found(account.registries, id, 'registry');
  if (asked.method === 'DELETE') {
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

  async function answer(asked: Asked): Promise<Reply | null> {
    const [area = '', id, part] = asked.path;
    if (area === 'account' && id === 'ssh-keys') {
      if (asked.method === 'PUT') account.sshKeys = bodyOf(asked, sshKeys).keys;
      return ok({ keys: account.sshKeys });
    }
    const methods = allowed[area];
    if (!methods) throw notFound('resource');
    const isLogs = part === 'logs' || asked.path[4] === 'logs';
    const permitted =
      part === 'action' ? 'POST' : part !== undefined ? 'GET' : id === undefined ? methods[0] : methods[1];
    if (!permitted.split(', ').includes(asked.method)) {
      throw new Refusal(405, `${asked.method} is not supported here`, { headers: { allow: permitted } });
    }
    if (isLogs) {
      if (area === 'pods') found(account.pods, id, 'pod');
      else found(account.endpoints, id, 'endpoint');
      await streamLogs(account, (area === 'pods' ? id : asked.path[3]) ?? '', asked, stopping);
      return null;
    }
    const listed = (name: string, result: Listed): Reply =>
      'list' in result ? page(name, result.list, asked.query) : result;
    switch (area) {
      case 'pods':
        return listed('pods', podsV2(account, asked, now()));
      case 'serverless':
        return listed('endpoints', serverlessV2(parts, asked));
      case 'templates':
        return listed('templates', templates(account, asked));
      case 'network-volumes':
        return listed('networkVolumes', volumes(account, asked));
      case 'registries':
        return listed('registries', registries(account, asked));
      case 'billing':
        return ok(billingV2(account, id, asked.query, now()));
      default:
        return ok(catalogV2(account, asked));
    }
  }
  return answer;
}
