/** Templates and endpoints as an engine of ours answers them under /v1, and what a query asks for besides. */
import * as z from 'zod';
import { podSchema } from './pod.ts';
import { flag } from '../core/query.ts';
import { keptEndpointSchema, templateSchema } from './resources.ts';
import { secret } from '../core/secretFields.ts';

export const templateAnswerSchema = templateSchema.extend({
  isRunpod: z.boolean(),
  earned: z.number().meta({ description: 'Credits, in the cloud.' }),
  runtimeInMin: z.int(),
});
export type TemplateAnswer = z.infer<typeof templateAnswerSchema>;

/** Public templates of others, and those of the cloud, are not here. */
export const templateQuerySchema = z.object({
  includeEndpointBoundTemplates: flag,
  includePublicTemplates: flag,
  includeRunpodTemplates: flag,
});

export const endpointAnswerSchema = keptEndpointSchema.extend({
  userId: z.string(),
  env: secret('values', z.record(z.string(), z.string()).meta({ description: 'The variables of its template.' })),
  instanceIds: z.array(z.string()).meta({ description: 'On the CPU: flavor, cores and GB of memory.' }),
  networkVolumeId: z.string().meta({ description: 'The first of `networkVolumeIds`; empty for none.' }),
  /** These two for those who ask for them. */
  template: templateAnswerSchema.optional(),
  workers: z.array(podSchema).optional(),
});
export type EndpointAnswer = z.infer<typeof endpointAnswerSchema>;

export const endpointQuerySchema = z.object({ includeTemplate: flag, includeWorkers: flag });
export type EndpointQuery = z.infer<typeof endpointQuerySchema>;
