/**
 * The page's procedures about updates of the desktop program; part of the bridge contract. Other hosts answer
 * NOT_FOUND.
 */
import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';

/** Which releases are offered: `stable`: finished ones only; `beta`: also releases in test. */
export const updateChannels = ['stable', 'beta'] as const;
export const updateChannelSchema = z.enum(updateChannels);
export type UpdateChannel = z.infer<typeof updateChannelSchema>;

/**
 * `idle`: nothing newer is known. `available`: there is a newer version, which this installation does not fetch by
 * itself. `ready`: it is downloaded and its checksum is right. `waiting`: the person wants it installed, and work still
 * runs. `installing`: Hangar is ending for it.
 */
export const updateStates = [
  'idle',
  'checking',
  'available',
  'downloading',
  'ready',
  'waiting',
  'installing',
  'failed',
] as const;
export type UpdateState = (typeof updateStates)[number];

/** When the ready version is installed. */
export const updatePlans = ['now', 'at-quit', 'later'] as const;
export const updatePlanSchema = z.enum(updatePlans);
export type UpdatePlan = z.infer<typeof updatePlanSchema>;

export const updateStatusSchema = z.object({
  state: z.enum(updateStates),
  /** The version that is running. */
  current: z.string(),
  channel: updateChannelSchema,
  /** The newer version that `state` describes; null if none is known. */
  version: z.string().nullable(),
  /**
   * The newest version of the channel in the last check, also if it is not newer than the running one; null before the
   * first check.
   */
  newest: z.string().nullable(),
  /**
   * Why `newest` is not installed although it differs from the running version: it is older, or not offered to this
   * computer yet.
   */
  withheld: z.enum(['older', 'held-back']).nullable(),
  /** Bytes of the download; null unless `downloading`. */
  progress: z.object({ doneBytes: z.number(), totalBytes: z.number() }).nullable(),
  /** Null until the person chooses. */
  plan: updatePlanSchema.nullable(),
  /** While `waiting`: the running work, each a phrase such as "2 jobs". */
  work: z.array(z.string()),
  /** Why it `failed`, and what to do. */
  reason: z.string().nullable(),
  /** Why this installation does not install updates automatically; null if it does. */
  manual: z.string().nullable(),
  /** The command that installs `version` if `manual` is set; null if there is none. */
  command: z.string().nullable(),
  /** When the last check ended, in milliseconds since the epoch; null before the first one. */
  checkedAt: z.number().nullable(),
});
export type UpdateStatus = z.infer<typeof updateStatusSchema>;

export const updatesContract = {
  /** The status now, then each change. */
  watch: oc.output(eventIterator(updateStatusSchema)),
  /** Checks for a newer version and answers after the check. Does nothing while a version is downloading, or ready. */
  check: oc.output(updateStatusSchema),
  /** Chooses what to do with the ready version; CONFLICT if there is none. */
  choose: oc.input(z.object({ plan: updatePlanSchema })).output(updateStatusSchema),
  /** Changes the channel and forgets the versions of the other one. CONFLICT while Hangar is ending for an update. */
  setChannel: oc.input(z.object({ channel: updateChannelSchema })).output(updateStatusSchema),
};
