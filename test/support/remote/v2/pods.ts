/** Pods and their logs as REST v2 of the fake tells of them. */
import { bodyOf, containerFrom, podAction, podChange, podCreate } from './bodies.ts';
import { noCapacity } from '../v1/pods.ts';
import { addPod, costOf, newId, type RemoteAccount, type RemotePod } from '../records.ts';
import { recordOf, noContent, notFound, ok, Refusal, type RemoteCall, type Reply } from '../wire.ts';

const actions: Readonly<Record<RemotePod['status'], readonly string[]>> = {
  RUNNING: ['stop', 'restart', 'terminate'],
  EXITED: ['start', 'terminate'],
  ERROR: ['start', 'terminate'],
  PROVISIONING: ['stop', 'terminate'],
  STARTING: ['stop', 'terminate'],
  TERMINATED: [],
};

export function podV2(account: RemoteAccount, pod: RemotePod, now: number): object {
  const isUp = pod.status === 'RUNNING';
  const direct = isUp && pod.ssh !== null && pod.ports.includes('22/tcp') ? pod.ssh : null;
  const user = `${pod.id}-64411eb2`;
  const network = pod.networkVolumeId === '' ? null : { volumeId: pod.networkVolumeId, path: pod.volumeMountPath };
  return {
    id: pod.id,
    name: pod.name,
    image: pod.image,
    args: pod.args,
    disk: pod.disk,
    ports: pod.ports,
    env: pod.env,
    registry: pod.registryId === '' ? null : pod.registryId,
    status: pod.status,
    actions: actions[pod.status],
    mounts: network ? { network: [network] } : { persistent: { size: pod.volumeInGb, path: pod.volumeMountPath } },
    ...(pod.gpu && { gpu: { ...pod.gpu, vcpuCount: 8, memory: 31 } }),
    ...(pod.cpu && { cpu: { ...pod.cpu, memory: pod.cpu.vcpuCount * 2 } }),
    cloud: pod.cloud,
    dataCenterId: pod.dataCenterId,
    cudaVersion: pod.gpu ? '12.8' : null,
    ssh: {
      proxy: isUp
        ? { host: 'ssh.example.com', port: 22, username: user, command: `ssh ${user}@ssh.example.com` }
        : null,
      direct: direct && {
        host: direct.host,
        port: direct.port,
        username: 'root',
        command: `ssh root@${direct.host} -p ${direct.port}`,
      },
    },
    template: pod.templateId === '' ? null : pod.templateId,
    cost: costOf(account, pod),
    locked: pod.locked,
    globalNetworking: { enabled: pod.globalNetworking },
    runtime: isUp ? runtimeOf(pod, now, direct) : null,
    createdAt: new Date(pod.createdAt).toISOString(),
    startedAt: pod.startedAt === null ? null : new Date(pod.startedAt).toISOString(),
  };
}

function runtimeOf(pod: RemotePod, now: number, direct: { host: string; port: number } | null): object {
  const http = pod.ports
    .filter((port) => port.endsWith('/http'))
    .map((port) => ({ private: Number.parseInt(port, 10), public: 60_000, type: 'http', ip: '100.65.3.7' }));
  return {
    uptime: Math.round((now - (pod.startedAt ?? now)) / 1000),
    gpus: Array.from({ length: pod.gpu?.count ?? 0 }, () => ({ util: pod.isIdle ? 0 : 63, memoryUtil: 41 })),
    cpu: { util: pod.isIdle ? 1 : 12 },
    memory: { util: 34 },
    ports: [...http, ...(direct ? [{ private: 22, public: direct.port, type: 'tcp', ip: direct.host }] : [])],
  };
}

function made(account: RemoteAccount, request: RemoteCall, now: number): RemotePod {
  const body = bodyOf(request, podCreate);
  if ((body.gpu === undefined) === (body.cpu === undefined)) {
    throw new Refusal(422, 'Request validation failed.', { errors: ['exactly one of gpu and cpu is required'] });
  }
  const template = body.templateId === undefined ? null : recordOf(account.templates, body.templateId, 'template');
  if (!template && body.image === undefined) {
    throw new Refusal(422, 'Request validation failed.', { errors: ['image is required'] });
  }
  const type = account.gpus.find(({ id }) => id === body.gpu?.id);
  if (body.gpu && !type) throw new Refusal(400, `unknown gpu: ${body.gpu.id}`);
  if (type?.stock === 'NONE') throw new Refusal(400, noCapacity().message);
  const network = body.mounts?.network?.[0];
  if (network) recordOf(account.volumes, network.volumeId, 'network volume');
  const env = { ...(template?.env ?? {}), ...body.env };
  if (body.startSsh && account.sshKeys.length > 0) env['PUBLIC_KEY'] = account.sshKeys.join('\n');
  if (body.startJupyter) env['JUPYTER_PASSWORD'] = newId(20);
  return addPod(account, {
    ...(template && { image: template.image, args: template.args, ports: template.ports, disk: template.disk }),
    ...containerFrom(body),
    name: body.name,
    env,
    cloud: body.cloud,
    globalNetworking: body.globalNetworking,
    gpu: body.gpu ? { id: body.gpu.id, count: body.gpu.count } : null,
    cpu: body.cpu ?? null,
    ...(network ? { networkVolumeId: network.volumeId, volumeMountPath: network.path } : {}),
    ...(body.mounts?.persistent && {
      volumeInGb: body.mounts.persistent.size,
      volumeMountPath: body.mounts.persistent.path,
    }),
    templateId: body.templateId ?? '',
    dataCenterId: body.dataCenterIds?.[0] ?? 'US-KS-2',
    createdAt: now,
  });
}

function act(account: RemoteAccount, pod: RemotePod, request: RemoteCall, now: number): Reply {
  const { action } = bodyOf(request, podAction);
  if (!actions[pod.status].includes(action)) {
    throw new Refusal(409, `action ${action} is not valid for a pod that is ${pod.status}`);
  }
  if (action === 'terminate') {
    account.pods.delete(pod.id);
    return noContent;
  }
  if (pod.locked && action === 'stop') throw new Refusal(409, 'pod is locked');
  if (action === 'stop') Object.assign(pod, { status: 'EXITED' });
  else Object.assign(pod, { status: 'RUNNING', startedAt: now });
  return ok(podV2(account, pod, now));
}

export function podsV2(account: RemoteAccount, request: RemoteCall, now: number): Reply | { list: object[] } {
  const [, id, part] = request.path;
  if (id === undefined) {
    if (request.method === 'GET') return { list: [...account.pods.values()].map((pod) => podV2(account, pod, now)) };
    return { status: 201, json: podV2(account, made(account, request, now), now) };
  }
  const pod = recordOf(account.pods, id, 'pod');
  if (part === 'action') return act(account, pod, request, now);
  if (part !== undefined) throw notFound('resource');
  if (request.method === 'DELETE') {
    account.pods.delete(id);
    return noContent;
  }
  if (request.method === 'PATCH') {
    const { mounts, ...body } = bodyOf(request, podChange);
    const { name, locked, globalNetworking } = body;
    Object.assign(pod, containerFrom(body), {
      ...(name !== undefined && { name }),
      ...(locked !== undefined && { locked }),
      ...(globalNetworking !== undefined && { globalNetworking }),
      ...(mounts?.persistent && { volumeInGb: mounts.persistent.size, volumeMountPath: mounts.persistent.path }),
    });
  }
  return ok(podV2(account, pod, now));
}
