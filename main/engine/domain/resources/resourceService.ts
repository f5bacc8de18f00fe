/** Changes to resources that others hang on: what refers to a resource is asked before, what has to hear of the change is told after. */
import type {
  EndpointCreate,
  EndpointUpdate,
  KeptEndpoint,
  KeptTemplate,
  TemplateCreate,
  TemplateExtras,
  TemplateUpdate,
} from '#contract/api/resources.ts';
import type { EndpointChange, Endpoints } from './endpoints.ts';
import type { Ids } from '../core/ports.ts';
import type { RegistryAuths } from './registryAuths.ts';
import type { Templates } from './templates.ts';
import type { Volumes } from './volumes.ts';

/** The Pods that refer to a resource, which is not deleted while there are any. */
export interface PodReferences {
  usingTemplate(templateId: string): readonly { name: string }[];
  usingVolume(volumeId: string): readonly { name: string }[];
  usingRegistryAuth(authId: string): readonly { name: string }[];
}

/** What the workers of an endpoint are made of. */
export type Container = Omit<TemplateCreate, 'name' | 'isServerless'>;

export interface ManagementParts {
  ids: Pick<Ids, 'random'>;
  templates: Templates;
  endpoints: Endpoints;
  volumes: Volumes;
  registryAuths: RegistryAuths;
  pods: PodReferences;
  /** An endpoint is new, or its settings or template have changed. */
  onEndpointChange(endpointId: string): void;
  onEndpointDelete(endpointId: string): void;
}

/** What every API that manages resources does alike; plain reading and making it takes from the parts themselves. */
export interface Management {
  updateTemplate(id: string, input: TemplateUpdate & TemplateExtras): KeptTemplate;
  deleteTemplate(id: string): void;
  createEndpoint(input: EndpointCreate): KeptEndpoint;
  updateEndpoint(id: string, input: EndpointUpdate): KeptEndpoint;
  /** An endpoint with a template that is made for it and deleted with it. Both are made, or neither. */
  createBoundEndpoint(container: Container, input: Omit<EndpointCreate, 'templateId'>): KeptEndpoint;
  /**
   * Changes an endpoint and what its workers are made of. A template that was not made for this endpoint stays as it is: the
   * endpoint gets a copy of it. Everything is changed, or nothing.
   */
  updateBoundEndpoint(
    id: string,
    container: Partial<Container>,
    input: Omit<EndpointChange, 'templateId'>,
  ): KeptEndpoint;
  /** What is not given has its default again. */
  replaceEndpoint(id: string, input: EndpointCreate): KeptEndpoint;
  /** Its jobs and the template that was made for it are deleted with it. */
  deleteEndpoint(id: string): void;
  deleteVolume(id: string): Promise<void>;
  deleteRegistryAuth(id: string): void;
}

const named = (noun: string, records: readonly { name: string }[]): string[] =>
  records.map(({ name }) => `${noun} ${JSON.stringify(name)}`);

export function createManagement(parts: ManagementParts): Management {
  const { ids, templates, endpoints, volumes, registryAuths, pods, onEndpointChange, onEndpointDelete } = parts;
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
  const usersOfTemplate = (id: string): string[] => users(endpoints.usingTemplate(id), pods.usingTemplate(id));

  function updateTemplate(id: string, input: TemplateUpdate & TemplateExtras): KeptTemplate {
    const template = templates.update(id, input);
    // A new template means new workers: the version tells which are out of date.
    for (const endpoint of endpoints.usingTemplate(template.id)) {
      changed(endpoints.bumpVersion(endpoint));
    }
    return template;
  }

  /** `use` makes or changes the endpoint that the new template is for; without it, the template is gone again. */
  function withBoundTemplate(
    container: Container,
    endpointName: string,
    use: (templateId: string) => KeptEndpoint,
  ): KeptEndpoint {
    // Names of templates are unique, those of endpoints are not.
    const name = `${endpointName}__template__${ids.random(5)}`;
    const template = templates.create({ ...container, name, isServerless: true });
    let endpoint: KeptEndpoint;
    try {
      endpoint = use(template.id);
    } catch (error) {
      templates.delete(template.id, []);
      throw error;
    }
    templates.bind(template.id, endpoint.id);
    return endpoint;
  }

  return {
    updateTemplate,
    deleteTemplate: (id) => templates.delete(id, usersOfTemplate(id)),
    createBoundEndpoint: (container, input) =>
      changed(
        withBoundTemplate(container, input.name ?? 'endpoint', (templateId) =>
          endpoints.create({ ...input, templateId }),
        ),
      ),
    updateBoundEndpoint(id, container, input) {
      const endpoint = endpoints.get(id);
      if (Object.keys(container).length === 0) return changed(endpoints.update(id, input));
      const before = templates.get(endpoint.templateId);
      if (before.boundEndpointId !== id || endpoints.usingTemplate(before.id).length > 1) {
        const { id: _id, name: _name, isServerless: _isServerless, boundEndpointId: _bound, ...copied } = before;
        return changed(
          withBoundTemplate({ ...copied, ...container }, endpoint.name, (templateId) =>
            endpoints.update(id, { ...input, templateId }),
          ),
        );
      }
      templates.update(before.id, container);
      try {
        return changed(endpoints.bumpVersion(endpoints.update(id, input)));
      } catch (error) {
        templates.update(before.id, before);
        throw error;
      }
    },
    createEndpoint: (input) => changed(endpoints.create(input)),
    updateEndpoint: (id, input) => changed(endpoints.update(id, input)),
    replaceEndpoint: (id, input) => changed(endpoints.replace(id, input)),
    deleteEndpoint(id) {
      endpoints.delete(id);
      onEndpointDelete(id);
      for (const { id: templateId, boundEndpointId } of templates.list()) {
        if (boundEndpointId === id && usersOfTemplate(templateId).length === 0) templates.delete(templateId, []);
      }
    },
    deleteVolume: (id) => volumes.delete(id, users(endpoints.usingVolume(id), pods.usingVolume(id))),
    deleteRegistryAuth(id) {
      const using = templates.list().filter(({ containerRegistryAuthId }) => containerRegistryAuthId === id);
      registryAuths.delete(id, users([], pods.usingRegistryAuth(id), using));
    },
  };
}
