/** What only an engine of ours tells, as a table: what /local/v1/openapi.json tells of it. */
import {
  endpointReadinessSchema,
  engineFactsSchema,
  engineHealthSchema,
  jobTimelineSchema,
  workerSchema,
} from '#contract/local/engine.ts';
import { graphqlAnswerSchema, graphqlRequestSchema } from '#contract/api/graphql.ts';
import {
  machineSchema,
  moveJobSchema,
  pauseRequestSchema,
  pauseStateSchema,
  queuedJobSchema,
  setAsideSchema,
} from '#contract/local/machine.ts';
import { limits } from '#contract/core/limits.ts';
import { laneSchema, logFilterSchema, logLineSchema, logPageSchema } from '#contract/local/log.ts';
import { podFactsSchema } from '#contract/api/pod.ts';
import { localVolumeSchema } from '#contract/api/resources.ts';
import * as z from 'zod';
import { fileAnswers, fileOperations, fileRequests } from './files.ts';
import { folderAnswers, folderOperations, folderRequests } from './folders.ts';
import type { DocumentTable, Operation } from '../document.ts';
import { keyAnswers, keyOperations, keyRequests } from './keys.ts';
import { terminalAnswers, terminalOperations, terminalRequests } from './terminals.ts';
import { webhookAnswers, webhookOperations } from './webhooks.ts';

const { listed: lines } = limits.log;
const filterShape = logFilterSchema.shape;
const logFilter = {
  endpointId: { schema: filterShape.endpointId.unwrap(), words: 'Only lines of this endpoint.' },
  workerId: { schema: filterShape.workerId.unwrap(), words: 'Only lines of this worker.' },
  jobId: { schema: filterShape.jobId.unwrap(), words: 'Only lines of this job.' },
  text: { schema: filterShape.text.unwrap(), words: 'Only lines with this text; case does not count.' },
  level: { schema: filterShape.level.unwrap(), words: 'Only lines of this level or a graver one.' },
};
const { queueListed } = limits;

const requests = {
  GraphqlRequest: graphqlRequestSchema,
  ...keyRequests,
  PauseRequest: pauseRequestSchema,
  MoveJob: moveJobSchema,
  ...fileRequests,
  ...folderRequests,
  ...terminalRequests,
};
const answers = {
  GraphqlAnswer: graphqlAnswerSchema,
  EngineHealth: engineHealthSchema,
  EngineFacts: engineFactsSchema,
  Worker: workerSchema,
  EndpointReadiness: endpointReadinessSchema,
  JobTimeline: jobTimelineSchema,
  ...keyAnswers,
  PauseState: pauseStateSchema,
  Machine: machineSchema,
  QueuedJob: queuedJobSchema,
  SetAside: setAsideSchema,
  Volume: localVolumeSchema,
  ...fileAnswers,
  ...folderAnswers,
  PodFacts: podFactsSchema,
  ...terminalAnswers,
  ...webhookAnswers,
  LogLine: logLineSchema,
  LogPage: logPageSchema,
  Lane: laneSchema,
  Document: z.looseObject({ openapi: z.string() }),
};
type Name = keyof typeof requests | keyof typeof answers;

