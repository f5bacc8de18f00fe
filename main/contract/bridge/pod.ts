/** The page's procedures about Pods; part of the bridge contract. */
import { oc } from '@orpc/contract';
import * as z from 'zod';
import { podFactsSchema, type PodCreate, type PodUpdate } from '../api/pod.ts';
import { toldGpuTypeSchema, toldPodSchema, toldTemplateSchema, type ToldGpuType } from '../api/lenient.ts';

const accountRef = z.object({ accountId: z.string() });
const podRef = accountRef.extend({ podId: z.string() });
const named = z.object({ id: z.string(), name: z.string() });

/** `facts`: what only an engine of ours tells; null from other accounts, and where the Pod has just gone. */
export const podRowSchema = z.object({ pod: toldPodSchema, facts: podFactsSchema.nullable() });
export type PodRow = z.infer<typeof podRowSchema>;

/** What a service does not take, of what is asked about a Pod elsewhere, and why, in a sentence for a person. */
export const podLackSchema = z.object({ what: z.enum(['dockerEntrypoint', 'reset', 'logs']), reason: z.string() });
export type PodLack = z.infer<typeof podLackSchema>;

/** All Pods of an account as they are now. */
export const podsNowSchema = z.object({
  rows: z.array(podRowSchema),
  lacks: z.array(podLackSchema),
  /** What is missing for containers to run there, and how to get it; null where nothing is, or it does not tell. */
  containerProblem: z.string().nullable(),
});
export type PodsNow = z.infer<typeof podsNowSchema>;

/** A GPU type, or the CPU, with the price and stock of one. */
export type GpuOffer = ToldGpuType;

/** What a new Pod can be made of, beside what a person types. */
export const podChoicesSchema = z.object({
  /** Those that are meant for Pods. */
  templates: z.array(toldTemplateSchema),
  volumes: z.array(named),
  registryAuths: z.array(named),
  gpuTypes: z.array(toldGpuTypeSchema),
  lacks: z.array(podLackSchema),
});
export type PodChoices = z.infer<typeof podChoicesSchema>;

export const podActions = ['start', 'stop', 'restart', 'reset'] as const;
export type PodAction = (typeof podActions)[number];

/** Checked by the service alone, so that the person reads one set of words about what is wrong with a field. */
const asGiven = <T>() => z.custom<T>((value) => typeof value === 'object' && value !== null);

export const podContract = {
  now: oc.input(accountRef).output(podsNowSchema),
  choices: oc.input(accountRef).output(podChoicesSchema),
  gpuTypes: oc.input(accountRef).output(z.array(toldGpuTypeSchema)),
  create: oc.input(accountRef.extend({ pod: asGiven<PodCreate>() })).output(toldPodSchema),
  update: oc.input(podRef.extend({ change: asGiven<PodUpdate>() })).output(toldPodSchema),
  act: oc.input(podRef.extend({ action: z.enum(podActions) })).output(toldPodSchema),
  /** Deletes it with its container and its own volume. */
  remove: oc.input(podRef).output(z.void()),
};
