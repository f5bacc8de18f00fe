/** A Pod as REST v2 answers it. */
import * as z from 'zod';
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import type { Pod, PodFacts, PodRuntime } from '#contract/api/pod.ts';
import type { MeasuredFacts, PodRecord } from '../../domain/pods/podInterfaces.ts';
import { HERE } from '../../domain/pods/env.ts';
import { isLockedFor } from '../../domain/pods/state.ts';
import { containerAnswer, containerFrom } from './container.ts';
import type { Named } from '../openapi/operation.ts';

const statuses = ['PROVISIONING', 'STARTING', 'RUNNING', 'EXITED', 'ERROR', 'TERMINATED'] as const;
type Status = (typeof statuses)[number];
export const actionNames = ['start', 'stop', 'restart', 'terminate'] as const;
export type Action = (typeof actionNames)[number];

/** The actions that a Pod in each status can take. */
export const allowed: Readonly<Record<Status, readonly Action[]>> = {
  PROVISIONING: ['stop', 'terminate'],
  STARTING: ['stop', 'terminate'],
  RUNNING: ['stop', 'restart', 'terminate'],
  EXITED: ['start', 'terminate'],
  ERROR: ['start', 'terminate'],
  TERMINATED: [],
};

const use = z.object({ util: z.int() });
const endpointOfSsh = z.object({ host: z.string(), port: z.int(), username: z.string(), command: z.string() });
export const podAnswer = {
  name: 'Pod',
  schema: z.object({
    id: z.string(),
    name: z.string(),
    status: z.enum(statuses),
    actions: z.array(z.enum(actionNames)).meta({ description: 'What can be done with it now.' }),
    ...containerAnswer,
    mounts: z.object({
      persistent: z.object({ size: z.int(), path: z.string() }).optional(),
      network: z.array(z.object({ volumeId: z.string(), path: z.string() })).optional(),
    }),
    gpu: z.object({ id: z.string(), count: z.int(), vcpuCount: z.int(), memory: z.int() }).optional(),
    cpu: z.object({ id: z.string(), vcpuCount: z.int(), memory: z.int() }).optional(),
    cloud: z.literal('SECURE'),
    dataCenterId: z.string(),
    cudaVersion: z.null(),
    ssh: z.object({ proxy: z.null(), direct: endpointOfSsh.nullable() }),
    template: z.string().nullable(),
    cost: z.number().meta({ description: 'US dollars an hour; 0 while it is stopped.' }),
    locked: z.boolean(),
    globalNetworking: z.object({ enabled: z.literal(false) }),
    runtime: z
      .object({
        uptime: z.int(),
        gpus: z.array(use.extend({ memoryUtil: z.int() })),
        cpu: use,
        memory: use,
        ports: z.array(
          z.object({
            private: z.int(),
            public: z.int().nullable(),
            type: z.enum(['http', 'tcp']),
            ip: z.string().nullable(),
          }),
        ),
      })
      .nullable(),
    createdAt: z.string(),
    startedAt: z.string().nullable(),
  }),
} satisfies Named;
export type PodAnswer = z.output<typeof podAnswer.schema>;

/** The status of REST v2, which joins the wanted state of a Pod and the state of its container. */
export function statusOf(
  { desiredStatus }: PodRecord,
  { runtime, preparing, problem }: Pick<PodFacts, 'runtime' | 'preparing' | 'problem'>,
): Status {
  if (desiredStatus !== 'RUNNING') return desiredStatus;
  if (runtime !== null) return 'RUNNING';
  if (preparing !== null) return 'PROVISIONING';
  return problem === null ? 'STARTING' : 'ERROR';
}

const whole = (percent: number): { util: number } => ({ util: Math.round(percent) });

/** The usage of a running Pod: percentages as whole numbers, uptime in seconds. */
const runtimeFrom = ({ uptimeInSeconds, gpus, container, ports }: PodRuntime): PodAnswer['runtime'] => ({
  uptime: uptimeInSeconds,
  gpus: gpus.map((gpu) => ({ ...whole(gpu.gpuUtilPercent), memoryUtil: Math.round(gpu.memoryUtilPercent) })),
  cpu: whole(container.cpuPercent),
  memory: whole(container.memoryPercent),
  // An http port is reached by a name of the engine, and has no address of its own.
  ports: ports.map(({ privatePort, publicPort, type, ip }) => ({
    private: privatePort,
    type,
    ...(type === 'tcp' ? { public: publicPort, ip } : { public: null, ip: null }),
  })),
});

const SSH_PORT = 22;
/** The SSH address of the Pod; `direct` is null without a public port 22. */
function sshOf(runtime: PodRuntime | null): PodAnswer['ssh'] {
  const port = runtime?.ports.find(({ privatePort, type }) => type === 'tcp' && privatePort === SSH_PORT);
  if (!port) return { proxy: null, direct: null };
  const { ip: host, publicPort } = port;
  return {
    proxy: null,
    direct: { host, port: publicPort, username: 'root', command: `ssh root@${host} -p ${publicPort}` },
  };
}

/** Its network volume, its own volume with GB, or neither. */
function mountsFrom({ networkVolumeId, volumeMountPath, volumeInGb }: Pod): PodAnswer['mounts'] {
  if (networkVolumeId !== null) return { network: [{ volumeId: networkVolumeId, path: volumeMountPath }] };
  return volumeInGb > 0 ? { persistent: { size: volumeInGb, path: volumeMountPath } } : {};
}

/** The actions that the Pod allows now; a locked Pod allows fewer. */
const actionsOf = (record: PodRecord, status: Status): Action[] =>
  allowed[status].filter((action) => !isLockedFor(record, action));

/** The answer with a Pod. */
export function podView(pod: Pod, record: PodRecord, facts: MeasuredFacts): PodAnswer {
  const status = statusOf(record, facts);
  const { vcpuCount, memoryInGb: memory } = pod;
  return {
    id: pod.id,
    name: pod.name,
    status,
    actions: actionsOf(record, status),
    ...containerFrom(record, record.dockerArgs),
    mounts: mountsFrom(pod),
    ...(pod.gpu
      ? { gpu: { id: pod.gpu.id, count: pod.gpu.count, vcpuCount, memory } }
      : { cpu: { id: CPU_TYPE, vcpuCount, memory } }),
    cloud: 'SECURE',
    dataCenterId: HERE,
    cudaVersion: null,
    ssh: sshOf(facts.runtime),
    template: pod.templateId === '' ? null : pod.templateId,
    locked: pod.locked,
    cost: pod.desiredStatus === 'RUNNING' ? pod.costPerHr : 0,
    globalNetworking: { enabled: false },
    runtime: facts.runtime && runtimeFrom(facts.runtime),
    createdAt: pod.createdAt,
    startedAt: pod.lastStartedAt,
  };
}
