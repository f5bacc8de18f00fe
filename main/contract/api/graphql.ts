/** The transport of the GraphQL API: what is posted to /graphql, and the shape of what is answered. */
import * as z from 'zod';

/** One operation a request. Clients send more beside these. */
export const graphqlRequestSchema = z.looseObject({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  /** Which operation of the document is to run, where it has several. */
  operationName: z.string().nullish(),
});

export const graphqlAnswerSchema = z.looseObject({
  /** Null or left out where nothing was executed. */
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z
    .array(z.looseObject({ message: z.string(), extensions: z.looseObject({ code: z.string() }) }))
    .min(1)
    .optional(),
});
