/** Prices that a person sets for the use of a machine, and the billing records that /v1/billing answers. */
import * as z from 'zod';
import { limits } from '../core/limits.ts';
import { several } from '../core/query.ts';

const priceRange = { min: 0, max: limits.billing.price.max, whole: false } as const;
const amount = z.number().min(0).max(limits.billing.price.max);

/**
 * `machine.prices` of the settings; every price in US dollars. A GPU type without a price of its own costs its
 * electricity: the measured watt-hours times `perKwh`.
 */
const priceFields = {
  perKwh: amount,
  /** An hour of one GPU, by its type; null: its electricity. */
  gpuHour: z.record(z.string(), amount.nullable()),
  /** An hour of one core of the CPU that a worker or Pod without a GPU uses; null: nothing. */
  cpuHour: amount.nullable(),
  /** A GB of volume, kept for a month of 30 days. */
  volumeGbMonth: amount,
};
export const priceSettingsSchema = z.strictObject(priceFields);
export type PriceSettings = z.infer<typeof priceSettingsSchema>;
export const priceSettingsChangeSchema = z.strictObject(priceFields).partial();
/** Ranges for error messages, by the name of the field, or by the path of the object that holds the fields. */
export const priceRanges = {
  perKwh: priceRange,
  cpuHour: priceRange,
  volumeGbMonth: priceRange,
  'machine.prices.gpuHour': priceRange,
};
export const defaultPriceSettings: PriceSettings = { perKwh: 0, gpuHour: {}, cpuHour: null, volumeGbMonth: 0 };

export const bucketSizes = ['hour', 'day', 'week', 'month', 'year'] as const;
export type BucketSize = (typeof bucketSizes)[number];

const time = z.iso.datetime({ offset: true });
/** Buckets begin at whole hours, days, Mondays, months and years of UTC. */
const period = { bucketSize: z.enum(bucketSizes).default('day'), startTime: time.optional(), endTime: time.optional() };

export const podBillingQuerySchema = z.object({
  ...period,
  grouping: z.enum(['podId', 'gpuTypeId']).default('gpuTypeId'),
  podId: z.string().optional(),
  gpuTypeId: several,
});
export type PodBillingQuery = z.infer<typeof podBillingQuerySchema>;
export const endpointBillingQuerySchema = z.object({
  ...period,
  grouping: z.enum(['endpointId', 'podId', 'gpuTypeId']).default('endpointId'),
  endpointId: z.string().optional(),
  gpuTypeId: several,
  dataCenterId: several,
  imageName: z.string().optional(),
  templateId: z.string().optional(),
});
export type EndpointBillingQuery = z.infer<typeof endpointBillingQuerySchema>;
export const volumeBillingQuerySchema = z.object({
  ...period,
  /** Only on engines of Hangar. Without these two, one record sums all volumes, as the public service does. */
  networkVolumeId: z.string().optional(),
  grouping: z.literal('networkVolumeId').optional(),
});
export type VolumeBillingQuery = z.infer<typeof volumeBillingQuerySchema>;

/** Text, not an RFC 3339 schema: other services write their times in other forms. */
const recordTime = z.string().meta({ format: 'date-time' });

/** `amount` in US dollars. `time` is the start of the bucket. Only the id of the grouping is present. */
export const billingRecordSchema = z.looseObject({
  time: recordTime,
  amount: z.number(),
  timeBilledMs: z.int(),
  diskSpaceBilledGb: z.int().optional(),
  podId: z.string().optional(),
  endpointId: z.string().optional(),
  gpuTypeId: z.string().optional(),
});
export type BillingRecord = z.infer<typeof billingRecordSchema>;

export const volumeBillingRecordSchema = z.looseObject({
  time: recordTime,
  amount: z.number(),
  diskSpaceBilledGb: z.int(),
  highPerformanceStorageAmount: z.number(),
  highPerformanceStorageDiskSpaceBilledGb: z.int(),
  /** Only on engines of Hangar, if the query groups by it. */
  networkVolumeId: z.string().optional(),
});
export type VolumeBillingRecord = z.infer<typeof volumeBillingRecordSchema>;
