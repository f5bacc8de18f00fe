/** The /v1 views of templates and endpoints, with the additional fields that clients of the cloud read. */
import { cloudDataCenters, endpointCpuFlavors } from '#contract/core/cloudNames.ts';
import type { EndpointAnswer, TemplateAnswer } from '#contract/api/resourceAnswers.ts';
import type { EngineEndpoint, EngineTemplate, Template } from '#contract/api/resources.ts';
import { PERSON } from '../access/owner.ts';

/** The template without the fields that only REST v2 has. */
function describedFields(template: EngineTemplate): Template {
  const {
    boundEndpointId: _bound,
    startSsh: _ssh,
    startJupyter: _jupyter,
    allowedCudaVersions: _cuda,
    ...rest
  } = template;
  return rest;
}

/** Templates earn no money here. */
export const templateView = (template: EngineTemplate): TemplateAnswer => ({
  ...describedFields(template),
  isRunpod: false,
  earned: 0,
  runtimeInMin: 0,
});

/** The names of the CPU instances of an endpoint: flavor, cores, GB of memory. */
const instancesOf = ({ computeType, cpuFlavorIds, vcpuCount, memoryInGb }: EngineEndpoint): string[] =>
  computeType === 'CPU'
    ? cpuFlavorIds.map((flavor) => `${flavor}-${vcpuCount}-${memoryInGb || vcpuCount * endpointCpuFlavors[flavor]}`)
    : [];

export const endpointView = (endpoint: EngineEndpoint, template: Template | undefined): EndpointAnswer => ({
  ...endpoint,
  dataCenterIds: endpoint.dataCenterIds.length > 0 ? endpoint.dataCenterIds : cloudDataCenters,
  env: template?.env ?? {},
  instanceIds: instancesOf(endpoint),
  networkVolumeId: endpoint.networkVolumeIds[0] ?? '',
  userId: PERSON,
});
