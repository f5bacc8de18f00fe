/** The interfaces for storing templates, endpoints, volumes and registry credentials. */
import type { VolumeFile, VolumeListing } from '#contract/local/files.ts';
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
  /** Deletes the folder and its content. */
  remove(folder: string): Promise<void>;
}

/** An open file. Its content stays the same when another file replaces it. */
export interface OpenedFile {
  readonly sizeBytes: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  /** Reads this range of bytes. Rejects where the file has become shorter. */
  read(startByte: number, endByte: number): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Files in a folder of this machine, or in the container of a Pod, with paths in the format of the API contract. `root`: the folder,
 * which links cannot lead out of, or the id of the Pod. All methods reject with AppError: NOT_FOUND, CONFLICT where a file or folder
 * exists already, STORAGE_FULL.
 */
export interface FileSystem {
  list(root: string, path: string): Promise<VolumeListing>;
  /** The caller closes the file. */
  open(root: string, path: string): Promise<OpenedFile>;
  /** Writes the whole file or nothing. `lengthBytes`: the length that the client announced. */
  write(
    root: string,
    path: string,
    body: AsyncIterable<Uint8Array>,
    options: { mayReplace: boolean; lengthBytes: number | null },
  ): Promise<VolumeFile>;
  /** Deletes a file, or a folder with all its content. */
  remove(root: string, path: string, onlyEmpty?: boolean): Promise<void>;
  makeFolder(root: string, path: string): Promise<VolumeFile>;
  move(root: string, from: string, to: string): Promise<VolumeFile>;
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
