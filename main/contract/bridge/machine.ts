/** The page's procedures about the computer of an engine; part of the bridge contract. */
import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';
import { stateChangeSchema } from '../local/changes/stateChange.ts';
import { sampleIntervalSchema } from '../local/changes/samples.ts';
import { diskUsageSchema } from '../local/disk/usage.ts';
import { imagePullRequestSchema, imagePullSchema, localImageSchema } from '../local/image.ts';
import { engineFactsSchema, workerSchema } from '../local/engine.ts';
import { gpuHistorySchema, gpuPeriodSchema } from '../local/gpuHistory.ts';
import {
  machineSchema,
  machineSettingsSchema,
  moveJobSchema,
  pauseRequestSchema,
  pauseStateSchema,
  processorHistorySchema,
  queuedJobSchema,
  setAsideSchema,
  type machineSettingsChangeSchema,
} from '../local/machine.ts';
import { sshServerSchema, type SshSettingsChange } from '../local/ssh/podSsh.ts';
import { settingsSchema, type SettingsChange } from '../local/settings.ts';

const accountRef = z.object({ accountId: z.string() });
const endpointRef = accountRef.extend({ endpointId: z.string() });
/** `everyMs`: the time from one sample to the next. */
const sampleRef = accountRef.extend({ everyMs: sampleIntervalSchema });
const jobRef = accountRef.extend({ jobId: z.string() });

export type MachineSettingsChange = z.infer<typeof machineSettingsChangeSchema>;
/** Only the engine validates it, so that the person reads one wording of each fault. */
const changeSchema = z.custom<MachineSettingsChange>((value) => typeof value === 'object' && value !== null);

export const engineSettingsSchema = z.object({
  rates: settingsSchema.shape.rates,
  limits: settingsSchema.shape.limits,
  /** Engines of earlier versions do not have it. */
  answers: settingsSchema.shape.answers.optional(),
});
export type EngineSettings = z.infer<typeof engineSettingsSchema>;
export type EngineSettingsChange = Pick<SettingsChange, 'rates' | 'limits' | 'answers'>;
const sshChangeSchema = z.custom<SshSettingsChange>((value) => typeof value === 'object' && value !== null);
const engineChangeSchema = z.custom<EngineSettingsChange>((value) => typeof value === 'object' && value !== null);

/** What a job is about, from the record of jobs; null if that has nothing of it. */
const preview = { preview: z.string().nullable() };
const waitingJobSchema = queuedJobSchema.extend(preview);
export type WaitingJob = z.infer<typeof waitingJobSchema>;
const jobSetAsideSchema = setAsideSchema.extend(preview);
export type JobSetAside = z.infer<typeof jobSetAsideSchema>;

/** All of these require an account with the capability `local`; otherwise NOT_FOUND. */
export const machineContract = {
  /**
   * What changes there, each endpoint and Pod once in a batch. The first batch says that all may have changed. Ends or
   * fails with the connection to its engine; UNSUPPORTED if that is too old to report changes.
   */
  changes: oc.input(accountRef).output(eventIterator(z.object({ changes: z.array(stateChangeSchema) }))),
  /** The current state of its processor, GPUs, container engine and pause. */
  get: oc.input(accountRef).output(machineSchema),
  /**
   * As `get`, now and again and again. Ends or fails as `changes` does; UNSUPPORTED if its engine is too old to send
   * it.
   */
  machineSamples: oc.input(sampleRef).output(eventIterator(machineSchema)),
  /** The images that its container engine has already, the newest first. */
  images: oc.input(accountRef).output(z.array(localImageSchema)),
  /** Removes one name of an image. CONFLICT while a container was made from it. */
  removeImage: oc.input(accountRef.extend({ name: z.string() })).output(z.void()),
  /**
   * Starts to pull an image, also one that is there: its tag may have a newer one. Answers the running pull of the same
   * image.
   */
  pullImage: oc.input(accountRef.extend({ request: imagePullRequestSchema })).output(imagePullSchema),
  /** Cancels a pull that runs, and removes it from the list. */
  removePull: oc.input(accountRef.extend({ pullId: z.string() })).output(z.void()),
  /**
   * The pulls that were asked for, the newest first: now, and after each change. NOT_FOUND if its engine is too old.
   */
  pulls: oc.input(accountRef).output(eventIterator(z.array(imagePullSchema))),
  /**
   * Measures what takes how much of its disk, for up to half a minute. UNSUPPORTED if its engine is too old to measure
   * it.
   */
  disk: oc.input(accountRef).output(diskUsageSchema),
  /** The GPUs over time. UNSUPPORTED if its engine is too old to keep it. */
  gpuHistory: oc.input(accountRef.extend({ period: gpuPeriodSchema })).output(z.array(gpuHistorySchema)),
  /** Its processor and memory over time. UNSUPPORTED if its engine is too old to keep it. */
  processorHistory: oc.input(accountRef.extend({ period: gpuPeriodSchema })).output(processorHistorySchema),
  /** The engine itself: version, disk, backup, notices. */
  facts: oc.input(accountRef).output(engineFactsSchema),
  workers: oc.input(accountRef).output(z.array(workerSchema)),
  /** As `workers`, now and again and again. Ends or fails as `machineSamples` does. */
  workerSamples: oc.input(sampleRef).output(eventIterator(z.array(workerSchema))),
  /** Every page requests it: unlike `get` it measures nothing. */
  pauseState: oc.input(accountRef).output(pauseStateSchema),
  pause: oc.input(accountRef.extend({ request: pauseRequestSchema })).output(pauseStateSchema),
  resume: oc.input(accountRef).output(pauseStateSchema),
  settings: oc.input(accountRef).output(machineSettingsSchema),
  /** Answers the settings after the change. */
  changeSettings: oc.input(accountRef.extend({ change: changeSchema })).output(machineSettingsSchema),
  /** Rates and limits of the job API of its engine. */
  engineSettings: oc.input(accountRef).output(engineSettingsSchema),
  /** Answers the settings after the change. */
  changeEngineSettings: oc.input(accountRef.extend({ change: engineChangeSchema })).output(engineSettingsSchema),
  /** The SSH server into its Pods. UNSUPPORTED if its engine is too old to tell about it. */
  sshServer: oc.input(accountRef).output(sshServerSchema),
  /** Answers the server after the change. */
  changeSshServer: oc.input(accountRef.extend({ change: sshChangeSchema })).output(sshServerSchema),
  setAside: oc.input(accountRef).output(z.array(jobSetAsideSchema)),
  /** Releases a job that was set aside. */
  release: oc.input(jobRef).output(z.void()),
  /** Cancels a job, also one that this page did not send. */
  cancel: oc.input(endpointRef.extend({ jobId: z.string() })).output(z.void()),
  /** The first waiting jobs, in the order of the queue. */
  queue: oc.input(endpointRef.extend({ limit: z.int().min(1).max(1000) })).output(z.array(waitingJobSchema)),
  move: oc.input(jobRef.extend(moveJobSchema.shape)).output(z.void()),
};
