/** Why the document of /v1 differs from the published description of the real service, in each way that it does. */

/**
 * Reason → the differences that it is for, as `differencesOf` writes them. `*` stands for any text. A difference that no line fits,
 * and a line that fits no difference, fail `restDifferences.spec.ts`.
 */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  'The engine documents every status that it can answer with, and each error has a body that says what is wrong.': [
    '* answers only here: 4*',
    '* bodies only here: 4*',
  ],
  'Starting, stopping, restarting and resetting a Pod answers the Pod, which the tools of the cloud read.': [
    'POST /pods/{podId}/restart answers only here: 200, 403, 404, 500, 503',
    'POST /pods/{podId}/start bodies only here: 200, 400, 401',
    'POST /pods/{podId}/stop bodies only here: 200, 400, 401',
    'POST /pods/{podId}/reset bodies only here: 200, 400, 401',
  ],
  'A list without a record is an empty list, and a request without a query and a body has nothing in it that can be wrong.':
    [
      'GET /pods answers not here: 404',
      'GET /endpoints answers not here: 404',
      'GET /templates answers not here: 404',
      'GET /networkvolumes answers not here: 400, 404',
      'GET /networkvolumes/{networkVolumeId} answers not here: 400',
      'GET /containerregistryauth answers not here: 400, 404',
      'GET /containerregistryauth/{containerRegistryAuthId} answers not here: 400',
      'GET /docs answers not here: 400',
    ],
  'An id of an operation is unique in an OpenAPI document. PATCH and POST …/update share one in the published description.':
    ['POST /*/update id: published "Update*", here "Update*ByUpdate"'],
  'An answer always has the field. The published description promises no field at all.': [
    '* always answered: published false, here true',
  ],
  'The engine documents its limits. The published description leaves them out.': [
    '*imum: published nothing, here *',
    '*Length: published nothing, here *',
  ],
  'GPU types of this machine have the product names of its GPUs, which need not be sold by the cloud.': [
    '*gpuTypeId* enum: published a list of 49, here nothing',
  ],
  'LOCAL-1 is the region of this machine.': ['*ataCenterId*[] enum: only here ["LOCAL-1"]'],
  'A region that does not exist is refused. The published description lists the regions in other places.': [
    'NetworkVolumeCreateInput.dataCenterId enum: published nothing, here a list of 27',
  ],
  'The published default is text for a field that is a list; it means the list.': [
    '*CreateInput.ports default: published "8888/http,22/tcp", here ["8888/http","22/tcp"]',
  ],
  'A change leaves every field as it is that it does not name, so no field of it has a default.': [
    '*UpdateInput.* default: published *, here nothing',
  ],
  'gpuCount 0 is a Pod or a worker on the CPU: this machine may have no GPU.': [
    'PodCreateInput.gpuCount minimum: published 1, here 0',
    'Endpoint*Input.gpuCount minimum: published 1, here 0',
  ],
  'A Pod with GPUs has all cores and all memory of this machine. By the published default a small machine would refuse it.':
    [
      'PodCreateInput.minRAMPerGPU default: published 8, here nothing',
      'PodCreateInput.minVCPUPerGPU default: published 2, here nothing',
    ],
  'The published command-line tool names the command of a Pod as GraphQL does.': [
    'PodCreateInput.dockerArgs: only here',
  ],
  'Clients write null for no template.': [
    'PodCreateInput.templateId type: published ["string"], here ["null","string"]',
  ],
  'The engine documents the defaults that the published description leaves out.': [
    'EndpointCreateInput.allowedCudaVersions default: published nothing, here []',
    'EndpointCreateInput.cpuFlavorIds default: published nothing, here []',
    'EndpointCreateInput.flashboot default: published nothing, here false',
    'EndpointCreateInput.gpuTypeIds default: published nothing, here []',
    'EndpointCreateInput.networkVolumeIds default: published nothing, here []',
    'EndpointCreateInput.workersMax default: published nothing, here 3',
    'EndpointCreateInput.workersMin default: published nothing, here 0',
    'TemplateCreateInput.containerRegistryAuthId default: published nothing, here ""',
  ],
  'Null: there is none, as the examples of the published description have it.': [
    'Pod.aiApiId type: published ["string"], here ["null","string"]',
    'Pod.endpointId type: published ["string"], here ["null","string"]',
    'Pod.cpuFlavorId type: published ["string"], here ["null","string"]',
    'Pod.gpu type: published ["object"], here ["null","object"]',
    'Pod.machine.gpuType type: published ["object"], here ["null","object"]',
  ],
  'Null: GPUs of this machine are rented by the hour alone.': [
    'Pod.*.o*Price type: published ["number"], here ["null","number"]',
    'Pod.*.threeMonthPrice type: published ["number"], here ["null","number"]',
    'Pod.*.sixMonthPrice type: published ["number"], here ["null","number"]',
    'Pod.*SpotPrice type: published ["number"], here ["null","number"]',
  ],
  'Null: it is not measured, or this machine has no such thing.': [
    'Pod.machine.cpuType.threadsPerCore type: published ["number"], here ["null","number"]',
    'Pod.machine.diskThroughputMBps type: published ["integer"], here ["integer","null"]',
    'Pod.machine.max*loadSpeedMbps type: published ["integer"], here ["integer","null"]',
    'Pod.machine.maintenance* type: published ["string"], here ["null","string"]',
    'Pod.machine.note type: published ["string"], here ["null","string"]',
    'Pod.machine.gpuAvailable type: published ["integer"], here ["integer","null"]',
  ],
  'Cores and GB are whole numbers: the command line of the cloud reads no others.': [
    'Pod.memoryInGb type: published ["number"], here ["integer"]',
    'Pod.vcpuCount type: published ["number"], here ["integer"]',
  ],
  'The kinds of a template are those that it can be made with.': [
    'Template.category enum: published nothing, here ["NVIDIA","AMD","CPU"]',
  ],
  'The cloud answers it, too; its description leaves it out.': [
    'Pod.imageName: only here',
    'Pod.createdAt: only here',
    'Pod.gpuCount: only here',
    'Pod.networkVolumeId: only here',
    'Pod.template: only here',
    'GET /openapi.json 200 answer (Document).openapi: only here',
  ],
  'What was asked for is told back.': [
    'Endpoint.cpuFlavorIds: only here',
    'Endpoint.vcpuCount: only here',
    'Endpoint.flashboot: only here',
  ],
  'Of ours: how much memory a container may use, and that an endpoint balances load.': [
    'PodCreateInput.memoryInGb: only here',
    'PodUpdateInput.memoryInGb: only here',
    'Endpoint*.memoryInGb: only here',
    'Endpoint*.type: only here',
  ],
  'Of ours: the sums of each network volume.': [
    'GET /billing/networkvolumes query networkVolumeId: only here',
    'GET /billing/networkvolumes query grouping: only here',
    'GET /billing/networkvolumes 200 answer[] (NetworkVolumeBillingRecord).networkVolumeId: only here',
  ],
  'What is fixed when a record is made may be named in a change as it is; another value is refused.': [
    'EndpointUpdateInput.computeType: only here',
    'TemplateUpdateInput.category: only here',
    'TemplateUpdateInput.isServerless: only here',
    ...[
      'cloudType',
      'gpuTypePriority',
      'cpuFlavorIds',
      'cpuFlavorPriority',
      'dataCenterIds',
      'dataCenterPriority',
      'countryCodes',
      'allowedCudaVersions',
      'supportPublicIp',
      'minRAMPerGPU',
      'minVCPUPerGPU',
      'minDiskBandwidthMBps',
      'minDownloadMbps',
      'minUploadMbps',
      'templateId',
      'computeType',
      'gpuTypeIds',
      'gpuCount',
      'vcpuCount',
      'networkVolumeId',
      'interruptible',
    ].map((field) => `PodUpdateInput.${field}: only here`),
  ],
};
