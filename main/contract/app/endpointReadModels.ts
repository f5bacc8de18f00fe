/** Read models of endpoints for the page: the live list, one endpoint in full, and the choices for a new one. */
import * as z from 'zod';
import { folderReadingSchema } from '../local/folder.ts';
import { endpointReadinessSchema } from '../local/engine.ts';
import { logGapSchema, logLineSchema } from '../local/log.ts';
import { pauseStateSchema } from '../local/machine.ts';
import { endpointMetricsSchema, metricSumsSchema } from '../local/metrics.ts';
import {
  endpointCreateSchema,
  endpointTypes,
  endpointUpdateSchema,
  templateCreateSchema,
  templateUpdateSchema,
} from '../api/resources.ts';
import { lenientEndpointSchema, lenientHealthSchema, lenientTemplateSchema } from '../api/lenient.ts';

/** One row of the list. */
export const endpointRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(endpointTypes),
  templateId: z.string(),
  /** Image, or `file://` folder; null when its template cannot be read. */
  imageName: z.string().nullable(),
  workersMin: z.number(),
  workersMax: z.number(),
  idleTimeout: z.number(),
  /** Null if the request for it failed; `healthProblem` then says why. */
  health: lenientHealthSchema.nullable(),
  healthProblem: z.string().nullable(),
  /** Null if the account does not provide it. */
  readiness: endpointReadinessSchema.nullable(),
});
export type EndpointRow = z.infer<typeof endpointRowSchema>;

/** All endpoints of an account in their current state. */
export const endpointsNowSchema = z.object({
  rows: z.array(endpointRowSchema),
  /** The pause of the account's machine; null if the account does not provide it. */
  pause: pauseStateSchema.nullable(),
});
export type EndpointsNow = z.infer<typeof endpointsNowSchema>;

/** One endpoint with its template and with every field that the service sends, known or not. */
export const endpointDetailSchema = z.object({
  endpoint: lenientEndpointSchema,
  template: lenientTemplateSchema.nullable(),
  /** Other endpoints that use the same template. */
  templateSharedWith: z.array(z.string()),
  /** The request that its readme shows, as it is written there; null without one. */
  sampleInput: z.string().nullable(),
});
export type EndpointDetail = z.infer<typeof endpointDetailSchema>;

/** Choices for a new endpoint, besides the input of the person. */
export const endpointChoicesSchema = z.object({
  volumes: z.array(z.object({ id: z.string(), name: z.string() })),
  registryAuths: z.array(z.object({ id: z.string(), name: z.string() })),
  /** GPU types of the machine; null if the account does not list them. */
  gpuTypes: z.array(z.object({ id: z.string(), count: z.number(), memoryBytes: z.number() })).nullable(),
  /** Whether the account can serve a folder of this computer: only the engine of this machine can. */
  folders: z.boolean(),
  /** Why no image runs there, for a person, with what to do; null if images run or the account does not say. */
  imageProblem: z.string().nullable(),
  samples: z.array(z.object({ name: z.string(), description: z.string().nullable() })),
  /** The names that endpoints and templates have there: a new endpoint needs another one. */
  names: z.array(z.string()),
});
export type EndpointChoices = z.infer<typeof endpointChoicesSchema>;

/** The result of a check of a folder that a person named. */
export const folderCheckSchema = z.object({
  /** The `file://` address for a template; null if the folder cannot be used. */
  imageName: z.string().nullable(),
  /** The file that would run; null if a command is required. */
  handler: z.string().nullable(),
  /** Why the folder cannot be used, or what is missing, for a person. */
  problem: z.string().nullable(),
  /** Whether it counts as empty, as `countsAsEmpty` says. */
  isEmpty: z.boolean(),
  /** The folder of the file that was named in place of a folder; null if no file was named. */
  folderOfFile: z.string().nullable(),
  /** Its README.md: it describes the endpoint, and contains the first input of the Run page. */
  readme: z.string().nullable(),
  /** The engine's reading of the folder: its Python and its hub files; null if the folder cannot be used. */
  reading: folderReadingSchema.nullable(),
});
export type FolderCheck = z.infer<typeof folderCheckSchema>;

