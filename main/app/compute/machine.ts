/** The computer of an account, as its engine reports it: facts, pausing, rules, workers and the order of its queues. */
import { AppError, isUnsupported } from '#contract/core/errors.ts';
import { changeKinds, stateChangeSchema, type StateChange } from '#contract/local/changes/stateChange.ts';
import { workersSampleSchema } from '#contract/local/changes/samples.ts';
import { diskUsageSchema, type DiskUsage } from '#contract/local/disk/usage.ts';
import {
  imagePullSchema,
  imagePullsSchema,
  localImageSchema,
  type ImagePull,
  type ImagePullRequest,
  type LocalImage,
} from '#contract/local/image.ts';
import { sshServerSchema, type SshServerFacts, type SshSettingsChange } from '#contract/local/ssh/podSsh.ts';
import { engineFactsSchema, workerSchema, type EngineFacts, type WorkerRecord } from '#contract/local/engine.ts';
import { gpuHistorySchema, type GpuHistory, type GpuPeriod } from '#contract/local/gpuHistory.ts';
import {
  machineSchema,
  machineSettingsSchema,
  pauseStateSchema,
  queuedJobSchema,
  setAsideSchema,
  type Machine,
  type MachineSettings,
  type PauseRequest,
  type PauseState,
  type QueuedJob,
  type SetAside,
  processorHistorySchema,
  type ProcessorHistory,
} from '#contract/local/machine.ts';
import {
  engineSettingsSchema,
  type EngineSettings,
  type EngineSettingsChange,
  type MachineSettingsChange,
} from '#contract/bridge/machine.ts';
import * as z from 'zod';
import { createSendJson } from './http/jsonRequests.ts';
import { readJson } from './http/parsers.ts';
import { followLocal, samplesOf, SILENCE_MS } from './http/localEvents.ts';
import { readEvents } from './http/serverEvents.ts';
import type { Outbound } from './http/outbound.ts';

export interface MachineApi {
  /**
   * What changes, as it does, first that all may have changed. Throws UNSUPPORTED where the engine is too old to report
   * it, and UNAVAILABLE once the engine is silent for longer than its heartbeat takes.
   */
  changes(signal: AbortSignal): AsyncGenerator<StateChange, void, void>;
  get(): Promise<Machine>;
  /** As `get`, now and every `everyMs`. Throws as `changes` does. */
  machineSamples(everyMs: number, signal: AbortSignal): AsyncGenerator<Machine, void, void>;
  /** As `workers`, now and every `everyMs`. Throws as `changes` does. */
  workerSamples(everyMs: number, signal: AbortSignal): AsyncGenerator<WorkerRecord[], void, void>;
  /**
   * The images that its container engine has already; none of an engine of an earlier version, which cannot list them.
   */
  images(): Promise<LocalImage[]>;
  /** Rejects with CONFLICT while a container was made from it, UNSUPPORTED where the engine is too old. */
  removeImage(name: string): Promise<void>;
  /** Rejects with NOT_FOUND for unknown credentials, UNAVAILABLE without a container engine. */
  pullImage(request: ImagePullRequest): Promise<ImagePull>;
  /** Cancels it where it runs. */
  removePull(id: string): Promise<void>;
  /** All pulls that were asked for, as they are now. */
  pullsNow(): Promise<ImagePull[]>;
  /** All pulls now, and after each change. Rejects with NOT_FOUND where the engine is too old to pull on request. */
  pulls(signal: AbortSignal): AsyncGenerator<ImagePull[], void, void>;
  /** What takes how much of the disk. Rejects with UNSUPPORTED where the engine is too old to measure it. */
  disk(): Promise<DiskUsage>;
  /** Rejects with UNSUPPORTED where the engine is too old to keep it. */
  gpuHistory(period: GpuPeriod): Promise<GpuHistory[]>;
  /** Rejects with UNSUPPORTED where the engine is too old to keep it. */
  processorHistory(period: GpuPeriod): Promise<ProcessorHistory>;
  facts(): Promise<EngineFacts>;
  workers(): Promise<WorkerRecord[]>;
  pauseState(): Promise<PauseState>;
  pause(request: PauseRequest): Promise<PauseState>;
  resume(): Promise<PauseState>;
  settings(): Promise<MachineSettings>;
  /** Resolves with the settings after the change; rejects with the engine's message about the field. */
  changeSettings(change: MachineSettingsChange): Promise<MachineSettings>;
  /** Rates and limits of the job API. */
  engineSettings(): Promise<EngineSettings>;
  changeEngineSettings(change: EngineSettingsChange): Promise<EngineSettings>;
  /** SSH into its Pods. Rejects with UNSUPPORTED where the engine is too old to tell about it. */
  sshServer(): Promise<SshServerFacts>;
  changeSshServer(change: SshSettingsChange): Promise<SshServerFacts>;
  setAside(): Promise<SetAside[]>;
  release(jobId: string): Promise<void>;
  queue(endpointId: string, limit: number): Promise<QueuedJob[]>;
  /** Moves a waiting job before another one of its endpoint; null moves it to the end. */
  move(jobId: string, before: string | null): Promise<void>;
}

const enc = encodeURIComponent;
/** A Hangar of a later version may report other changes, too. */
const anyChange = stateChangeSchema.extend({ about: z.string() });
const OLD_CHANGES = 'The Hangar of this account is too old to report its changes. Update it.';

