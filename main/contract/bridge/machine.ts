/** The page's procedures about the computer an engine runs on; part of the bridge contract. */
import { oc } from '@orpc/contract';
import * as z from 'zod';
import { engineFactsSchema, workerSchema } from '../local/engine.ts';
import {
  machineSchema,
  machineSettingsSchema,
  moveJobSchema,
  pauseRequestSchema,
  pauseStateSchema,
  queuedJobSchema,
  setAsideSchema,
  type machineSettingsChangeSchema,
} from '../local/machine.ts';
import { settingsSchema, type SettingsChange } from '../local/settings.ts';

const accountRef = z.object({ accountId: z.string() });
const endpointRef = accountRef.extend({ endpointId: z.string() });
const jobRef = accountRef.extend({ jobId: z.string() });

export type MachineSettingsChange = z.infer<typeof machineSettingsChangeSchema>;
/** Checked by the engine alone, so that the person reads one set of words about what is wrong with a field. */
const changeSchema = z.custom<MachineSettingsChange>((value) => typeof value === 'object' && value !== null);

export const engineSettingsSchema = z.object({
  rates: settingsSchema.shape.rates,
  limits: settingsSchema.shape.limits,
  /** Engines of before do not have it. */
  answers: settingsSchema.shape.answers.optional(),
});
export type EngineSettings = z.infer<typeof engineSettingsSchema>;
export type EngineSettingsChange = Pick<SettingsChange, 'rates' | 'limits' | 'answers'>;
const engineChangeSchema = z.custom<EngineSettingsChange>((value) => typeof value === 'object' && value !== null);

/** All of these need an account with the capability `local`; others are refused with NOT_FOUND. */
export const machineContract = {
  /** Its processor, GPUs, container engine and pausing now. */
  get: oc.input(accountRef).output(machineSchema),
  /** The engine itself: version, disk, backup, notices. */
  facts: oc.input(accountRef).output(engineFactsSchema),
  workers: oc.input(accountRef).output(z.array(workerSchema)),
  /** Asked for by every page: unlike `get` it measures nothing. */
  pauseState: oc.input(accountRef).output(pauseStateSchema),
  pause: oc.input(accountRef.extend({ request: pauseRequestSchema })).output(pauseStateSchema),
  resume: oc.input(accountRef).output(pauseStateSchema),
  settings: oc.input(accountRef).output(machineSettingsSchema),
  /** Answers the settings as they are after the change. */
  changeSettings: oc.input(accountRef.extend({ change: changeSchema })).output(machineSettingsSchema),
  /** Rates and limits of the job API of its engine. */
  engineSettings: oc.input(accountRef).output(engineSettingsSchema),
  /** Answers them as they are after the change. */
  changeEngineSettings: oc.input(accountRef.extend({ change: engineChangeSchema })).output(engineSettingsSchema),
  setAside: oc.input(accountRef).output(z.array(setAsideSchema)),
  /** Lets a job go on that was set aside. */
  release: oc.input(jobRef).output(z.void()),
  /** Cancels a job that this page may not have sent. */
  cancel: oc.input(endpointRef.extend({ jobId: z.string() })).output(z.void()),
  /** The first of those that wait, in the order they go. */
  queue: oc.input(endpointRef.extend({ limit: z.int().min(1).max(1000) })).output(z.array(queuedJobSchema)),
  move: oc.input(jobRef.extend(moveJobSchema.shape)).output(z.void()),
};
