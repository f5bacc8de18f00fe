/** A Pod as REST v2 answers it. */
import * as z from 'zod';
import type { Pod, PodFacts, PodRuntime } from '#contract/api/pod.ts';
import type { PodRecord } from '../../domain/pods/podInterfaces.ts';
import { isLockedFor } from '../../domain/pods/state.ts';
import { containerAnswer } from './container.ts';
import type { Named } from './protocol/operation.ts';

const statuses = ['PROVISIONING', 'STARTING', 'RUNNING', 'EXITED', 'ERROR', 'TERMINATED'] as const;
export type Status = (typeof statuses)[number];
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

/** The one word of REST v2 for what a Pod should do and what its container does. */
export function statusOf({ desiredStatus }: PodRecord, { runtime, preparing, problem }: PodFacts): Status {
  if (desiredStatus !== 'RUNNING') return desiredStatus;
  if (runtime !== null) return 'RUNNING';
  if (preparing !== null) return 'PROVISIONING';
  return problem === null ? 'STARTING' : 'ERROR';
}

const whole = (percent: number): { util: number } => ({ util: Math.round(percent) });

/** What a running Pod uses: percentages as whole numbers, uptime in seconds. */
export const runtimeFrom = ({ uptimeInSeconds, gpus, container, ports }: PodRuntime): PodAnswer['runtime'] => ({
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
/** How the Pod is reached by SSH; `direct` is null where it publishes no port 22. */
export function sshOf(runtime: PodRuntime | null): PodAnswer['ssh'] {
  const port = runtime?.ports.find(({ privatePort, type }) => type === 'tcp' && privatePort === SSH_PORT);
  if (!port) return { proxy: null, direct: null };
  const { ip: host, publicPort } = port;
  return {
    proxy: null,
    direct: { host, port: publicPort, username: 'root', command: `ssh root@${host} -p ${publicPort}` },
  };
}

/** Its network volume, its own volume with GB, or neither. */
export function mountsFrom({ networkVolumeId, volumeMountPath, volumeInGb }: Pod): PodAnswer['mounts'] {
  if (networkVolumeId !== null) return { network: [{ volumeId: networkVolumeId, path: volumeMountPath }] };
  return volumeInGb > 0 ? { persistent: { size: volumeInGb, path: volumeMountPath } } : {};
}

/** What can be done with the Pod now; a locked one can be less. */
export const actionsOf = (record: PodRecord, status: Status): Action[] =>
  allowed[status].filter((action) => !isLockedFor(record, action));
