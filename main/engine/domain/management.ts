/** Changes to resources that others hang on: what refers to a resource is asked before, what has to hear of the change is told after. */
import type { EndpointCreate, EndpointUpdate, KeptEndpoint, Template, TemplateUpdate } from '#contract/resources.ts';
import type { Endpoints } from './endpoints.ts';
import type { Pods } from './podPorts.ts';
import type { RegistryAuths } from './registryAuths.ts';
import type { Templates } from './templates.ts';
import type { Volumes } from './volumes.ts';

export interface ManagementParts {
  templates: Templates;
  endpoints: Endpoints;
  volumes: Volumes;
  registryAuths: RegistryAuths;
  pods: Pick<Pods, 'usingTemplate' | 'usingVolume' | 'usingRegistryAuth'>;
  /** An endpoint is new, or its settings or template have changed. */
  onEndpointChange(endpointId: string): void;
  onEndpointDelete(endpointId: string): void;
}

/** What every API that manages resources does alike; plain reading and making it takes from the parts themselves. */
export interface Management {
  updateTemplate(id: string, input: TemplateUpdate): Template;
  deleteTemplate(id: string): void;
  createEndpoint(input: EndpointCreate): KeptEndpoint;
  updateEndpoint(id: string, input: EndpointUpdate): KeptEndpoint;
  /** What is not given has its default again. */
  replaceEndpoint(id: string, input: EndpointCreate): KeptEndpoint;
  deleteEndpoint(id: string): void;
  deleteVolume(id: string): Promise<void>;
  deleteRegistryAuth(id: string): void;
}

const named = (noun: string, records: readonly { name: string }[]): string[] =>
  records.map(({ name }) => `${noun} ${JSON.stringify(name)}`);

export function createManagement(parts: ManagementParts): Management {
  const { templates, endpoints, volumes, registryAuths, pods, onEndpointChange, onEndpointDelete } = parts;
  const changed = (endpoint: KeptEndpoint): KeptEndpoint => {
    onEndpointChange(endpoint.id);
    return endpoint;
  };
  const users = (
    ofEndpoints: readonly { name: string }[],
    ofPods: readonly { name: string }[],
    ofTemplates: readonly { name: string }[] = [],
  ): string[] => [
    ...named('the endpoint', ofEndpoints),
    ...named('the template', ofTemplates),
    ...named('the Pod', ofPods),
  ];
  return {
    updateTemplate(id, input) {
      const template = templates.update(id, input);
      // A new template means new workers: the version tells which are out of date.
      for (const endpoint of endpoints.usingTemplate(template.id)) {
        changed(endpoints.bumpVersion(endpoint));
      }
      return template;
    },
    deleteTemplate: (id) => templates.delete(id, users(endpoints.usingTemplate(id), pods.usingTemplate(id))),
    createEndpoint: (input) => changed(endpoints.create(input)),
    updateEndpoint: (id, input) => changed(endpoints.update(id, input)),
    replaceEndpoint: (id, input) => changed(endpoints.replace(id, input)),
    deleteEndpoint(id) {
      endpoints.delete(id);
      onEndpointDelete(id);
    },
    deleteVolume: (id) => volumes.delete(id, users(endpoints.usingVolume(id), pods.usingVolume(id))),
    deleteRegistryAuth(id) {
      const using = templates.list().filter(({ containerRegistryAuthId }) => containerRegistryAuthId === id);
      registryAuths.delete(id, users([], pods.usingRegistryAuth(id), using));
    },
  };
}
