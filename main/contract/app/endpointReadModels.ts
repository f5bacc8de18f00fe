/** Endpoints as the page shows and changes them: the live list, one in full, and what a new one can be made of. */
import * as z from 'zod';
import { folderReadingSchema } from '../local/folder.ts';
import { endpointReadinessSchema } from '../local/engine.ts';
import { logLineSchema } from '../local/log.ts';
import { pauseStateSchema } from '../local/machine.ts';
import {
  endpointCreateSchema,
  endpointTypes,
  endpointUpdateSchema,
  templateCreateSchema,
  templateUpdateSchema,
} from '../api/resources.ts';
import { toldEndpointSchema, toldHealthSchema, toldTemplateSchema } from '../api/lenient.ts';

/** One line of the list. */
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
  /** Null when it could not be asked; `healthProblem` then says why. */
  health: toldHealthSchema.nullable(),
  healthProblem: z.string().nullable(),
  /** Null where the account does not tell. */
  readiness: endpointReadinessSchema.nullable(),
});
export type EndpointRow = z.infer<typeof endpointRowSchema>;

/** All of an account's endpoints as they are now. */
export const endpointsNowSchema = z.object({
  rows: z.array(endpointRowSchema),
  /** Of the machine behind the account; null where it does not tell. */
  pause: pauseStateSchema.nullable(),
});
export type EndpointsNow = z.infer<typeof endpointsNowSchema>;

/** One endpoint with its template, with every field the service tells, known or not. */
export const endpointDetailSchema = z.object({
  endpoint: toldEndpointSchema,
  template: toldTemplateSchema.nullable(),
  /** Other endpoints made of the same template. */
  templateSharedWith: z.array(z.string()),
});
export type EndpointDetail = z.infer<typeof endpointDetailSchema>;

/** What a new endpoint can be made of, beside what a person types. */
export const endpointChoicesSchema = z.object({
  volumes: z.array(z.object({ id: z.string(), name: z.string() })),
  registryAuths: z.array(z.object({ id: z.string(), name: z.string() })),
  /** GPU types of the machine; null where it cannot tell. */
  gpuTypes: z.array(z.object({ id: z.string(), count: z.number(), memoryBytes: z.number() })).nullable(),
  /** Whether a folder of this computer can be served: only by the engine beside the page. */
  folders: z.boolean(),
  samples: z.array(z.object({ name: z.string(), description: z.string().nullable() })),
});
export type EndpointChoices = z.infer<typeof endpointChoicesSchema>;

/** What was found in a folder that a person named. */
export const folderCheckSchema = z.object({
  /** The `file://` address to write into a template; null where the folder cannot be used. */
  imageName: z.string().nullable(),
  /** The file that would be run; null when a command must be given. */
  handler: z.string().nullable(),
  /** Why it cannot be used, or what is still needed, for a person. */
  problem: z.string().nullable(),
  /** Its README.md: describes the endpoint, and holds the first input of the Run page. */
  readme: z.string().nullable(),
  /** What the engine reads in it: its Python, and what its hub files say; null where it cannot be used. */
  reading: folderReadingSchema.nullable(),
});
export type FolderCheck = z.infer<typeof folderCheckSchema>;

/** A template and an endpoint of it; neither is kept when one cannot be made. */
export const newEndpointSchema = z.object({
  template: templateCreateSchema,
  endpoint: endpointCreateSchema.omit({ templateId: true }),
});
export type NewEndpoint = z.infer<typeof newEndpointSchema>;

export const endpointChangeSchema = z.object({ template: templateUpdateSchema, endpoint: endpointUpdateSchema });
export type EndpointChange = z.infer<typeof endpointChangeSchema>;

/** Lines that came since the last message, oldest first. */
export const logBatchSchema = z.object({ lines: z.array(logLineSchema) });
export type LogBatch = z.infer<typeof logBatchSchema>;
