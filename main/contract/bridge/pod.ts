/** The page's procedures about Pods; part of the bridge contract. */
import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';
import { autoStopChangeSchema, autoStopRulesSchema, autoStopSchema } from '../api/autoStop.ts';
import { podFactsSchema, podLimitsChangeSchema, podLimitsSchema, type PodCreate, type PodUpdate } from '../api/pod.ts';
import { sampleIntervalSchema } from '../local/changes/samples.ts';
import { gpuPeriodSchema } from '../local/gpuHistory.ts';
import { podMetricsSchema, podPortCheckSchema } from '../local/podMetrics.ts';
import { podEventSchema } from '../local/podEvent.ts';
import { lenientGpuTypeSchema, lenientPodSchema, lenientTemplateSchema, type LenientGpuType } from '../api/lenient.ts';

const accountRef = z.object({ accountId: z.string() });
const podRef = accountRef.extend({ podId: z.string() });
const named = z.object({ id: z.string(), name: z.string() });

/** `facts`: only engines of Hangar have them; null for other accounts, and if the Pod was just deleted. */
export const podRowSchema = z.object({
  pod: lenientPodSchema,
  facts: podFactsSchema.nullable(),
  /** When it stops by itself; absent if nothing can do that, as an older engine of Hangar. */
  autoStop: autoStopSchema.optional(),
});
export type PodRow = z.infer<typeof podRowSchema>;

/** A Pod that stops by itself. */
export const podAutoStopSchema = z.object({
  accountId: z.string(),
  podId: z.string(),
  podName: z.string(),
  autoStop: autoStopSchema,
});
export type PodAutoStop = z.infer<typeof podAutoStopSchema>;

/** A feature of Pods that the service of the account lacks, and the reason as a sentence for a person. */
export const podLackSchema = z.object({
  what: z.enum(['dockerEntrypoint', 'reset', 'logs', 'events', 'metrics']),
  reason: z.string(),
});
export type PodLack = z.infer<typeof podLackSchema>;

/** All Pods of an account in their current state. */
export const podsNowSchema = z.object({
  rows: z.array(podRowSchema),
  /** Why the facts of the Pods could not be read, as a sentence; null if that did not fail. */
  factsProblem: z.string().nullable(),
  lacks: z.array(podLackSchema),
  /**
   * What containers need there, and how to get it; null if nothing is missing, or if the account does not report it.
   */
  containerProblem: z.string().nullable(),
});
export type PodsNow = z.infer<typeof podsNowSchema>;

/** A GPU type, or the CPU, with the price and stock of one unit. */
export type GpuOffer = LenientGpuType;

/** Choices for a new Pod, besides the input of the person. */
export const podChoicesSchema = z.object({
  /** Templates for Pods. */
  templates: z.array(lenientTemplateSchema),
  volumes: z.array(named),
  registryAuths: z.array(named),
  gpuTypes: z.array(lenientGpuTypeSchema),
  lacks: z.array(podLackSchema),
});
export type PodChoices = z.infer<typeof podChoicesSchema>;

export const podActions = ['start', 'stop', 'restart', 'reset'] as const;
export type PodAction = (typeof podActions)[number];

/** Only the service validates it, so that the person reads one wording of each fault. */
const objectOf = <T>() => z.custom<T>((value) => typeof value === 'object' && value !== null);

export const podContract = {
  now: oc.input(accountRef).output(podsNowSchema),
  /**
   * The facts of all Pods now and again and again, `everyMs` from one sample to the next. Ends or fails with the connection to
   * its engine; UNSUPPORTED if the account does not send them.
   */
  samples: oc
    .input(accountRef.extend({ everyMs: sampleIntervalSchema }))
    .output(eventIterator(z.array(podFactsSchema))),
  choices: oc.input(accountRef).output(podChoicesSchema),
  gpuTypes: oc.input(accountRef).output(z.array(lenientGpuTypeSchema)),
  /** `autoStop`: when the new Pod stops by itself. */
  create: oc
    .input(accountRef.extend({ pod: objectOf<PodCreate>(), autoStop: autoStopRulesSchema.optional() }))
    .output(lenientPodSchema),
  update: oc.input(podRef.extend({ change: objectOf<PodUpdate>() })).output(lenientPodSchema),
  act: oc.input(podRef.extend({ action: z.enum(podActions) })).output(lenientPodSchema),
  /** Deletes the Pod with its container and its own volume. */
  remove: oc.input(podRef).output(z.void()),
  /** Changes when it stops by itself: its engine does that, or for another account this app while it runs. */
  changeAutoStop: oc.input(podRef.extend({ change: autoStopChangeSchema })).output(autoStopSchema),
  /**
   * Changes how many CPU cores and how much memory it may use, while its container runs on. Rejects with UNSUPPORTED if only an
   * engine of Hangar can.
   */
  changeLimits: oc.input(podRef.extend({ change: podLimitsChangeSchema })).output(podLimitsSchema),
  /** The Pods of all accounts that stop by themselves, without those of accounts that cannot be reached. */
  autoStops: oc.output(z.array(podAutoStopSchema)),
  /**
   * What happened to the Pod, oldest first. If the account does not keep it: what this app did to the Pod by its rules; it
   * rejects with UNSUPPORTED for a Pod without rules.
   */
  events: oc.input(podRef).output(z.array(podEventSchema)),
  /** Whether the server at an http port is ready. Rejects with UNSUPPORTED if the account does not check that. */
  checkPort: oc.input(podRef.extend({ port: z.string(), path: z.string() })).output(podPortCheckSchema),
  /** Its load over time. Rejects with UNSUPPORTED if the account does not keep it. */
  metrics: oc.input(podRef.extend({ period: gpuPeriodSchema })).output(podMetricsSchema),
};
