/** The folders of handlers, under /local/v1: their contents, their Python, their environments and their tests. */
import * as z from 'zod';
import {
  declaredInputSchema,
  environmentStateSchema,
  folderQuestionSchema,
  folderReadingSchema,
  pythonChoiceSchema,
  workerCheckSchema,
  type DeclaredInput,
  type EnvironmentState,
  type FolderReading,
  type WorkerCheck,
} from '#contract/local/folder.ts';
import type { EndpointReadiness } from '#contract/local/engine.ts';
import type { Api } from '../access/api.ts';
import { named, operation } from '../openapi/operation.ts';
import { readinessShape } from './routes.ts';

/**
 * Actions on the folder of an endpoint. They throw NOT_FOUND for an unknown endpoint, BAD_REQUEST for one without a
 * folder.
 */
export interface FolderActions {
  /** `python`: the Python for the handler; undefined for the one that the folder needs. */
  read(imageName: string, python: string | undefined): Promise<FolderReading>;
  /** Sets the Python for the handler; null for the one that the folder needs. */
  setPython(endpointId: string, python: string | null): Promise<EndpointReadiness>;
  /** The input that the folder declares, as its files are now. */
  declaredInput(endpointId: string): Promise<DeclaredInput>;
  environment(endpointId: string): EnvironmentState;
  makeEnvironment(endpointId: string): EnvironmentState;
  /** Settles once all of it is removed. */
  stopEnvironment(endpointId: string): Promise<EnvironmentState>;
  /** The last check; before the first one, the tests of the folder. */
  checked(endpointId: string): WorkerCheck;
  /** Runs the tests of the folder as jobs, one after the other. */
  check(endpointId: string): WorkerCheck;
  stopCheck(endpointId: string): WorkerCheck;
}

const params = z.object({ id: z.string() });
const environmentShape = named('EnvironmentState', environmentStateSchema);
const checkShape = named('WorkerCheck', workerCheckSchema);
const ENDPOINT = '/local/v1/endpoints/:id';
const reads = { group: 'folders', need: 'read' } as const;
const changes = { group: 'folders', need: 'all' } as const;

function registerEnvironments(api: Api, folders: FolderActions): void {
  api.get(
    `${ENDPOINT}/environment`,
    operation({
      ...reads,
      id: 'environment',
      summary: 'Tells how far the environment is that was asked for.',
      params,
      answers: { 200: { words: 'How far it is.', shape: environmentShape } },
      refusals: ['BAD_REQUEST'],
    }),
    async (request) => folders.environment(request.params.id),
  );
  api.post(
    `${ENDPOINT}/environment`,
    operation({
      ...changes,
      id: 'makeEnvironment',
      summary:
        'Makes `.venv` in the folder from its uv.lock or requirements.txt; its workers run with that afterwards. Into an environment that is there, the packages of requirements.txt are installed.',
      params,
      answers: { 200: { words: 'It is being made.', shape: environmentShape } },
      refusals: ['BAD_REQUEST', 'CONFLICT'],
    }),
    async (request) => folders.makeEnvironment(request.params.id),
  );
  api.delete(
    `${ENDPOINT}/environment`,
    operation({
      ...changes,
      id: 'stopEnvironment',
      summary: 'Stops the making of the environment, and removes what was made of it.',
      params,
      answers: { 200: { words: 'It is stopped.', shape: environmentShape } },
      refusals: ['BAD_REQUEST', 'CONFLICT'],
    }),
    async (request) => folders.stopEnvironment(request.params.id),
  );
}

function registerChecks(api: Api, folders: FolderActions): void {
  api.get(
    `${ENDPOINT}/check`,
    operation({
      ...reads,
      id: 'workerCheck',
      summary: 'Tells how the last check of the worker went; before the first one, which tests it has.',
      params,
      answers: { 200: { words: 'The tests.', shape: checkShape } },
      refusals: ['BAD_REQUEST'],
    }),
    async (request) => folders.checked(request.params.id),
  );
  api.post(
    `${ENDPOINT}/check`,
    operation({
      ...changes,
      id: 'checkWorker',
      summary:
        'Runs the tests of `.runpod/tests.json` as jobs, one after the other: as on the hub, one that completes has passed.',
      params,
      answers: { 200: { words: 'The tests, which run now.', shape: checkShape } },
      refusals: ['BAD_REQUEST', 'CONFLICT'],
    }),
    async (request) => folders.check(request.params.id),
  );
  api.delete(
    `${ENDPOINT}/check`,
    operation({
      ...changes,
      id: 'stopWorkerCheck',
      summary: 'Stops the check: the job of the test that runs is cancelled, and no other test begins.',
      params,
      answers: { 200: { words: 'The tests, which end now.', shape: checkShape } },
      refusals: ['CONFLICT'],
    }),
    async (request) => folders.stopCheck(request.params.id),
  );
}

export function registerFolderRoutes(api: Api, { folders }: { folders: FolderActions }): void {
  // Only a key that may run programs on this machine may read its folders.
  api.post(
    '/local/v1/folders',
    operation({
      ...changes,
      id: 'readFolder',
      summary:
        'Tells what a folder of this machine would run, with which Python, and how its `.runpod/hub.json` fills a template and an endpoint.',
      body: named('FolderQuestion', folderQuestionSchema),
      answers: { 200: { words: 'The folder.', shape: named('FolderReading', folderReadingSchema) } },
    }),
    async ({ body }) => folders.read(body.imageName, body.python),
  );
  api.put(
    `${ENDPOINT}/python`,
    operation({
      ...changes,
      id: 'setPython',
      summary:
        'Sets which Python runs the handler: a program, the folder of an environment, or the name of a conda environment (`conda:` before it says that it is no program). Kept as HANGAR_PYTHON among the variables of the template.',
      params,
      body: named('PythonChoice', pythonChoiceSchema),
      answers: { 200: { words: 'The endpoint, with the Python it has now.', shape: readinessShape } },
    }),
    async (request) => folders.setPython(request.params.id, request.body.python),
  );
  api.get(
    `${ENDPOINT}/input`,
    operation({
      ...changes,
      id: 'declaredInput',
      summary:
        "Tells which input the folder declares: the rules that its Python handler hands to the public SDK's validator, `input_schema.json` or `schema.json`, or `inputSchema` of `.runpod/hub.json`; and its `test_input.json`. Nothing of the folder is run.",
      params,
      answers: { 200: { words: 'The input.', shape: named('DeclaredInput', declaredInputSchema) } },
      refusals: ['BAD_REQUEST'],
    }),
    async (request) => folders.declaredInput(request.params.id),
  );
  registerEnvironments(api, folders);
  registerChecks(api, folders);
}
