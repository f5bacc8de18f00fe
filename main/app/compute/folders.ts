/** The folders that endpoints are made of, on the machine of an engine: the Python of a handler, its environment, and its tests. */
import {
  environmentStateSchema,
  folderReadingSchema,
  workerCheckSchema,
  type EnvironmentState,
  type FolderReading,
  type WorkerCheck,
} from '#contract/local/folder.ts';
import { endpointReadinessSchema, type EndpointReadiness } from '#contract/local/engine.ts';
import type * as z from 'zod';
import { readJson } from './http/parsers.ts';
import type { Outbound } from './http/outbound.ts';

export interface FoldersApi {
  /** What a folder of its machine would run, with this Python where one is named, and what it says of itself. */
  read(imageName: string, python?: string): Promise<FolderReading>;
  /** Null: whichever the folder calls for. */
  setPython(endpointId: string, python: string | null): Promise<EndpointReadiness>;
  environment(endpointId: string): Promise<EnvironmentState>;
  makeEnvironment(endpointId: string): Promise<EnvironmentState>;
  /** Resolves once nothing of it is left. */
  stopEnvironment(endpointId: string): Promise<EnvironmentState>;
  /** The last check; before the first one, the tests of the folder. */
  check(endpointId: string): Promise<WorkerCheck>;
  startCheck(endpointId: string): Promise<WorkerCheck>;
  stopCheck(endpointId: string): Promise<WorkerCheck>;
}

export function createFoldersApi(outbound: Outbound): FoldersApi {
  async function ask<S extends z.ZodType>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    answer: S,
    body?: object,
  ): Promise<z.output<S>> {
    const call = { method, path: `/local/v1/${path}`, ...(body && { body: JSON.stringify(body) }) };
    return readJson(path, await outbound.send(call), answer);
  }
  const environmentOf = (id: string): string => `endpoints/${encodeURIComponent(id)}/environment`;
  const checkOf = (id: string): string => `endpoints/${encodeURIComponent(id)}/check`;

  return {
    read: (imageName, python) =>
      ask('POST', 'folders', folderReadingSchema, { imageName, ...(python !== undefined && { python }) }),
    setPython: (id, python) =>
      ask('PUT', `endpoints/${encodeURIComponent(id)}/python`, endpointReadinessSchema, { python }),
    environment: (id) => ask('GET', environmentOf(id), environmentStateSchema),
    makeEnvironment: (id) => ask('POST', environmentOf(id), environmentStateSchema),
    stopEnvironment: (id) => ask('DELETE', environmentOf(id), environmentStateSchema),
    check: (id) => ask('GET', checkOf(id), workerCheckSchema),
    startCheck: (id) => ask('POST', checkOf(id), workerCheckSchema),
    stopCheck: (id) => ask('DELETE', checkOf(id), workerCheckSchema),
  };
}
