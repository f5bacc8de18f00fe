/** The transport of the GraphQL API: the body of POST /graphql, and the shape of its answer. */
import * as z from 'zod';

/** One operation for each request. Clients send other fields, too. */
export const graphqlRequestSchema = z.looseObject({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  /** Which operation of the document runs, if the document has several. */
  operationName: z.string().nullish(),
});

export const graphqlAnswerSchema = z.looseObject({
  /** Null or missing if nothing was executed. */
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z
    .array(z.looseObject({ message: z.string(), extensions: z.looseObject({ code: z.string() }) }))
    .min(1)
    .optional(),
});
