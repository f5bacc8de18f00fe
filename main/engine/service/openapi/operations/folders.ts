/** The folders of handlers, as a part of the table that /local/v1/openapi.json is made from. */
import {
  environmentStateSchema,
  folderQuestionSchema,
  folderReadingSchema,
  pythonChoiceSchema,
  workerCheckSchema,
} from '#contract/local/folder.ts';
import type { Operation } from '../document.ts';

export const folderRequests = { FolderQuestion: folderQuestionSchema, PythonChoice: pythonChoiceSchema };
export const folderAnswers = {
  FolderReading: folderReadingSchema,
  EnvironmentState: environmentStateSchema,
  WorkerCheck: workerCheckSchema,
};
type Name = keyof typeof folderRequests | keyof typeof folderAnswers | 'EndpointReadiness';

const ENDPOINT = '/local/v1/endpoints/{id}';

export const folderOperations: Operation<Name>[] = [
  {
    methods: ['post'],
    path: '/local/v1/folders',
    id: 'readFolder',
    group: 'folders',
    need: 'all',
    summary:
      'Tells what a folder of this machine would run, with which Python, and how its `.runpod/hub.json` fills a template and an endpoint.',
    body: { shape: 'FolderQuestion', required: true },
    answers: { 200: { words: 'The folder.', shape: 'FolderReading' } },
    refusals: [],
  },
  {
    methods: ['put'],
    path: `${ENDPOINT}/python`,
    id: 'setPython',
    group: 'folders',
    need: 'all',
    summary:
      'Sets which Python runs the handler: a program, the folder of an environment, or the name of a conda environment (`conda:` before it says that it is no program). Kept as HANGAR_PYTHON among the variables of the template.',
    body: { shape: 'PythonChoice', required: true },
    answers: { 200: { words: 'The endpoint, with the Python it has now.', shape: 'EndpointReadiness' } },
    refusals: [],
  },
  {
    methods: ['get'],
    path: `${ENDPOINT}/environment`,
    id: 'environment',
    group: 'folders',
    need: 'read',
    summary: 'Tells how far the environment is that was asked for.',
    answers: { 200: { words: 'How far it is.', shape: 'EnvironmentState' } },
    refusals: ['BAD_REQUEST'],
  },
  {
    methods: ['post'],
    path: `${ENDPOINT}/environment`,
    id: 'makeEnvironment',
    group: 'folders',
    need: 'all',
    summary: 'Makes `.venv` in the folder from its uv.lock or requirements.txt; its workers run with that afterwards.',
    answers: { 200: { words: 'It is being made.', shape: 'EnvironmentState' } },
    refusals: ['BAD_REQUEST', 'CONFLICT'],
  },
  {
    methods: ['delete'],
    path: `${ENDPOINT}/environment`,
    id: 'stopEnvironment',
    group: 'folders',
    need: 'all',
    summary: 'Stops the making of the environment, and removes what is there of it.',
    answers: { 200: { words: 'It is stopped.', shape: 'EnvironmentState' } },
    refusals: ['BAD_REQUEST', 'CONFLICT'],
  },
  {
    methods: ['get'],
    path: `${ENDPOINT}/check`,
    id: 'workerCheck',
    group: 'folders',
    need: 'read',
    summary: 'Tells how the last check of the worker went; before the first one, which tests it has.',
    answers: { 200: { words: 'The tests.', shape: 'WorkerCheck' } },
    refusals: ['BAD_REQUEST'],
  },
  {
    methods: ['post'],
    path: `${ENDPOINT}/check`,
    id: 'checkWorker',
    group: 'folders',
    need: 'all',
    summary:
      'Runs the tests of `.runpod/tests.json` as jobs, one after the other: as on the hub, one that completes has passed.',
    answers: { 200: { words: 'The tests, which run now.', shape: 'WorkerCheck' } },
    refusals: ['BAD_REQUEST', 'CONFLICT'],
  },
  {
    methods: ['delete'],
    path: `${ENDPOINT}/check`,
    id: 'stopWorkerCheck',
    group: 'folders',
    need: 'all',
    summary: 'Stops the check: the job of the test that runs is cancelled, and no other test begins.',
    answers: { 200: { words: 'The tests, which end now.', shape: 'WorkerCheck' } },
    refusals: ['CONFLICT'],
  },
];
