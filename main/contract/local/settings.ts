/** The settings of an engine: the numbers of limits.ts that a person may change, and the shape of a change. */
import * as z from 'zod';
import { priceRanges } from '../api/billing.ts';
import { fromKeys, keysOf } from '../core/keysOf.ts';
import { limits } from '../core/limits.ts';
import {
  defaultMachineSettings,
  machineRanges,
  machineSettingsChangeSchema,
  machineSettingsSchema,
} from './machine.ts';
import { sshPortRange, sshSettingFields, sshSettingsChangeSchema } from './ssh/podSsh.ts';

/** Whole numbers, unless `whole` is false. */
type Range = { readonly min: number; readonly max: number; readonly whole?: boolean };
const { ranges, operations } = limits.rates;

const MIB = 1024 * 1024;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const bodyBytes: Range = { min: 1024, max: 100 * MIB };
const timeMs: Range = { min: 1, max: 365 * DAY_MS };

/**
 * The numbers of limits.ts that a person may change, by their names there, each with the range of its values. The
 * schemas, the defaults and the messages of the settings come from this table.
 */
const settable = {
  numbers: { runBodyBytes: bodyBytes, runsyncBodyBytes: bodyBytes, chunkBytes: { min: 1024, max: 4_000_000 } },
  /** `min`, `max` and `default` each have this range, and `default` must lie between the other two. */
  spans: { waitMs: { min: 1, max: HOUR_MS }, executionTimeoutMs: timeMs, ttlMs: timeMs },
  groups: {
    retentionMs: { run: timeMs, runsync: timeMs, runsyncWithWait: timeMs },
    webhook: { retries: { min: 0, max: 20 }, gapMs: { min: 1000, max: HOUR_MS } },
  },
};

const whole = ({ min, max }: Range) => z.int().min(min).max(max);

/** The operations with a rate limit. All other operations have none. */
export type RatedOperation = keyof typeof operations;
export const ratedOperations = keysOf(operations);

const operationFields = {
  /** Requests in any window of 10 s. */
  requests: whole(ranges.requests),
  /** Requests at the same time; null is no limit. */
  concurrent: whole(ranges.concurrent).nullable(),
};

/** One field for each operation, all with the same schema. */
const forEachOperation = <S extends z.ZodType>(schema: S) =>
  fromKeys<Record<RatedOperation, S>>(ratedOperations, () => schema);

const rateFields = {
  /** False disables the rate limits: nothing is answered 429. */
  enabled: z.boolean(),
  /**
   * Each running worker of an endpoint allows this many requests per 10 s, if that is more than the operation's own
   * number.
   */
  requestsPerWorker: whole(ranges.requestsPerWorker),
};

type Fields<Ranges> = { [Name in keyof Ranges]: z.ZodInt };
type Changes<Ranges> = { [Name in keyof Ranges]: z.ZodOptional<z.ZodInt> };
/** A range for each field. */
type RangesOf<Ranges> = { readonly [Name in keyof Ranges]: Range };
type GroupsOf<Groups> = { readonly [Group in keyof Groups]: RangesOf<Groups[Group]> };

const fieldsOf = <Ranges extends RangesOf<Ranges>>(ranges: Ranges) =>
  fromKeys<Fields<Ranges>>(keysOf(ranges), (name) => whole(ranges[name]));

const groupFields = <Groups extends GroupsOf<Groups>>(groups: Groups) =>
  fromKeys<{ [Group in keyof Groups]: z.ZodObject<Fields<Groups[Group]>, z.core.$strict> }>(keysOf(groups), (group) =>
    z.strictObject(fieldsOf(groups[group])),
  );

const groupChanges = <Groups extends GroupsOf<Groups>>(groups: Groups) =>
  fromKeys<{ [Group in keyof Groups]: z.ZodObject<Changes<Groups[Group]>, z.core.$strict> }>(keysOf(groups), (group) =>
    z.strictObject(fieldsOf(groups[group])).partial(),
  );

const { numbers, spans } = settable;
type SpanName = keyof typeof spans;
type Span<Value> = Record<'min' | 'max' | 'default', Value>;
/** The limits with a least, a most and a default value. */
export const spanNames = keysOf(spans);
const groups = {
  ...fromKeys<Record<SpanName, Span<Range>>>(spanNames, (name) => {
    const range = spans[name];
    return { min: range, max: range, default: range };
  }),
  ...settable.groups,
};

/** The numbers of the job API, with the names of limits.ts. */
const limitSettingsSchema = z.strictObject({ ...fieldsOf(numbers), ...groupFields(groups) });
export type LimitSettings = z.infer<typeof limitSettingsSchema>;

/**
 * The form of /stream answers: `array`: a list of chunks, as in the service description. `envelope`: chunks with the
 * status of the job, which most clients of the cloud read. `auto`: the engine chooses by the client.
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
  /** SSH into Pods of this machine. */
  ssh: z.strictObject(sshSettingFields),
});
export type Settings = z.infer<typeof settingsSchema>;
export type RateSettings = Settings['rates'];

/** PATCH /local/v1/settings: only the changed fields, at any depth. An unknown field is refused, not ignored. */
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
    .strictObject({ ...fieldsOf(numbers), ...groupChanges(groups) })
    .partial()
    .optional(),
  answers: z.strictObject(answerFields).partial().optional(),
  machine: machineSettingsChangeSchema.optional(),
  ssh: sshSettingsChangeSchema.optional(),
});
export type SettingsChange = z.infer<typeof settingsChangeSchema>;

const rangesIn = (path: string, fields: Record<string, Range>) =>
  Object.entries(fields).map(([name, range]) => [`${path}.${name}`, range] as const);

/** Ranges for error messages, by the path or the name of the field. */
export const settingsRanges: Record<string, Range> = {
  ...ranges,
  ...Object.fromEntries([
    ...rangesIn('limits', numbers),
    ...Object.entries(groups).flatMap(([group, fields]) => rangesIn(`limits.${group}`, fields)),
  ]),
  ...machineRanges,
  ...priceRanges,
  'ssh.port': sshPortRange,
};

export const defaultSettings: Settings = {
  rates: {
    enabled: true,
    requestsPerWorker: limits.rates.requestsPerWorker,
    operations,
  },
  limits: {
    ...fromKeys<Record<keyof typeof numbers, number>>(keysOf(numbers), (name) => limits[name]),
    ...fromKeys<Record<SpanName, Span<number>>>(spanNames, (name) => limits[name]),
    retentionMs: limits.retentionMs,
    webhook: fromKeys<Record<keyof typeof groups.webhook, number>>(
      keysOf(groups.webhook),
      (name) => limits.webhook[name],
    ),
  },
  answers: { stream: 'auto' },
  machine: defaultMachineSettings,
  ssh: { keys: [], port: null },
};

/** The limits without any settings, for example in a spec of the rules. */
export const defaultLimits = (): LimitSettings => defaultSettings.limits;
