/** Workers of endpoints as Pods: the cloud lists them this way for clients that request them. */
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import type { WorkerRecord } from '#contract/local/engine.ts';
import type { Pod } from '#contract/api/pod.ts';
import type { EngineEndpoint, Template } from '#contract/api/resources.ts';
import { PERSON } from '../access/owner.ts';
import { limitsOf } from '../resources/endpoints.ts';
import { HERE } from './env.ts';
import { gpuOf, type PodMachine } from './view.ts';

/** `gpuTypeId`: the type of the worker's GPUs; empty on the CPU. */
export function podOfWorker(
  worker: WorkerRecord,
  endpoint: EngineEndpoint,
  template: Template,
  gpuTypeId: string,
  machine: PodMachine,
  perHour: (gpuTypeId: string, count: number) => number,
): Pod {
  const count = worker.gpus.length;
  // A process of this machine has no limits.
  const limits = worker.runtime === 'container' ? limitsOf(endpoint) : { vcpuCount: 0, memoryInGb: 0 };
  const cores = Math.min(limits.vcpuCount || machine.cores, machine.cores);
  const memoryInGb = Math.min(limits.memoryInGb || machine.memoryInGb, machine.memoryInGb);
  const each = gpuTypeId === '' ? 0 : perHour(gpuTypeId, 1);
  const costPerHr = gpuTypeId === '' ? perHour(CPU_TYPE, cores) : each * count;
  const [networkVolumeId = null] = endpoint.networkVolumeIds;
  return {
    id: worker.id,
    name: endpoint.name,
    endpointId: endpoint.id,
    aiApiId: endpoint.id,
    cpuFlavorId: endpoint.computeType === 'CPU' ? (endpoint.cpuFlavorIds[0] ?? null) : null,
    image: template.imageName,
    imageName: template.imageName,
    desiredStatus: 'RUNNING',
    createdAt: worker.startedAt,
    lastStartedAt: worker.startedAt,
    lastStatusChange: `Started by its endpoint: ${new Date(worker.startedAt).toUTCString()}`,
    costPerHr,
    adjustedCostPerHr: costPerHr,
    consumerUserId: PERSON,
    containerDiskInGb: template.containerDiskInGb,
    containerRegistryAuthId: template.containerRegistryAuthId,
    dockerEntrypoint: template.dockerEntrypoint,
    dockerStartCmd: template.dockerStartCmd,
    env: template.env,
    gpu: count === 0 ? null : gpuOf(gpuTypeId, count, each),
    gpuCount: count,
    computeType: count === 0 ? 'CPU' : 'GPU',
    interruptible: false,
    locked: false,
    machineId: HERE,
    machine: {},
    memoryInGb,
    vcpuCount: cores,
    networkVolumeId,
    portMappings: null,
    ports: template.ports,
    publicIp: null,
    savingsPlans: [],
    slsVersion: worker.version ?? endpoint.version,
    templateId: template.id,
    volumeEncrypted: false,
    volumeInGb: 0,
    volumeMountPath: template.volumeMountPath,
  };
}
