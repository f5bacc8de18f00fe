/** Pods as REST v1 tells of them, live deviations included, and what its actions do. */
import { costOf, newId, type RemoteAccount, type RemotePod } from '../records.ts';
import { Refusal } from '../wire.ts';

/** Live, times of Pods look like this. */
const oddDate = (at: number): string => `${new Date(at).toISOString().replace('T', ' ').replace('Z', '')} +0000 UTC`;

const desired = (pod: RemotePod): string =>
  pod.status === 'EXITED' || pod.status === 'ERROR' ? 'EXITED' : pod.status === 'TERMINATED' ? 'TERMINATED' : 'RUNNING';

export function podV1(account: RemoteAccount, pod: RemotePod, query: URLSearchParams): object {
  const isUp = pod.status === 'RUNNING';
  const gpu = account.gpus.find(({ id }) => id === pod.gpu?.id);
  return {
    id: pod.id,
    name: pod.name,
    imageName: pod.image,
    desiredStatus: desired(pod),
    adjustedCostPerHr: costOf(account, pod),
    costPerHr: costOf(account, pod),
    consumerUserId: 'user_2example',
    containerDiskInGb: pod.disk,
    createdAt: oddDate(pod.createdAt),
    env: pod.env,
    gpuCount: pod.gpu?.count ?? 0,
    dockerStartCmd: pod.startCmd,
    dockerEntrypoint: pod.entrypoint,
    ...(pod.gpu && { gpu: { id: pod.gpu.id, count: pod.gpu.count, displayName: gpu?.name ?? pod.gpu.id } }),
    interruptible: pod.interruptible,
    locked: pod.locked,
    machineId: 'm1example',
    machine: query.get('includeMachine') === 'true' ? { dataCenterId: pod.dataCenterId, gpuTypeId: pod.gpu?.id } : {},
    lastStartedAt: pod.startedAt === null ? '' : oddDate(pod.startedAt),
    lastStatusChange: `Rented by User: ${new Date(pod.createdAt).toUTCString()}`,
    memoryInGb: 31,
    vcpuCount: pod.cpu?.vcpuCount ?? 8,
    ports: pod.ports,
    templateId: pod.templateId,
    volumeInGb: pod.volumeInGb,
    volumeMountPath: pod.volumeMountPath,
    volumeEncrypted: false,
    networkVolumeId: pod.networkVolumeId === '' ? null : pod.networkVolumeId,
    portMappings: isUp && pod.ssh ? { 22: pod.ssh.port } : null,
    publicIp: isUp && pod.ssh ? pod.ssh.host : '',
    // Not described anywhere.
    podType: pod.interruptible ? 'INTERRUPTABLE' : 'RESERVED',
  };
}

type Given = Record<string, unknown>;
const changed = (body: Given): Partial<RemotePod> =>
  Object.fromEntries(
    (
      [
        ['name', body['name']],
        ['locked', body['locked']],
        ['image', body['imageName']],
        ['env', body['env']],
        ['ports', body['ports']],
        ['startCmd', body['dockerStartCmd']],
        ['entrypoint', body['dockerEntrypoint']],
        ['disk', body['containerDiskInGb']],
        ['volumeInGb', body['volumeInGb']],
        ['volumeMountPath', body['volumeMountPath']],
        ['registryId', body['containerRegistryAuthId']],
        ['globalNetworking', body['globalNetworking']],
      ] as const
    ).filter(([, value]) => value !== undefined),
  );
export const podChangeFromV1 = changed;

export const noCapacity = (): Refusal =>
  new Refusal(500, 'There are no instances currently available with the requested specifications');

export function podFromV1(account: RemoteAccount, body: Given): Partial<RemotePod> & { name: string } {
  const templateId = typeof body['templateId'] === 'string' ? body['templateId'] : '';
  const template = account.templates.get(templateId);
  if (templateId !== '' && !template) throw new Refusal(400, 'templateId: template not found');
  if (!template && typeof body['imageName'] !== 'string') throw new Refusal(400, 'imageName is required');
  const wanted = (body['gpuTypeIds'] as string[] | undefined) ?? account.gpus.map(({ id }) => id);
  const isCpu = body['computeType'] === 'CPU';
  const type = account.gpus.find(({ id, stock }) => wanted.includes(id) && stock !== 'NONE');
  if (!isCpu && !type) throw noCapacity();
  return {
    ports: ['8888/http', '22/tcp'],
    ...(template && {
      image: template.image,
      startCmd: template.startCmd,
      entrypoint: template.entrypoint,
      env: template.env,
      ports: template.ports,
      disk: template.disk,
      registryId: template.registryId,
      volumeInGb: template.volumeInGb,
      volumeMountPath: template.volumeMountPath,
    }),
    ...changed(body),
    id: newId(),
    name: (body['name'] as string | undefined) ?? 'my pod',
    templateId,
    gpu: isCpu || !type ? null : { id: type.id, count: (body['gpuCount'] as number | undefined) ?? 1 },
    cpu: isCpu ? { id: 'cpu3c', vcpuCount: (body['vcpuCount'] as number | undefined) ?? 2 } : null,
    networkVolumeId: (body['networkVolumeId'] as string | undefined) ?? '',
    interruptible: body['interruptible'] === true,
    cloud: body['cloudType'] === 'COMMUNITY' ? 'COMMUNITY' : 'SECURE',
  };
}

export function startPod(pod: RemotePod, at: number): RemotePod {
  return Object.assign(pod, { status: 'RUNNING', startedAt: at });
}

export function stopPod(pod: RemotePod): RemotePod {
  if (pod.locked) throw new Refusal(400, 'pod is locked');
  return Object.assign(pod, { status: 'EXITED' });
}

/** The public port of a Pod changes when its container is made anew. */
export function restartPod(pod: RemotePod, action: 'restart' | 'reset', at: number): RemotePod {
  if (action === 'reset' && pod.locked) throw new Refusal(400, 'pod is locked');
  if (pod.status !== 'RUNNING') throw new Refusal(400, 'pod is not running');
  return Object.assign(pod, { startedAt: at });
}
