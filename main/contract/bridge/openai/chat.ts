/** The page's procedures about endpoints that answer OpenAI clients: part of the bridge contract. */
import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';
import { limits } from '../../core/limits.ts';

const endpointRef = z.object({ accountId: z.string(), endpointId: z.string() });

/** One step of an answer: the request was answered, the next piece of text, or the end with what the worker counted. */
export const chatEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('begun'), jobId: z.string().nullable() }),
  z.object({
    type: z.literal('piece'),
    text: z.string(),
    /** What a reasoning model wrote before its answer; '' for none. */
    reasoning: z.string(),
  }),
  z.object({
    type: z.literal('end'),
    /** Why the model stopped, such as `stop` or `length`; null if the worker does not say. */
    finish: z.string().nullable(),
    /** Null if the worker does not count them. */
    inputTokens: z.number().nullable(),
    outputTokens: z.number().nullable(),
  }),
]);
export type ChatEvent = z.infer<typeof chatEventSchema>;

export const openaiContract = {
  /** The ids of the models that the endpoint lists. The request is a job: it may start a worker, which costs money. */
  models: oc.input(endpointRef).output(z.array(z.string())),
  /**
   * Sends one request to `/openai/v1/chat/completions` and answers its events in order. `body`: the request as JSON
   * text, with `"stream": true`. A caller that stops listening closes the request, and an engine of Hangar then cancels
   * its job. Errors are those of the endpoint, with its words.
   */
  chat: oc
    .input(endpointRef.extend({ body: z.string().max(limits.runBodyBytes) }))
    .output(eventIterator(chatEventSchema)),
};
