/** Where templates, endpoints, volumes and registry credentials are stored. */
import type { VolumeFile, VolumeListing } from '#contract/local/files.ts';
import type { KeptEndpoint, KeptTemplate, NetworkVolume, RegistryAuth } from '#contract/api/resources.ts';

/** Endpoints and templates, held in memory and written through. */
export interface ResourceStore {
  loadTemplates(): KeptTemplate[];
  saveTemplate(template: KeptTemplate): void;
  deleteTemplate(id: string): void;
  loadEndpoints(): KeptEndpoint[];
  saveEndpoint(endpoint: KeptEndpoint): void;
  deleteEndpoint(id: string): void;
}

/** A volume and the name of its folder. */
export interface StoredVolume extends NetworkVolume {
  folder: string;
}

export interface VolumeStore {
  load(): StoredVolume[];
  save(volume: StoredVolume): void;
  delete(id: string): void;
}

/** Folders of volumes, by their name below the one that holds them all. */
export interface VolumeFolders {
  path(folder: string): string;
  /** Makes one, named for the volume; answers its name. */
  make(name: string, id: string): string;
  /** Deletes it with what is in it. */
  remove(folder: string): Promise<void>;
}

/** A file that is being read; what it is stays the same, whatever takes its place meanwhile. */
export interface OpenedFile {
  readonly sizeBytes: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  /** Fails where the file has become shorter. */
  read(startByte: number, endByte: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Files below a folder of this machine, by paths as the contract has them. Nothing outside of it is read or written, whatever
 * links lie in it. All of it rejects with AppError: NOT_FOUND, CONFLICT where something is there already, STORAGE_FULL.
 */
export interface VolumeFiles {
  list(root: string, path: string): Promise<VolumeListing>;
  /** To be closed by who asked. */
  open(root: string, path: string): Promise<OpenedFile>;
  /** The file is there as a whole or not at all. `lengthBytes`: as announced. */
  write(
    root: string,
    path: string,
    body: AsyncIterable<Uint8Array>,
    options: { mayReplace: boolean; lengthBytes: number | null },
  ): Promise<VolumeFile>;
  /** A folder goes with everything in it. */
  remove(root: string, path: string): Promise<void>;
  makeFolder(root: string, path: string): Promise<VolumeFile>;
  move(root: string, from: string, to: string): Promise<VolumeFile>;
}

export interface RegistryAuthStore {
  load(): RegistryAuth[];
  /** The credentials are encrypted before they are written. */
  save(auth: RegistryAuth, credentials: { username: string; password: string }): void;
  delete(id: string): void;
  /** Null where they were sealed with a key that is gone. */
  credentials(id: string): { username: string; password: string } | null;
}

/** What a worker or Pod may use; 0 for as much as there is. */
export interface ComputeLimits {
  vcpuCount: number;
  memoryInGb: number;
}
