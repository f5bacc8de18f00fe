/** Templates and endpoints as /v1 tells of them, with what clients of the cloud read besides. */
import { cloudDataCenters, endpointCpuFlavors } from '#contract/core/cloudNames.ts';
import type { EndpointAnswer, TemplateAnswer } from '#contract/api/resourceAnswers.ts';
import type { KeptEndpoint, KeptTemplate, Template } from '#contract/api/resources.ts';
import { PERSON } from '../access/owner.ts';

/** Without what only REST v2 tells. */
function describedFields(template: KeptTemplate): Template {
  const {
    boundEndpointId: _bound,
    startSsh: _ssh,
    startJupyter: _jupyter,
    allowedCudaVersions: _cuda,
    ...rest
  } = template;
  return rest;
}

/** Nobody pays for templates here. */
export const templateView = (template: KeptTemplate): TemplateAnswer => ({
  ...describedFields(template),
  isRunpod: false,
  earned: 0,
  runtimeInMin: 0,
});

/** The names of what an endpoint on the CPU has its workers on: flavor, cores, GB of memory. */
const instancesOf = ({ computeType, cpuFlavorIds, vcpuCount, memoryInGb }: KeptEndpoint): string[] =>
  computeType === 'CPU'
    ? cpuFlavorIds.map((flavor) => `${flavor}-${vcpuCount}-${memoryInGb || vcpuCount * endpointCpuFlavors[flavor]}`)
    : [];

export const endpointView = (endpoint: KeptEndpoint, template: Template | undefined): EndpointAnswer => ({
  ...endpoint,
  dataCenterIds: endpoint.dataCenterIds.length > 0 ? endpoint.dataCenterIds : cloudDataCenters,
  env: template?.env ?? {},
  instanceIds: instancesOf(endpoint),
  networkVolumeId: endpoint.networkVolumeIds[0] ?? '',
  userId: PERSON,
});
