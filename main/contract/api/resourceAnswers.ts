/** Templates and endpoints as an engine of Hangar answers them under /v1, and the options of their queries. */
import * as z from 'zod';
import { podSchema } from './pod.ts';
import { flag } from '../core/query.ts';
import { engineEndpointSchema, templateSchema } from './resources.ts';
import { secret } from '../core/secretFields.ts';

export const templateAnswerSchema = templateSchema.extend({
  isRunpod: z.boolean(),
  earned: z.number().meta({ description: 'Credits, in the cloud.' }),
  runtimeInMin: z.int(),
});
export type TemplateAnswer = z.infer<typeof templateAnswerSchema>;

/** The filters of public templates have no effect: an engine has neither templates of others nor of the cloud. */
export const templateQuerySchema = z.object({
  includeEndpointBoundTemplates: flag,
  includePublicTemplates: flag,
  includeRunpodTemplates: flag,
});

export const endpointAnswerSchema = engineEndpointSchema.extend({
  userId: z.string(),
  env: secret('values', z.record(z.string(), z.string()).meta({ description: 'The variables of its template.' })),
  instanceIds: z.array(z.string()).meta({ description: 'On the CPU: flavor, cores and GB of memory.' }),
  networkVolumeId: z.string().meta({ description: 'The first of `networkVolumeIds`; empty for none.' }),
  /** Only if the query requests these two. */
  template: templateAnswerSchema.optional(),
  workers: z.array(podSchema).optional(),
});
export type EndpointAnswer = z.infer<typeof endpointAnswerSchema>;

export const endpointQuerySchema = z.object({ includeTemplate: flag, includeWorkers: flag });
export type EndpointQuery = z.infer<typeof endpointQuerySchema>;
