/** The automatic stop of a Pod: once it was idle for some minutes, or has cost some money. */
import * as z from 'zod';

export const autoStopLimits = {
  /** Up to a week. */
  idleMinutes: { min: 1, max: 7 * 24 * 60 },
  /** US dollars. */
  spendUsd: { min: 0.01, max: 100_000 },
} as const;

/** The part of the spend cap at which a person is warned. */
export const SPEND_WARNED_AT = 0.8;

const { idleMinutes, spendUsd } = autoStopLimits;

export const autoStopRulesSchema = z.object({
  /** The Pod stops once it was idle for so many minutes; null: never. `autoStopRule.ts` says what idle means. */
  idleMinutes: z.int().min(idleMinutes.min).max(idleMinutes.max).nullable(),
  /** US dollars. The Pod stops once it has cost so much since it was started; null: never. */
  spendUsd: z.number().min(spendUsd.min).max(spendUsd.max).nullable(),
});
export type AutoStopRules = z.infer<typeof autoStopRulesSchema>;

/** The rules of a new Pod. */
export const noAutoStop: AutoStopRules = { idleMinutes: null, spendUsd: null };

/** PATCH /local/v1/pods/{podId}/auto-stop: only the rules that it names change. */
export const autoStopChangeSchema = z.strictObject(autoStopRulesSchema.partial().shape);
export type AutoStopChange = z.infer<typeof autoStopChangeSchema>;

export const autoStopCauses = ['idle', 'spend'] as const;
export type AutoStopCause = (typeof autoStopCauses)[number];

/** Why the rules stopped a Pod. */
export const autoStoppedSchema = z.looseObject({
  at: z.string(),
  cause: z.enum(autoStopCauses),
  /** Without "Stopped:" before it, as in "idle for 30 min". */
  reason: z.string(),
});
export type AutoStopped = z.infer<typeof autoStoppedSchema>;

/** The rules of a Pod, and what they make of it now. Times are RFC 3339. */
export const autoStopSchema = z.looseObject({
  rules: autoStopRulesSchema,
  /** Since when it is idle; null while it is not, while it does not run, and without a rule. */
  idleSince: z.string().nullable(),
  /** What keeps it from being idle, as a sentence; null while it is idle, while it does not run, and without a rule. */
  busyWith: z.string().nullable(),
  /** When it was last measured for this; null while it does not run, and without a rule. */
  measuredAt: z.string().nullable(),
  /** When it stops if nothing changes, and by which rule; null if no rule stops it. */
  next: z.looseObject({ at: z.string(), cause: z.enum(autoStopCauses) }).nullable(),
  /** US dollars since it was started; null while it does not run, and if it has no price. */
  spentUsd: z.number().nullable(),
  /** The last stop by a rule; null once it was started again. */
  stopped: autoStoppedSchema.nullable(),
});
export type AutoStop = z.infer<typeof autoStopSchema>;
