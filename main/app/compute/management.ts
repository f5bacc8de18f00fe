/** The management of an account, the same for every dialect: templates, endpoints, and what they refer to. */
import type {
  Endpoint,
  EndpointCreate,
  EndpointUpdate,
  NetworkVolume,
  RegistryAuth,
  RegistryAuthCreate,
  Template,
  TemplateCreate,
  TemplateUpdate,
  VolumeCreate,
  VolumeUpdate,
} from '#contract/api/resources.ts';

/** A kind of GPU that workers can be given. `count`: the most of them that one worker can have. */
export interface EndpointGpuType {
  id: string;
  count: number;
  memoryBytes: number;
}

export interface ManagementApi {
  templates(): Promise<Template[]>;
  createTemplate(template: TemplateCreate): Promise<Template>;
  updateTemplate(id: string, change: TemplateUpdate): Promise<Template>;
  deleteTemplate(id: string): Promise<void>;
  endpoints(): Promise<Endpoint[]>;
  endpoint(id: string): Promise<Endpoint>;
  createEndpoint(endpoint: EndpointCreate): Promise<Endpoint>;
  /** Makes an endpoint that holds what a template says; null where it takes a template of its own. */
  deploy: ((template: TemplateCreate, endpoint: Omit<EndpointCreate, 'templateId'>) => Promise<Endpoint>) | null;
  updateEndpoint(id: string, change: EndpointUpdate): Promise<Endpoint>;
  deleteEndpoint(id: string): Promise<void>;
  /** What the `gpuTypeIds` of an endpoint can name there. Null where its machine tells that. */
  gpuTypes: (() => Promise<EndpointGpuType[]>) | null;
  volumes(): Promise<NetworkVolume[]>;
  createVolume(volume: VolumeCreate): Promise<NetworkVolume>;
  updateVolume(id: string, change: VolumeUpdate): Promise<NetworkVolume>;
  deleteVolume(id: string): Promise<void>;
  registryAuths(): Promise<RegistryAuth[]>;
  createRegistryAuth(auth: RegistryAuthCreate): Promise<RegistryAuth>;
  deleteRegistryAuth(id: string): Promise<void>;
}
