/** The settings of an engine: what a person may change of the numbers in limits.ts, and how a change is written. */
import * as z from 'zod';
import { priceRanges } from '../api/billing.ts';
import { limits } from '../core/limits.ts';
import {
  defaultMachineSettings,
  machineRanges,
  machineSettingsChangeSchema,
  machineSettingsSchema,
} from './machine.ts';

/** Whole numbers, unless it says otherwise. */
type Range = { readonly min: number; readonly max: number; readonly whole?: boolean };
const { ranges, operations } = limits.rates;
const { settable } = limits;

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

const spanFields = (range: Range) => ({ min: whole(range), max: whole(range), default: whole(range) });
const waitFields = spanFields(settable.waitMs);
const timeFields = spanFields(settable.timeMs);
const retentionFields = {
  run: whole(settable.timeMs),
  runsync: whole(settable.timeMs),
  runsyncWithWait: whole(settable.timeMs),
};
const webhookFields = { retries: whole(settable.webhookRetries), gapMs: whole(settable.webhookGapMs) };
const sizeFields = {
  runBodyBytes: whole(settable.bodyBytes),
  runsyncBodyBytes: whole(settable.bodyBytes),
  chunkBytes: whole(settable.chunkBytes),
};

/** The numbers of the job API, as limits.ts has them. */
const limitSettingsSchema = z.strictObject({
  ...sizeFields,
  waitMs: z.strictObject(waitFields),
  executionTimeoutMs: z.strictObject(timeFields),
  ttlMs: z.strictObject(timeFields),
  retentionMs: z.strictObject(retentionFields),
  webhook: z.strictObject(webhookFields),
});
export type LimitSettings = z.infer<typeof limitSettingsSchema>;

/**
 * What /stream answers: chunks in a list, as the service description says, or in an envelope with the status of the job, which most
 * clients of the cloud read. `auto` goes by who asks.
 */
export const streamAnswers = ['auto', 'array', 'envelope'] as const;
export type StreamAnswer = (typeof streamAnswers)[number];
const answerFields = { stream: z.enum(streamAnswers) };

/** GET /local/v1/settings, and the answer of PATCH. */
export const settingsSchema = z.strictObject({
  rates: z.strictObject({
    ...rateFields,
    operations: z.strictObject(forEachOperation(z.strictObject(operationFields))),
  }),
  limits: limitSettingsSchema,
  answers: z.strictObject(answerFields),
  machine: machineSettingsSchema,
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
  limits: z
    .strictObject({
      ...sizeFields,
      waitMs: z.strictObject(waitFields).partial(),
      executionTimeoutMs: z.strictObject(timeFields).partial(),
      ttlMs: z.strictObject(timeFields).partial(),
      retentionMs: z.strictObject(retentionFields).partial(),
      webhook: z.strictObject(webhookFields).partial(),
    })
    .partial()
    .optional(),
  answers: z.strictObject(answerFields).partial().optional(),
  machine: machineSettingsChangeSchema.optional(),
});
export type SettingsChange = z.infer<typeof settingsChangeSchema>;

/** By the path of the field, for messages that name both ends. */
export const settingsRanges: Record<string, Range> = {
  ...ranges,
  ...Object.fromEntries(Object.keys(sizeFields).map((name) => [name, settable.bodyBytes])),
  chunkBytes: settable.chunkBytes,
  'limits.waitMs': settable.waitMs,
  'limits.executionTimeoutMs': settable.timeMs,
  'limits.ttlMs': settable.timeMs,
  'limits.retentionMs': settable.timeMs,
  retries: settable.webhookRetries,
  gapMs: settable.webhookGapMs,
  ...machineRanges,
  ...priceRanges,
};

export const defaultSettings: Settings = {
  rates: {
    enabled: true,
    requestsPerWorker: limits.rates.requestsPerWorker,
    operations,
  },
  limits: {
    runBodyBytes: limits.runBodyBytes,
    runsyncBodyBytes: limits.runsyncBodyBytes,
    chunkBytes: limits.chunkBytes,
    waitMs: limits.waitMs,
    executionTimeoutMs: limits.executionTimeoutMs,
    ttlMs: limits.ttlMs,
    retentionMs: limits.retentionMs,
    webhook: { retries: limits.webhook.retries, gapMs: limits.webhook.gapMs },
  },
  answers: { stream: 'auto' },
  machine: defaultMachineSettings,
};

/** Where nobody can change them, such as in a spec of the rules. */
export const defaultLimits = (): LimitSettings => defaultSettings.limits;
