/** The settings of an engine: what a person may change of the numbers in limits.ts, and how a change is written. */
import * as z from 'zod';
import { limits } from './limits.ts';

type Range = { readonly min: number; readonly max: number };
const { ranges, operations } = limits.rates;

const whole = ({ min, max }: Range) => z.int().min(min).max(max);

/** The operations that are counted; whatever is not named here is never refused for its rate. */
export type RatedOperation = keyof typeof operations;
export const ratedOperations = Object.keys(operations) as RatedOperation[];

const operationFields = {
  /** Requests in any window of 10 s. */
  requests: whole(ranges.requests),
  /** Requests at the same time; null is no limit. */
  concurrent: whole(ranges.concurrent).nullable(),
};

/** One field for each operation, all with the same schema. */
const forEachOperation = <S extends z.ZodType>(schema: S) =>
  Object.fromEntries(ratedOperations.map((name) => [name, schema])) as Record<RatedOperation, S>;

const rateFields = {
  /** False switches counting off: nothing is answered 429. */
  enabled: z.boolean(),
  /** Each running worker of an endpoint allows this many requests per 10 s, where that is more than the operation's own number. */
  requestsPerWorker: whole(ranges.requestsPerWorker),
};

/** GET /local/v1/settings, and the answer of PATCH. */
export const settingsSchema = z.strictObject({
  rates: z.strictObject({
    ...rateFields,
    operations: z.strictObject(forEachOperation(z.strictObject(operationFields))),
  }),
});
export type Settings = z.infer<typeof settingsSchema>;
export type RateSettings = Settings['rates'];

/** PATCH /local/v1/settings: only what is to change, at any depth. A field that is not known is refused, not ignored. */
export const settingsChangeSchema = z.strictObject({
  rates: z
    .strictObject({
      ...z.strictObject(rateFields).partial().shape,
      operations: z
        .strictObject(forEachOperation(z.strictObject(operationFields).partial()))
        .partial()
        .optional(),
    })
    .optional(),
});
export type SettingsChange = z.infer<typeof settingsChangeSchema>;

/** By field, for messages that name both ends. */
export const settingsRanges: Record<string, Range> = ranges;

export const defaultSettings: Settings = {
  rates: {
    enabled: true,
    requestsPerWorker: limits.rates.requestsPerWorker,
    operations,
  },
};
