/** The options for the container of a Pod. */
import { createHash } from 'node:crypto';
import type { ContainerCreateOptions } from 'dockerode';
import { podLogFiles } from '#contract/local/log.ts';
import { splitCommandLine } from '../../../domain/core/shellWords.ts';
import { LIMIT_VARIABLES } from '../../../domain/pods/env.ts';
import type { PodPlan } from '../../../domain/pods/podInterfaces.ts';
import type { ContainerEngine } from '../engine/discovery.ts';
import { computeLimits } from '../engine/limits.ts';
import { AMD_DEVICES, gpuRequests, gpuVariables } from '../workers/options.ts';
import { diskLimit } from '../engine/diskQuota.ts';
import { tagged } from '../images/imageName.ts';

export interface PodContainerPlan {
  name: string;
  plan: PodPlan;
  engine: Pick<ContainerEngine, 'name' | 'cdi' | 'cores' | 'memoryBytes' | 'selinux'>;
  labels: Record<string, string>;
  /** Container port → port of this machine. */
  ports: ReadonlyMap<number, number>;
  /** Whether to limit the disk of the container. */
  limitDisk: boolean;
  /** The groups of the devices of AMD GPUs. */
  deviceGroups: readonly number[];
}

/** The container engine keeps the output of a Pod, limited so that it does not fill the disk. */
const LOG_FILES = { 'max-size': `${podLogFiles.megabytes}m`, 'max-file': String(podLogFiles.most) };

/** The container ports without duplicates, of both kinds. Hangar forwards requests for `http` ports to their port of this machine. */
export const portsOf = (ports: readonly string[]): number[] => [
  ...new Set(ports.map((port) => Number.parseInt(port, 10))),
];
const tcpPortsOf = (ports: readonly string[]): number[] => portsOf(ports.filter((port) => port.endsWith('/tcp')));

const sorted = (record: Record<string, string>): [string, string][] =>
  Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1));

/** The digest of all parts of a plan that are fixed when its container is made. */
export function digestOf({ pod, writtenEnv, gpus, mounts }: PodPlan): string {
  const { imageName, dockerEntrypoint, dockerStartCmd, dockerArgs, ports, containerDiskInGb } = pod;
  const made = [
    imageName,
    dockerEntrypoint,
    dockerStartCmd,
    dockerArgs,
    ports,
    containerDiskInGb,
    pod.vcpuCount,
    pod.memoryInGb,
    sorted(writtenEnv),
    gpus.map(({ uuid, index }) => [uuid, index]),
    mounts.map(({ folder, at }) => [folder, at]),
  ];
  return createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, 32);
}

/**
 * Whether the container with this digest and these variables can be started for the plan. Its limits may differ, because an
 * existing container can change them: it keeps the digest and the variables of the limits that it was made with.
 */
export function fitsPlan(digest: string, variables: readonly string[], plan: PodPlan): boolean {
  const writtenEnv = { ...plan.writtenEnv };
  for (const name of LIMIT_VARIABLES) {
    const line = variables.find((one) => one.startsWith(`${name}=`));
    if (line !== undefined) writtenEnv[name] = line.slice(name.length + 1);
  }
  // Without a limit, the variable has the number of the machine.
  const [cores, memory] = LIMIT_VARIABLES.map((name) => [0, Number(writtenEnv[name] ?? 0)]);
  const made = (cores ?? []).flatMap((vcpuCount) =>
    (memory ?? []).map((memoryInGb) => ({ ...plan, writtenEnv, pod: { ...plan.pod, vcpuCount, memoryInGb } })),
  );
  return [plan, ...made].some((one) => digestOf(one) === digest);
}

/** The Pod's command, or its one-line form. Without both, the command of the image runs. */
function commandOf({ dockerStartCmd, dockerArgs }: PodPlan['pod']): { Cmd?: string[] } {
  const command = dockerStartCmd.length > 0 ? dockerStartCmd : splitCommandLine(dockerArgs);
  return command.length > 0 ? { Cmd: command } : {};
}

export function podOptions(container: PodContainerPlan): ContainerCreateOptions {
  const { name, plan, engine, labels, ports, limitDisk, deviceGroups } = container;
  const { pod, gpus, mounts } = plan;
  const portVariables = tcpPortsOf(pod.ports).map(
    (port) => [`RUNPOD_TCP_PORT_${port}`, String(ports.get(port))] as const,
  );
  const variables = {
    ...plan.env,
    ...gpuVariables(gpus),
    ...Object.fromEntries(portVariables),
  };
  const published = [...ports].map(([inside, outside]) => [`${inside}/tcp`, outside] as const);
  const amd = gpus.some(({ vendor }) => vendor === 'amd');
  return {
    name,
    Image: tagged(pod.imageName),
    ...(pod.dockerEntrypoint.length > 0 ? { Entrypoint: pod.dockerEntrypoint } : {}),
    ...commandOf(pod),
    Hostname: pod.id,
    Env: Object.entries(variables).map((pair) => pair.join('=')),
    Labels: labels,
    Tty: false,
    ExposedPorts: Object.fromEntries(published.map(([inside]) => [inside, {}])),
    HostConfig: {
      ...(engine.name === 'Docker' ? { LogConfig: { Type: 'json-file', Config: LOG_FILES } } : {}),
      // The reconciler restarts containers, because it also assigns the GPUs.
      RestartPolicy: { Name: 'no' },
      PortBindings: Object.fromEntries(
        published.map(([inside, outside]) => [inside, [{ HostIp: '127.0.0.1', HostPort: String(outside) }]]),
      ),
      Mounts: mounts.map(({ folder, at }) => ({ Type: 'bind', Source: folder, Target: at })),
      // The person's folders are not relabelled for SELinux.
      ...(engine.selinux && mounts.length > 0 ? { SecurityOpt: ['label=disable'] } : {}),
      DeviceRequests: gpuRequests(gpus, engine.cdi),
      ...(amd ? { Devices: AMD_DEVICES, GroupAdd: deviceGroups.map(String) } : {}),
      ...computeLimits(pod, engine),
      ...(limitDisk ? diskLimit(pod.containerDiskInGb) : {}),
    },
  };
}
