/** Changes to resources that others hang on: what refers to a resource is asked before, what has to hear of the change is told after. */
import type { EndpointCreate, EndpointUpdate, KeptEndpoint, Template, TemplateUpdate } from '#contract/resources.ts';
import type { Endpoints } from './endpoints.ts';
import type { RegistryAuths } from './registryAuths.ts';
import type { Templates } from './templates.ts';
import type { Volumes } from './volumes.ts';

export interface ManagementParts {
  templates: Templates;
  endpoints: Endpoints;
  volumes: Volumes;
  registryAuths: RegistryAuths;
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

const named = (records: readonly { name: string }[]): string[] => records.map(({ name }) => name);

export function createManagement(parts: ManagementParts): Management {
  const { templates, endpoints, volumes, registryAuths, onEndpointChange, onEndpointDelete } = parts;
  const changed = (endpoint: KeptEndpoint): KeptEndpoint => {
    onEndpointChange(endpoint.id);
    return endpoint;
  };
  return {
    updateTemplate(id, input) {
      const template = templates.update(id, input);
      // A new template means new workers: the version tells which are out of date.
      for (const endpoint of endpoints.usingTemplate(template.id)) {
        changed(endpoints.bumpVersion(endpoint));
      }
      return template;
    },
    deleteTemplate: (id) => templates.delete(id, named(endpoints.usingTemplate(id))),
    createEndpoint: (input) => changed(endpoints.create(input)),
    updateEndpoint: (id, input) => changed(endpoints.update(id, input)),
    replaceEndpoint: (id, input) => changed(endpoints.replace(id, input)),
    deleteEndpoint(id) {
      endpoints.delete(id);
      onEndpointDelete(id);
    },
    deleteVolume: (id) => volumes.delete(id, named(endpoints.usingVolume(id))),
    deleteRegistryAuth(id) {
      const users = templates.list().filter(({ containerRegistryAuthId }) => containerRegistryAuthId === id);
      registryAuths.delete(id, named(users));
    },
  };
}