/** The settings of an engine have other parts besides the machine. */
const settingsAnswer = z.looseObject({ machine: machineSettingsSchema });

export function createMachineApi(outbound: Pick<Outbound, 'send' | 'events'>): MachineApi {
  const ask = createSendJson(outbound, '/local/v1/');
  const read = <S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>> => ask('GET', path, schema);
  const post = (path: string, body: unknown): Promise<string> =>
    outbound.send({ method: 'POST', path: `/local/v1/${path}`, body: JSON.stringify(body) });
  const patch = <S extends z.ZodType>(change: object, schema: S): Promise<z.output<S>> =>
    ask('PATCH', 'settings', schema, change);

  async function sshServer(): Promise<SshServerFacts> {
    try {
      return await read('ssh', sshServerSchema);
    } catch (thrown) {
      if (!isUnsupported(thrown)) throw thrown;
      const advice = 'The Hangar of this account is too old to tell how its SSH server is set. Update it.';
      throw new AppError('UNSUPPORTED', advice, { cause: thrown });
    }
  }

  return {
    async *changes(signal) {
      const stream = { path: 'changes', signal, silenceMs: SILENCE_MS, tooOld: OLD_CHANGES };
      for await (const change of followLocal(outbound, stream, anyChange)) {
        const about = changeKinds.find((kind) => kind === change.about);
        if (about !== undefined) yield { about, id: change.id, ...(change.kinds && { kinds: change.kinds }) };
      }
    },
    machineSamples: (everyMs, signal) => followLocal(outbound, samplesOf('machine', everyMs, signal), machineSchema),
    async *workerSamples(everyMs, signal) {
      const samples = followLocal(outbound, samplesOf('workers', everyMs, signal), workersSampleSchema);
      for await (const { workers } of samples) yield workers;
    },
    get: () => read('machine', machineSchema),
    async images() {
      try {
        return await read('images', z.array(localImageSchema));
      } catch (thrown) {
        if (!isUnsupported(thrown)) throw thrown;
        return [];
      }
    },
    async removeImage(name) {
      await outbound.send({ method: 'DELETE', path: `/local/v1/images?name=${enc(name)}` });
    },
    pullImage: (request) => ask('POST', 'images', imagePullSchema, request),
    async removePull(id) {
      await outbound.send({ method: 'DELETE', path: `/local/v1/images/pulls/${enc(id)}` });
    },
    pullsNow: () => read('images/pulls', z.array(imagePullSchema)),
    async *pulls(signal) {
      const pieces = outbound.events({ path: '/local/v1/images/pulls/events', signal });
      try {
        for await (const text of readEvents(pieces)) yield readJson('images/pulls', text, imagePullsSchema).pulls;
      } catch (thrown) {
        if (!isUnsupported(thrown)) throw thrown;
        const advice = 'The Hangar of this account is too old to pull images on request. Update it.';
        throw new AppError('NOT_FOUND', advice, { cause: thrown });
      }
    },
    async disk() {
      try {
        return await read('disk', diskUsageSchema);
      } catch (thrown) {
        if (!isUnsupported(thrown)) throw thrown;
        const advice = 'The Hangar of this account is too old to measure its disk. Update it.';
        throw new AppError('UNSUPPORTED', advice, { cause: thrown });
      }
    },
    async gpuHistory(period) {
      try {
        return await read(`gpus/history?period=${period}`, z.array(gpuHistorySchema));
      } catch (thrown) {
        if (!isUnsupported(thrown)) throw thrown;
        const advice = 'The Hangar of this account is too old to keep the history of its GPUs. Update it.';
        throw new AppError('UNSUPPORTED', advice, { cause: thrown });
      }
    },
    async processorHistory(period) {
      try {
        return await read(`machine/history?period=${period}`, processorHistorySchema);
      } catch (thrown) {
        if (!isUnsupported(thrown)) throw thrown;
        const advice = 'The Hangar of this account is too old to keep the history of its processor. Update it.';
        throw new AppError('UNSUPPORTED', advice, { cause: thrown });
      }
    },
    facts: () => read('engine', engineFactsSchema),
    workers: () => read('workers', z.array(workerSchema)),
    pauseState: () => read('pause', pauseStateSchema),
    pause: (request) => ask('POST', 'pause', pauseStateSchema, request),
    resume: () => ask('DELETE', 'pause', pauseStateSchema),
    settings: async () => (await read('settings', settingsAnswer)).machine,
    changeSettings: async (change) => (await patch({ machine: change }, settingsAnswer)).machine,
    engineSettings: () => read('settings', engineSettingsSchema),
    changeEngineSettings: ({ rates, limits, answers }) =>
      patch({ ...(rates && { rates }), ...(limits && { limits }), ...(answers && { answers }) }, engineSettingsSchema),
    sshServer,
    async changeSshServer(change) {
      await patch({ ssh: change }, z.unknown());
      return sshServer();
    },
    setAside: () => read('set-aside', z.array(setAsideSchema)),
    async release(jobId) {
      await outbound.send({ method: 'POST', path: `/local/v1/jobs/${enc(jobId)}/release` });
    },
    queue: (endpointId, limit) => read(`endpoints/${enc(endpointId)}/queue?limit=${limit}`, z.array(queuedJobSchema)),
    async move(jobId, before) {
      await post(`jobs/${enc(jobId)}/move`, { before });
    },
  };
}
