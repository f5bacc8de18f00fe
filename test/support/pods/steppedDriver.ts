/** A driver of Pods that answers each call when the spec says so, and the lives of Pods over it. */
import { limits } from '#contract/core/limits.ts';
import { createPodLives, type PodLives } from '../../../main/engine/domain/pods/reconciler.ts';
import type { PodContainer, PodDriver, PodRecord } from '../../../main/engine/domain/pods/podInterfaces.ts';
import { createFakeClock, silentLogger, type FakeClock } from '../core/fakes.ts';
import { until } from '../core/until.ts';
import { podRecordOf } from './podRecord.ts';

/** A call of the driver that is not answered yet. */
export interface OpenCall {
  /** "start a"; "list" for the list of all. */
  readonly name: string;
  /** Of a start: aborted once it is broken off. */
  readonly signal: AbortSignal | null;
  /** Answers with this container, these containers, or nothing, as the call wants it. */
  answer(value?: PodContainer | PodContainer[]): void;
  fail(error: Error): void;
}

export interface SteppedLives {
  readonly lives: PodLives;
  readonly clock: FakeClock;
  readonly records: Map<string, PodRecord>;
  /** Names of all calls so far, in order. */
  readonly calls: string[];
  /** What the lives have reported: "runs a", "rests a", "gone a". */
  readonly reports: string[];
  /** Waits for the oldest open call of this name. */
  call(name: string): Promise<OpenCall>;
  /** What is open, oldest first. */
  open(): string[];
  /** The driver says that something has changed: about one Pod, or about the container engine where it is null. */
  change(podId: string | null): void;
  /** Makes the plan of a Pod impossible. */
  refusePlans(error: Error | null): void;
  /** Makes it impossible to note that a container runs. */
  refuseRecords(error: Error | null): void;
}

export const containerOf = (podId: string, running: boolean, more: Partial<PodContainer> = {}): PodContainer => ({
  podId,
  running,
  startedAt: null,
  exitCode: running ? null : 3,
  outOfMemory: false,
  isDiskLimited: true,
  ports: new Map(),
  gpuUuids: [],
  ...more,
});

export const { again: AGAIN } = limits.pod;

/** `pods`: the state that the record of each Pod wants. */
export function steppedLives(pods: Record<string, PodRecord['desiredStatus']>): SteppedLives {
  const clock = createFakeClock();
  const records = new Map(Object.entries(pods).map(([id, wanted]) => [id, podRecordOf(id, wanted)]));
  const calls: string[] = [];
  const reports: string[] = [];
  const open = new Set<OpenCall>();
  const listeners = new Set<(podId: string | null) => void>();
  let refusal: Error | null = null;
  let recordRefusal: Error | null = null;

  function step(name: string, signal: AbortSignal | null = null): Promise<PodContainer | PodContainer[] | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<PodContainer | PodContainer[] | undefined>();
    const call: OpenCall = {
      name,
      signal,
      answer(value) {
        open.delete(call);
        resolve(value);
      },
      fail(error) {
        open.delete(call);
        reject(error);
      },
    };
    calls.push(name);
    open.add(call);
    return promise;
  }

  async function one(name: string, signal: AbortSignal | null = null): Promise<PodContainer> {
    const answer = await step(name, signal);
    if (answer === undefined || Array.isArray(answer)) throw new Error(`"${name}" is to be answered with a container.`);
    return answer;
  }

  const driver: PodDriver = {
    unavailable: () => Promise.resolve(null),
    async list() {
      const answer = await step('list');
      if (!Array.isArray(answer)) throw new Error('"list" is to be answered with containers.');
      return answer;
    },
    start: ({ pod }, say, signal) => {
      say('Pulling');
      return one(`start ${pod.id}`, signal);
    },
    async *output() {},
    async stop(podId) {
      await step(`stop ${podId}`);
    },
    restart: (podId) => one(`restart ${podId}`),
    async remove(podId) {
      await step(`remove ${podId}`);
    },
    limit: () => Promise.resolve(),
    load: () => Promise.resolve(null),
    latestLoad: () => Promise.resolve(null),
    sample: () => Promise.resolve(null),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => Promise.resolve(),
  };

  const lives = createPodLives({
    clock,
    driver,
    logger: silentLogger,
    find: (podId) => records.get(podId),
    all: () => [...records.values()],
    planOf(pod) {
      if (refusal) throw refusal;
      return { pod, env: {}, writtenEnv: {}, gpus: [], mounts: [], registryAuth: null };
    },
    runs(podId) {
      if (recordRefusal) throw recordRefusal;
      reports.push(`runs ${podId}`);
    },
    rests: (podId) => void reports.push(`rests ${podId}`),
    pulled: ({ id }, ms) => void reports.push(`pulled ${id} in ${ms} ms`),
    ended: (podId) => void reports.push(`ended ${podId}`),
    failed: (podId) => void reports.push(`failed ${podId}`),
    changed: () => undefined,
    deleted: (podId) => Promise.resolve(void reports.push(`gone ${podId}`)),
  });

  return {
    lives,
    clock,
    records,
    calls,
    reports,
    call: (name) => until(`the driver is asked to ${name}`, () => [...open].find((call) => call.name === name)),
    open: () => [...open].map(({ name }) => name),
    change(podId) {
      for (const listener of listeners) listener(podId);
    },
    refusePlans: (error) => void (refusal = error),
    refuseRecords: (error) => void (recordRefusal = error),
  };
}

/** Has the Pod run, in a container that was started just now. */
export async function startPod(on: SteppedLives, podId: string): Promise<void> {
  const driven = on.lives.drive(podId);
  (await on.call(`start ${podId}`)).answer(containerOf(podId, true, { startedAt: on.clock.now() }));
  await driven;
}
