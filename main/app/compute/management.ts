/**
 * The management API of an account, the same for every dialect: templates, endpoints, and the resources that they use.
 */
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

/** A GPU type for workers. `count`: the largest number of them for one worker. */
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
  /** Creates an endpoint with the content of a template; null if an endpoint requires a separate template. */
  deploy: ((template: TemplateCreate, endpoint: Omit<EndpointCreate, 'templateId'>) => Promise<Endpoint>) | null;
  updateEndpoint(id: string, change: EndpointUpdate): Promise<Endpoint>;
  deleteEndpoint(id: string): Promise<void>;
  /** The values for `gpuTypeIds` of an endpoint. Null if its machine lists its own GPUs. */
  gpuTypes: (() => Promise<EndpointGpuType[]>) | null;
  volumes(): Promise<NetworkVolume[]>;
  createVolume(volume: VolumeCreate): Promise<NetworkVolume>;
  updateVolume(id: string, change: VolumeUpdate): Promise<NetworkVolume>;
  deleteVolume(id: string): Promise<void>;
  registryAuths(): Promise<RegistryAuth[]>;
  createRegistryAuth(auth: RegistryAuthCreate): Promise<RegistryAuth>;
  deleteRegistryAuth(id: string): Promise<void>;
}