/** A template and an endpoint of it. If one of them cannot be created, neither remains. */
export const newEndpointSchema = z.object({
  template: templateCreateSchema,
  endpoint: endpointCreateSchema.omit({ templateId: true }),
});
export type NewEndpoint = z.infer<typeof newEndpointSchema>;

/** The result of a resume. */
export const resumedEndpointSchema = z.object({
  /** The endpoint may have so many workers again. */
  workersMax: z.number(),
  /** False: another program had paused the endpoint, and the number is the default. */
  isRestored: z.boolean(),
});
export type ResumedEndpoint = z.infer<typeof resumedEndpointSchema>;

export const handlerLanguages = ['python', 'node'] as const;
export type HandlerLanguage = (typeof handlerLanguages)[number];

/** What a new handler does: it returns one result, streams, or answers chats of OpenAI clients. */
export const handlerKinds = ['job', 'stream', 'chat'] as const;
export type HandlerKind = (typeof handlerKinds)[number];

/** A name that is a folder on every system, and an endpoint. */
export const newHandlerSchema = z.object({
  /**
   * The folder of this computer in which the folder of the handler is created, or the folder of the handler itself;
   * `~` is the home folder.
   */
  parent: z.string().trim().min(1).max(4096),
  name: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/,
      'Use 1 to 63 letters, digits, "-" and "_". The first one is a letter or a digit.',
    ),
  kind: z.enum(handlerKinds),
  language: z.enum(handlerLanguages),
  /** Whether `parent` is the folder of the handler itself, which may have other files. */
  into: z.boolean().optional(),
});
export type NewHandler = z.infer<typeof newHandlerSchema>;

/** What a folder may have that counts as empty: what a person, a tool or an editor prepares before the first file. */
const PREPARED_NAMES: ReadonlySet<string> = new Set([
  '.git',
  '.gitignore',
  '.gitattributes',
  '.venv',
  'venv',
  '.vscode',
  '.idea',
  '.DS_Store',
]);

/** Whether a folder with these names in it counts as empty. */
export const countsAsEmpty = (names: readonly string[]): boolean => names.every((name) => PREPARED_NAMES.has(name));

export const endpointChangeSchema = z.object({ template: templateUpdateSchema, endpoint: endpointUpdateSchema });
export type EndpointChange = z.infer<typeof endpointChangeSchema>;

/** Lines that arrived since the last message, oldest first. */
export const logBatchSchema = z.object({ lines: z.array(logLineSchema) });
export type LogBatch = z.infer<typeof logBatchSchema>;

/** Lines of a log that is read as a whole; the last event says what it lacks, or null. */
export const wholeLogEventSchema = z.union([logBatchSchema, z.object({ gap: logGapSchema.nullable() })]);
export type WholeLogEvent = z.infer<typeof wholeLogEventSchema>;

/** Sums of a span of time for the page. */
export const shownSumsSchema = metricSumsSchema.extend({
  /** Null if the account does not report its workers. */
  workers: metricSumsSchema.shape.workers.nullable(),
  /** US dollars; null if the account does not report the cost over time. */
  cost: metricSumsSchema.shape.cost.nullable(),
  /** The run time of all jobs of `execution` together, milliseconds; null where the cost is known. */
  executionMs: z.number().min(0).nullable(),
});
export type ShownSums = z.infer<typeof shownSumsSchema>;

/** The metrics of an endpoint for the page: measured by its engine, or counted from the jobs in the ledger. */
export const shownMetricsSchema = endpointMetricsSchema.extend({
  total: shownSumsSchema,
  points: z.array(shownSumsSchema.extend({ at: z.string() })),
  /** Null if the engine of the account measured them. */
  ledger: z
    .object({
      /** The jobs that are counted: they were submitted in the period, or ended in it. */
      jobs: z.int().min(0),
      /** Jobs that were sent in the period, and that the service refused or did not answer. They are not counted. */
      unaccepted: z.int().min(0),
      /** The account is a Hangar that is too old to have metrics. */
      isOldHangar: z.boolean(),
      /** If the ledger removed older jobs of the period: when its oldest job was sent (RFC 3339). */
      since: z.string().nullable(),
    })
    .nullable(),
});
export type ShownMetrics = z.infer<typeof shownMetricsSchema>;
