/** The folders of handlers, under /local/v1: what lies in one, which Python runs it, its environment, and the tests it brings. */
import * as z from 'zod';
import {
  folderQuestionSchema,
  pythonChoiceSchema,
  type EnvironmentState,
  type FolderReading,
  type WorkerCheck,
} from '#contract/local/folder.ts';
import type { EndpointReadiness } from '#contract/local/engine.ts';
import type { Api } from '../access/api.ts';
import { needs } from '../access/routeAccess.ts';

/** Of the folder of an endpoint: NOT_FOUND where there is no such endpoint, BAD_REQUEST where it is not made of a folder. */
export interface FolderActions {
  /** `python`: which one is to run its handler; undefined for whichever the folder calls for. */
  read(imageName: string, python: string | undefined): Promise<FolderReading>;
  /** Which Python runs its handler from now on; null for whichever the folder calls for. */
  setPython(endpointId: string, python: string | null): Promise<EndpointReadiness>;
  environment(endpointId: string): EnvironmentState;
  makeEnvironment(endpointId: string): EnvironmentState;
  /** Answers once nothing of it is left. */
  stopEnvironment(endpointId: string): Promise<EnvironmentState>;
  /** Of the last check; before the first one, the tests there are. */
  checked(endpointId: string): WorkerCheck;
  /** Runs the tests of the folder as jobs, one after the other. */
  check(endpointId: string): WorkerCheck;
  stopCheck(endpointId: string): WorkerCheck;
}

const params = z.object({ id: z.string() });

export function registerFolderRoutes(api: Api, { folders }: { folders: FolderActions }): void {
  // What lies on this machine is told to nobody who may not run programs on it.
  api.post('/local/v1/folders', { ...needs('all'), schema: { body: folderQuestionSchema } }, async ({ body }) =>
    folders.read(body.imageName, body.python),
  );
  api.put(
    '/local/v1/endpoints/:id/python',
    { ...needs('all'), schema: { params, body: pythonChoiceSchema } },
    async (request) => folders.setPython(request.params.id, request.body.python),
  );
  const of = { schema: { params } };
  api.get('/local/v1/endpoints/:id/environment', { ...needs('read'), ...of }, async (request) =>
    folders.environment(request.params.id),
  );
  api.post('/local/v1/endpoints/:id/environment', { ...needs('all'), ...of }, async (request) =>
    folders.makeEnvironment(request.params.id),
  );
  api.delete('/local/v1/endpoints/:id/environment', { ...needs('all'), ...of }, async (request) =>
    folders.stopEnvironment(request.params.id),
  );
  api.get('/local/v1/endpoints/:id/check', { ...needs('read'), ...of }, async (request) =>
    folders.checked(request.params.id),
  );
  api.post('/local/v1/endpoints/:id/check', { ...needs('all'), ...of }, async (request) =>
    folders.check(request.params.id),
  );
  api.delete('/local/v1/endpoints/:id/check', { ...needs('all'), ...of }, async (request) =>
    folders.stopCheck(request.params.id),
  );
}
