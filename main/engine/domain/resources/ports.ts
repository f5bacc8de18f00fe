/** The interfaces for storing templates, endpoints, volumes and registry credentials. */
import type { EngineEndpoint, EngineTemplate, NetworkVolume, RegistryAuth } from '#contract/api/resources.ts';

/** Stores endpoints and templates. The services keep all of them in memory. */
export interface ResourceStore {
  loadTemplates(): EngineTemplate[];
  saveTemplate(template: EngineTemplate): void;
  deleteTemplate(id: string): void;
  loadEndpoints(): EngineEndpoint[];
  saveEndpoint(endpoint: EngineEndpoint): void;
  deleteEndpoint(id: string): void;
}

/** A volume with the name of its folder. */
export interface StoredVolume extends NetworkVolume {
  folder: string;
  /** Whether the folder was made writable for every user of a container. False for a volume of an earlier version. */
  isOpenedToAll: boolean;
}

export interface VolumeStore {
  load(): StoredVolume[];
  save(volume: StoredVolume): void;
  delete(id: string): void;
}

/** The folders of volumes, addressed by their names within one parent folder. */
export interface VolumeFolders {
  path(folder: string): string;
  /** Creates a folder with a name for the volume; returns the name of the folder. */
  make(name: string, id: string): string;
  /**
   * Makes a folder of an earlier version writable for every user of a container; other permissions were set by a person
   * or a container and stay. Returns false if it cannot look at the folder or change it: it is gone, a link, or
   * somebody else's.
   */
  openToAll(folder: string): boolean;
  /** Deletes the folder and its content. */
  remove(folder: string): Promise<void>;
}

export interface RegistryAuthStore {
  load(): RegistryAuth[];
  /** Encrypts the credentials before it stores them. */
  save(auth: RegistryAuth, credentials: { username: string; password: string }): void;
  delete(id: string): void;
  /** Null where the credentials are encrypted with a lost key. */
  credentials(id: string): { username: string; password: string } | null;
}

/** The limits of a worker or Pod; 0 for no limit. */
export interface ComputeLimits {
  vcpuCount: number;
  memoryInGb: number;
}