const operations: Operation<Name>[] = [
  {
    methods: ['get'],
    path: '/health',
    id: 'engineHealth',
    group: 'engine',
    need: null,
    summary: 'Whether the engine is ready, and its version.',
    answers: {
      200: {
        words: 'Its name and version; not `ready` while it reads its jobs, when every other request waits.',
        shape: 'EngineHealth',
      },
    },
    refusals: [],
  },
  {
    methods: ['get'],
    path: '/local/v1/engine',
    id: 'engineFacts',
    group: 'engine',
    need: 'read',
    summary: 'Tells what a person should know of the engine and its data.',
    answers: { 200: { words: 'The facts.', shape: 'EngineFacts' } },
    refusals: [],
  },
  {
    methods: ['get'],
    path: '/local/v1/openapi.json',
    id: 'localDocument',
    group: 'engine',
    need: null,
    summary: 'This document.',
    answers: { 200: { words: 'The document.', shape: 'Document' } },
    refusals: [],
  },
  {
    methods: ['post'],
    path: '/graphql',
    id: 'graphql',
    group: 'graphql',
    need: null,
    summary:
      'Runs one GraphQL operation. Queries need a key of the scope `read` or more and mutations one of the scope `all`; what GPU types there are is told without one. The schema is told by introspection.',
    query: { api_key: { schema: z.string(), words: 'The key, where it is not sent as a header.' } },
    body: { shape: 'GraphqlRequest', required: true },
    answers: {
      200: { words: 'What was asked for, or with errors as much of it as there is.', shape: 'GraphqlAnswer' },
      400: { words: 'The document cannot be read, does not fit the schema, or is too much.', shape: 'GraphqlAnswer' },
      401: { words: 'There is no API key, or it is unknown or disabled.', shape: 'GraphqlAnswer' },
      403: { words: 'The API key is good for less than this operation.', shape: 'GraphqlAnswer' },
      413: { words: 'The body or the query is too large.', shape: 'GraphqlAnswer' },
    },
    refusals: [],
  },
  {
    methods: ['get'],
    path: '/local/v1/pods/{podId}',
    id: 'podFacts',
    group: 'pods',
    need: 'read',
    summary: 'Tells what a Pod does just now: what is prepared, why it does not run, and where its ports are reached.',
    answers: { 200: { words: 'The facts.', shape: 'PodFacts' } },
    refusals: [],
  },
  {
    methods: ['get'],
    path: '/local/v1/workers',
    id: 'workers',
    group: 'engine',
    need: 'read',
    summary: 'Lists the workers that this engine runs.',
    answers: { 200: { words: 'The workers.', shape: { listOf: 'Worker' } } },
    refusals: [],
  },
  {
    methods: ['get'],
    path: '/local/v1/workers/lanes',
    id: 'lanes',
    group: 'logs',
    need: 'read',
    summary: 'Tells what the workers of an endpoint were over time, those that have ended included.',
    query: {
      endpointId: { schema: z.string(), words: 'The endpoint; needed.' },
      sinceMs: { schema: z.int().min(0), words: `How far back, in milliseconds; ${limits.lanes.keptMs} at most.` },
    },
    answers: { 200: { words: 'The workers, in the order they were started.', shape: { listOf: 'Lane' } } },
    refusals: ['BAD_REQUEST'],
  },
  {
    methods: ['get'],
    path: '/local/v1/logs',
    id: 'logs',
    group: 'logs',
    need: 'read',
    summary: 'Lists what workers wrote: the newest lines, or those before a line.',
    query: {
      ...logFilter,
      before: { schema: z.int().min(0), words: 'Only lines before the one with this number.' },
      limit: { schema: z.int().min(lines.min).max(lines.max), words: `How many; ${lines.default} without.` },
    },
    answers: {
      200: { words: 'The lines, oldest first, and where to go on for older ones.', shape: 'LogPage' },
    },
    refusals: ['BAD_REQUEST'],
  },
  {
    methods: ['get'],
    path: '/local/v1/logs/events',
    id: 'logEvents',
    group: 'logs',
    need: 'read',
    summary: 'Follows what workers write, as server-sent events. Last-Event-ID goes on where an earlier reading ended.',
    query: {
      ...logFilter,
      after: {
        schema: z.int().min(0),
        words: 'First the lines after the one with this number; without it only new ones.',
      },
    },
    answers: {
      200: {
        words: 'Events, each with a line as its data and its number as its id.',
        shape: 'LogLine',
        type: 'text/event-stream',
      },
    },
    refusals: ['BAD_REQUEST'],
  },
  {
    methods: ['get'],
    path: '/local/v1/endpoints',
    id: 'endpointReadiness',
    group: 'engine',
    need: 'read',
    summary: 'Tells of each endpoint whether it can run here, and how.',
    answers: { 200: { words: 'The endpoints.', shape: { listOf: 'EndpointReadiness' } } },
    refusals: [],
  },
  {
    methods: ['get'],
    path: '/local/v1/volumes',
    id: 'volumes',
    group: 'engine',
    need: 'read',
    summary: 'Lists the network volumes with their folders on this machine.',
    answers: { 200: { words: 'The volumes.', shape: { listOf: 'Volume' } } },
    refusals: [],
  },
  ...fileOperations,
  ...folderOperations,
  ...terminalOperations,
  {
    methods: ['get'],
    path: '/local/v1/machine',
    id: 'machine',
    group: 'engine',
    need: 'read',
    summary:
      'Tells of the computer that the engine runs on: its processor, memory and GPUs, and what runs workers there.',
    answers: { 200: { words: 'The computer, measured since it was asked for last.', shape: 'Machine' } },
    refusals: [],
  },
  {
    methods: ['get'],
    path: '/local/v1/jobs/{id}',
    id: 'jobTimeline',
    group: 'engine',
    need: 'read',
    summary: 'Tells the moments of a job, and why it waits.',
    answers: { 200: { words: 'The job.', shape: 'JobTimeline' } },
    refusals: [],
  },
  {
    methods: ['get'],
    path: '/local/v1/pause',
    id: 'pauseState',
    group: 'machine',
    need: 'read',
    summary: 'Tells whether work goes on, and what holds it back.',
    answers: { 200: { words: 'What holds work back.', shape: 'PauseState' } },
    refusals: [],
  },
  {
    methods: ['post'],
    path: '/local/v1/pause',
    id: 'pause',
    group: 'machine',
    need: 'all',
    summary: 'Holds all work back: at once, or once the jobs that run have ended; until resumed, or for a time.',
    body: { shape: 'PauseRequest', required: true },
    answers: { 200: { words: 'What holds work back now.', shape: 'PauseState' } },
    refusals: [],
  },
  {
    methods: ['delete'],
    path: '/local/v1/pause',
    id: 'resume',
    group: 'machine',
    need: 'all',
    summary: 'Goes on: rules that hold just now are overruled, each until it has stopped holding.',
    answers: { 200: { words: 'What holds work back now.', shape: 'PauseState' } },
    refusals: [],
  },
  {
    methods: ['get'],
    path: '/local/v1/endpoints/{id}/queue',
    id: 'queue',
    group: 'queue',
    need: 'read',
    summary: 'Lists the jobs that wait, in the order in which workers get them.',
    query: {
      limit: {
        schema: z.int().min(queueListed.min).max(queueListed.max),
        words: `How many; ${queueListed.default} without.`,
      },
    },
    answers: { 200: { words: 'The jobs, the next one first.', shape: { listOf: 'QueuedJob' } } },
    refusals: ['BAD_REQUEST'],
  },
  {
    methods: ['post'],
    path: '/local/v1/jobs/{id}/move',
    id: 'moveJob',
    group: 'queue',
    need: 'all',
    summary: 'Puts a waiting job before another one of its endpoint, or last; it keeps that place over a restart.',
    body: { shape: 'MoveJob', required: true },
    answers: { 200: { words: 'The job.', shape: 'QueuedJob' } },
    refusals: ['CONFLICT'],
  },
  {
    methods: ['get'],
    path: '/local/v1/set-aside',
    id: 'setAside',
    group: 'queue',
    need: 'read',
    summary: 'Lists the jobs that were running at two crashes of the engine, and are handed to nobody for that.',
    answers: { 200: { words: 'The jobs.', shape: { listOf: 'SetAside' } } },
    refusals: [],
  },
  {
    methods: ['post'],
    path: '/local/v1/jobs/{id}/release',
    id: 'releaseJob',
    group: 'queue',
    need: 'all',
    summary: 'Has a job that is set aside tried again.',
    answers: { 200: { words: 'The job, which waits now.', shape: 'QueuedJob' } },
    refusals: ['BAD_REQUEST'],
  },
  ...webhookOperations,
  ...keyOperations,
];

export const localDocument = (version: string): DocumentTable<Name> => ({
  title: 'Hangar engine',
  version,
  description: 'What only an engine of Hangar can tell: its workers, keys and settings, and why a job waits.',
  groups: {
    engine: 'The engine and what it runs.',
    graphql: 'What clients of the cloud ask by GraphQL.',
    pods: 'What the containers of Pods do just now.',
    machine: 'The computer it runs on, and giving it back to whoever sits there.',
    queue: 'The order of jobs that wait, and those that are set aside.',
    'api keys': 'Who may call.',
    settings: 'What may be changed.',
    files: 'What lies in network volumes.',
    folders: 'Folders of this machine that endpoints are made of.',
    terminals: 'Shells in the containers of Pods and workers, each at a WebSocket.',
    logs: 'What workers wrote, and what they were over time.',
    webhooks: 'Calls of addresses that jobs named.',
  },
  parameters: {
    id: 'As it was answered when the thing was made.',
    podId: 'Id of the Pod.',
    workerId: 'Id of the worker.',
  },
  requests,
  answers,
  operations,
});
