/** Converts a Pod of REST v2 to the fields of the description. */
import type { Pod, PodFacts, PodRuntimeNow } from '#contract/api/pod.ts';
import * as z from 'zod';
import { containerFields, containerFrom, mountsSchema } from './containers.ts';

const count = z.number().catch(0);
const numberOrNull = z.number().nullish().catch(null);
const textOrNull = z.string().nullish().catch(null);

const runtimeSchema = z.looseObject({
  uptime: count,
  /** A load that is not reported is not zero: an idle Pod may be stopped. */
  gpus: z.array(z.looseObject({ util: z.number(), memoryUtil: count }).nullable().catch(null)).catch([]),
  cpu: z.looseObject({ util: z.number() }).nullable().catch(null),
  memory: z.looseObject({ util: count }).catch({ util: 0 }),
  ports: z
    .array(z.looseObject({ private: count, public: numberOrNull, type: z.string().catch(''), ip: textOrNull }))
    .catch([]),
});

export const podV2Schema = z.looseObject({
  ...containerFields,
  id: z.string(),
  name: z.string().catch(''),
  status: z.string().catch(''),
  mounts: mountsSchema,
  gpu: z
    .looseObject({ id: z.string(), count: z.number().catch(1), vcpuCount: count, memory: count })
    .nullish()
    .catch(null),
  cpu: z
    .looseObject({ id: z.string().catch(''), vcpuCount: count, memory: count })
    .nullish()
    .catch(null),
  dataCenterId: textOrNull,
  template: textOrNull,
  cost: count,
  locked: z.boolean().catch(false),
  runtime: runtimeSchema.nullish().catch(null),
  createdAt: z.string().catch(''),
  startedAt: textOrNull,
});
export type PodV2 = z.infer<typeof podV2Schema>;

/** A Pod in an unknown state may cost money, so it counts as running. */
const desiredOf = (status: string): Pod['desiredStatus'] =>
  status === 'EXITED' || status === 'TERMINATED' ? status : 'RUNNING';

/** Whether the address is reachable from outside. */
const isPublic = (ip: string | null | undefined): ip is string =>
  !!ip && !/^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(ip);

export function podFrom({ template, ...answer }: PodV2): Pod {
  const { gpu, cpu, mounts, runtime } = answer;
  const network = mounts.network[0];
  const open = runtime?.ports.filter(({ type, ip, public: port }) => type === 'tcp' && isPublic(ip) && port) ?? [];
  return {
    // Other fields keep their names, such as the SSH address.
    ...answer,
    ...containerFrom(answer),
    desiredStatus: desiredOf(answer.status),
    lastStartedAt: answer.startedAt ?? '',
    lastStatusChange: '',
    consumerUserId: '',
    machineId: '',
    costPerHr: answer.cost,
    adjustedCostPerHr: answer.cost,
    interruptible: false,
    gpu: gpu ? { ...gpu, displayName: gpu.id, securePrice: 0, communityPrice: 0 } : null,
    gpuCount: gpu?.count ?? 0,
    machine: { ...(gpu && { gpuTypeId: gpu.id }), ...(answer.dataCenterId && { dataCenterId: answer.dataCenterId }) },
    memoryInGb: gpu?.memory ?? cpu?.memory ?? 0,
    vcpuCount: gpu?.vcpuCount ?? cpu?.vcpuCount ?? 0,
    networkVolumeId: network?.volumeId ?? null,
    portMappings: runtime ? Object.fromEntries(open.map((port) => [String(port.private), port.public ?? 0])) : null,
    publicIp: open[0]?.ip ?? null,
    savingsPlans: [],
    slsVersion: 0,
    templateId: template ?? '',
    volumeEncrypted: false,
    volumeInGb: mounts.persistent?.size ?? 0,
    volumeMountPath: mounts.persistent?.path ?? network?.path ?? '',
  };
}

function runtimeFrom(runtime: z.infer<typeof runtimeSchema>): PodRuntimeNow {
  return {
    uptimeInSeconds: Math.round(runtime.uptime),
    ports: runtime.ports.flatMap(({ ip, type, private: privatePort, public: publicPort }) =>
      type === 'http' || type === 'tcp'
        ? [{ ip: ip ?? '', isIpPublic: isPublic(ip), privatePort, publicPort: publicPort ?? 0, type }]
        : [],
    ),
    gpus: runtime.gpus.flatMap((gpu, at) =>
      gpu === null ? [] : [{ id: String(at), gpuUtilPercent: gpu.util, memoryUtilPercent: gpu.memoryUtil }],
    ),
    container: runtime.cpu && { cpuPercent: runtime.cpu.util, memoryPercent: runtime.memory.util },
  };
}

const preparing: Readonly<Record<string, string>> = {
  PROVISIONING: 'Waiting for a machine',
  STARTING: 'Starting its container',
};

export function factsFrom(answer: PodV2, httpAddress: ((podId: string, port: number) => string) | null): PodFacts {
  const { id, status, ports, runtime } = answer;
  const open = ports.filter((port) => port.endsWith('/http')).map((port) => Number.parseInt(port, 10));
  return {
    id,
    preparing: preparing[status] ?? null,
    problem: status === 'ERROR' ? 'The service reports that it failed. Start it again, or check its log there.' : null,
    runtime: runtime ? runtimeFrom(runtime) : null,
    httpAddresses: httpAddress ? Object.fromEntries(open.map((port) => [String(port), httpAddress(id, port)])) : {},
    gpus: [],
  };
}
