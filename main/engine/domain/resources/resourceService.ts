/**
 * Changes to resources that depend on each other: it checks references before a change, and notifies dependents after
 * it.
 */
import type {
  EndpointCreate,
  EndpointUpdate,
  EngineEndpoint,
  EngineTemplate,
  TemplateCreate,
  TemplateExtras,
  TemplateUpdate,
} from '#contract/api/resources.ts';
import type { EndpointChange, Endpoints } from './endpoints.ts';
import type { Ids } from '../core/ports.ts';
import type { RegistryAuths } from './registryAuths.ts';
import type { Templates } from './templates.ts';
import type { Volumes } from './volumes.ts';

/** Finds the Pods that use a resource. A resource in use is not deleted. */
export interface PodReferences {
  usingTemplate(templateId: string): readonly { name: string }[];
  usingVolume(volumeId: string): readonly { name: string }[];
  usingRegistryAuth(authId: string): readonly { name: string }[];
}

/** The container settings of an endpoint's workers. */
export type Container = Omit<TemplateCreate, 'name' | 'isServerless'>;

export interface ManagementParts {
  ids: Pick<Ids, 'random'>;
  templates: Templates;
  endpoints: Endpoints;
  volumes: Volumes;
  registryAuths: RegistryAuths;
  pods: PodReferences;
  /** Called after an endpoint was created, or after its settings or template changed. */
  onEndpointChange(endpointId: string): void;
  onEndpointDelete(endpointId: string): void;
}

/** The changes that all management APIs share. APIs read resources directly from their services. */
export interface Management {
  updateTemplate(id: string, input: TemplateUpdate & TemplateExtras): EngineTemplate;
  deleteTemplate(id: string): void;
  createEndpoint(input: EndpointCreate): EngineEndpoint;
  updateEndpoint(id: string, input: EndpointUpdate): EngineEndpoint;
  /** Creates an endpoint with its own template, which is deleted with it. Creates both or neither. */
  createBoundEndpoint(container: Container, input: Omit<EndpointCreate, 'templateId'>): EngineEndpoint;
  /**
   * Changes an endpoint and the container settings of its workers. If the template belongs to others too, the endpoint
   * gets a changed copy and the template stays as it is. Changes everything or nothing.
   */
  updateBoundEndpoint(
    id: string,
    container: Partial<Container>,
    input: Omit<EndpointChange, 'templateId'>,
  ): EngineEndpoint;
  /** Fields that `input` omits get their defaults. */
  replaceEndpoint(id: string, input: EndpointCreate): EngineEndpoint;
  /** Also deletes the jobs of the endpoint, and the template that belongs to it. */
  deleteEndpoint(id: string): void;
  deleteVolume(id: string): Promise<void>;
  deleteRegistryAuth(id: string): void;
}

const named = (noun: string, records: readonly { name: string }[]): string[] =>
  records.map(({ name }) => `${noun} ${JSON.stringify(name)}`);

export function createManagement(parts: ManagementParts): Management {
  const { ids, templates, endpoints, volumes, registryAuths, pods, onEndpointChange, onEndpointDelete } = parts;
  const changed = (endpoint: EngineEndpoint): EngineEndpoint => {
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

  function updateTemplate(id: string, input: TemplateUpdate & TemplateExtras): EngineTemplate {
    const template = templates.update(id, input);
    // A new template requires new workers: the version marks the old ones.
    for (const endpoint of endpoints.usingTemplate(template.id)) {
      changed(endpoints.bumpVersion(endpoint));
    }
    return template;
  }

  /**
   * Creates a template, then calls `use` to create or change its endpoint. Deletes the template again when `use`
   * throws.
   */
  function withBoundTemplate(
    container: Container,
    endpointName: string,
    use: (templateId: string) => EngineEndpoint,
  ): EngineEndpoint {
    // Names of templates are unique, names of endpoints are not.
    const name = `${endpointName}__template__${ids.random(5)}`;
    const template = templates.create({ ...container, name, isServerless: true });
    let endpoint: EngineEndpoint;
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
