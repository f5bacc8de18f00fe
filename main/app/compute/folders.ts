/** The folders of endpoints on the machine of an engine: the Python of a handler, its environment, and its tests. */
import {
  declaredInputSchema,
  environmentStateSchema,
  folderReadingSchema,
  workerCheckSchema,
  type DeclaredInput,
  type EnvironmentState,
  type FolderReading,
  type WorkerCheck,
} from '#contract/local/folder.ts';
import { endpointReadinessSchema, type EndpointReadiness } from '#contract/local/engine.ts';
import { createSendJson } from './http/jsonRequests.ts';
import type { Outbound } from './http/outbound.ts';

export interface FoldersApi {
  /** Reads a folder of the machine: what would run, with `python` if it is present, and what its hub files declare. */
  read(imageName: string, python?: string): Promise<FolderReading>;
  /** Null: the Python that the folder requires. */
  setPython(endpointId: string, python: string | null): Promise<EndpointReadiness>;
  /** The input that the folder declares, as its files are now. */
  declaredInput(endpointId: string): Promise<DeclaredInput>;
  environment(endpointId: string): Promise<EnvironmentState>;
  makeEnvironment(endpointId: string): Promise<EnvironmentState>;
  /** Resolves after what was made is removed. */
  stopEnvironment(endpointId: string): Promise<EnvironmentState>;
  /** The last check; before the first one, the tests of the folder. */
  check(endpointId: string): Promise<WorkerCheck>;
  startCheck(endpointId: string): Promise<WorkerCheck>;
  stopCheck(endpointId: string): Promise<WorkerCheck>;
}

export function createFoldersApi(outbound: Outbound): FoldersApi {
  const ask = createSendJson(outbound, '/local/v1/');
  const environmentOf = (id: string): string => `endpoints/${encodeURIComponent(id)}/environment`;
  const checkOf = (id: string): string => `endpoints/${encodeURIComponent(id)}/check`;

  return {
    read: (imageName, python) =>
      ask('POST', 'folders', folderReadingSchema, { imageName, ...(python !== undefined && { python }) }),
    setPython: (id, python) =>
      ask('PUT', `endpoints/${encodeURIComponent(id)}/python`, endpointReadinessSchema, { python }),
    declaredInput: (id) => ask('GET', `endpoints/${encodeURIComponent(id)}/input`, declaredInputSchema),
    environment: (id) => ask('GET', environmentOf(id), environmentStateSchema),
    makeEnvironment: (id) => ask('POST', environmentOf(id), environmentStateSchema),
    stopEnvironment: (id) => ask('DELETE', environmentOf(id), environmentStateSchema),
    check: (id) => ask('GET', checkOf(id), workerCheckSchema),
    startCheck: (id) => ask('POST', checkOf(id), workerCheckSchema),
    stopCheck: (id) => ask('DELETE', checkOf(id), workerCheckSchema),
  };
}
