/** The operations on Pods. Each applies its event to the record and lets the reconciler update the container. */
import type { Pod } from '#contract/api/pod.ts';
import { AppError } from '#contract/core/errors.ts';
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import type { Clock, Ids, Logger } from '../core/ports.ts';
import type { GpuClaims, PodGpus } from '../gpus/claims.ts';
import { startedAnew } from './autoStop/autoStop.ts';
import type { NewPodEvent, PodHistory } from './history/history.ts';
import type { PodDriver, PodRecord, Pods } from './podInterfaces.ts';
import type { PodLives } from './reconciler.ts';
import type { PodRecords } from './records.ts';
import { changedPod, makePod, usualCores, type PodSurroundings } from './spec.ts';
import { changeStatus, INITIAL_STATUS, requireNextStatus } from './state.ts';

export interface PodOperationsOptions {
  clock: Clock;
  ids: Ids;
  logger: Logger;
  driver: PodDriver;
  gpus: GpuClaims;
  records: PodRecords;
  lives: PodLives;
  history: Pick<PodHistory, 'note'>;
  surroundings: PodSurroundings;
  /** US dollars per hour for `gpuCount` GPUs or CPU cores. */
  perHour(gpuTypeId: string, gpuCount: number): number;
  /** The API view of a Pod, with the current state of its container. */
  view(pod: PodRecord): Pod;
}

export interface PodOperations extends Pick<
  Pods,
  'create' | 'update' | 'start' | 'stop' | 'restart' | 'reset' | 'terminate'
> {
  /** A timer calls this at the time that a person has set. A failure is logged. */
  endOnTime(id: string, event: 'stop' | 'terminate'): Promise<void>;
  /** A rule of the Pod calls this. `words`: the last change of its status; `text`: the event. Rejects as `stop` does. */
  stopByRule(id: string, words: string, text: string): Promise<void>;
}

/** The error when this machine lacks the resources for a Pod. */
export function noInstances(lacking: string): AppError {
  // The cloud answers with this text, and clients search for it.
  return new AppError(
    'BAD_REQUEST',
    `There are no longer any instances available with the requested specifications: ${lacking}`,
  );
}

const onTime = { stop: 'Stopped at the time that was set', terminate: 'Deleted at the time that was set' } as const;

type ClaimOptions = Pick<PodOperationsOptions, 'gpus' | 'lives' | 'records' | 'surroundings' | 'perHour'>;

/** Claims the GPUs of a Pod and saves its record with them: both, or neither. */
function createClaimAndSave({ gpus, lives, records, surroundings, perHour }: ClaimOptions) {
  /** Claims GPUs and returns the Pod with them. Throws the error of the cloud where no GPUs are free. */
  function claim(pod: PodRecord): PodRecord {
    const answer = gpus.claim({ podId: pod.id, podName: pod.name }, pod, lives.of(pod.id).container?.gpuUuids);
    if (answer.kind !== 'granted') throw noInstances(answer.lacking);
    const { devices } = answer;
    const gpuTypeId = devices[0]?.typeId ?? '';
    const gpuUuids = devices.map(({ uuid }) => uuid);
    if (gpuTypeId !== '') return { ...pod, gpuTypeId, gpuUuids, costPerHr: perHour(gpuTypeId, devices.length) };
    // The Pod wants any GPU and this machine has none: it runs on the CPU.
    const vcpuCount = pod.vcpuCount > 0 ? pod.vcpuCount : usualCores(surroundings.cores());
    const costPerHr = perHour(CPU_TYPE, vcpuCount);
    return { ...pod, computeType: 'CPU', gpuCount: 0, vcpuCount, gpuTypeId, gpuUuids, costPerHr };
  }

  return function claimAndSave(pod: PodRecord): PodRecord {
    const hadGpus = pod.gpuUuids.length > 0;
    try {
      return records.save(claim(pod));
    } catch (error) {
      if (!hadGpus) gpus.release(pod.id);
      throw error;
    }
  };
}

/** Stops and deletes Pods: the record changes first, then the container follows. */
function createEnding(
  { clock, logger, gpus, records, lives, history, view }: PodOperationsOptions,
  timestamped: Timestamped,
) {
  async function end(
    id: string,
    event: 'stop' | 'terminate',
    words: string,
    who: Pick<NewPodEvent, 'by' | 'keyName'>,
    text = event === 'stop' ? 'It was stopped.' : 'It was deleted.',
  ): Promise<PodRecord> {
    const before = records.get(id);
    const ended = changeStatus(before, event, timestamped(words));
    const { desiredStatus } = ended;
    if (desiredStatus === before.desiredStatus && lives.of(id).container?.running !== true) return before;
    // The scheduled stop is done.
    if (event === 'stop') records.save({ ...ended, stopAfter: null });
    else records.save({ ...ended, terminatedAt: clock.now(), containerGone: false });
    history.note(id, { kind: event === 'stop' ? 'stopped' : 'deleted', text, ...who });
    const error = await lives.drive(id);
    // Without a container engine no container runs. The reconciler removes the container when the engine is back.
    if (error && error.code !== 'UNAVAILABLE') throw error;
    const after = records.find(id) ?? before;
    if (!error || after.desiredStatus !== desiredStatus) return after;
    gpus.release(id);
    return records.save({ ...after, gpuUuids: [] });
  }

  return {
    stop: async (id: string, keyName: string | null = null) =>
      view(await end(id, 'stop', 'Exited by User', { by: 'person', keyName })),
    async terminate(id: string, keyName: string | null = null) {
      // The cloud answers with this text, and clients compare it.
      if (!records.find(id)) throw new AppError('NOT_FOUND', 'pod not found to terminate');
      await end(id, 'terminate', 'Terminated by User', { by: 'person', keyName });
    },
    async stopByRule(id: string, words: string, text: string) {
      await end(id, 'stop', words, { by: 'engine' }, text);
    },
    async endOnTime(id: string, event: 'stop' | 'terminate') {
      try {
        await end(id, event, onTime[event], { by: 'schedule' });
      } catch (error) {
        logger.warn({ podId: id, err: error }, 'a Pod could not be ended at the time that was set');
      }
    },
  };
}

/** The Pods as the claims on GPUs read them. */
const podGpusOf = ({ records, lives }: Pick<PodOperationsOptions, 'records' | 'lives'>): PodGpus => ({
  isRunning: (id) => lives.of(id).container?.running === true,
  stopped: () =>
    records
      .using(({ desiredStatus }) => desiredStatus === 'EXITED')
      .map(({ id, name }) => ({ podId: id, podName: name, uuids: lives.of(id).container?.gpuUuids ?? [] })),
});

type Timestamped = (words: string) => string;

export function createPodOperations(options: PodOperationsOptions): PodOperations {
  const { clock, ids, logger, driver, gpus, records, lives, history, surroundings, view } = options;
  gpus.readPods(podGpusOf(options));
  const claimAndSave = createClaimAndSave(options);
  const timestamped: Timestamped = (words) => `${words}: ${new Date(clock.now()).toUTCString()}`;

  async function checkEngine(): Promise<void> {
    const missing = await driver.unavailable();
    if (missing !== null) throw new AppError('UNAVAILABLE', missing);
  }

  return {
    ...createEnding(options, timestamped),

    async create(input, more = {}, keyName = null) {
      const make = makePod(input, more, surroundings);
      await checkEngine();
      const id = ids.random(7);
      const now = clock.now();
      const pod = claimAndSave({
        ...make,
        id,
        desiredStatus: INITIAL_STATUS,
        createdAt: now,
        lastStartedAt: now,
        lastStatusChange: timestamped('Rented by User'),
        gpuUuids: [],
        gpuTypeId: '',
        costPerHr: 0,
      });
      logger.info({ podId: id, image: pod.imageName, gpus: pod.gpuUuids }, 'a Pod was made');
      history.note(id, { kind: 'made', text: `It was made from ${pod.imageName}.`, by: 'person', keyName });
      void lives.drive(id);
      return view(pod);
    },

    async update(id, input, keyName = null) {
      const current = records.get(id);
      requireNextStatus(current, 'update');
      if (current.desiredStatus === 'RUNNING' && changedPod(current, input, surroundings).anew) await checkEngine();
      // Another request may have changed the record during the await: read the record again.
      const before = records.get(id);
      requireNextStatus(before, 'update');
      const { pod, anew } = changedPod(before, input, surroundings);
      // A new container loses the disk of the old one, as a reset does.
      if (anew) requireNextStatus({ ...before, locked: before.locked && input.locked !== false }, 'reset');
      records.save(pod);
      // Its GPUs are held under its new name.
      gpus.keep({ podId: id, podName: pod.name }, pod.gpuUuids);
      if (anew) {
        const names = Object.keys(input).join(', ');
        history.note(id, { kind: 'changed', text: `Its settings were changed: ${names}.`, by: 'person', keyName });
      }
      if (anew && pod.desiredStatus === 'RUNNING') void lives.drive(id, 'anew');
      return view(pod);
    },

    async start(id, gpuCount, keyName = null) {
      requireNextStatus(records.get(id), 'start');
      await checkEngine();
      const before = records.get(id);
      const started = changeStatus(before, 'start', timestamped('Resumed by User'));
      if (before.desiredStatus === 'RUNNING') {
        // The start is under way, or the last try failed.
        if (lives.of(id).problem !== null) void lives.drive(id);
        return view(before);
      }
      const wish = gpuCount === undefined ? {} : ({ gpuCount, computeType: gpuCount > 0 ? 'GPU' : 'CPU' } as const);
      const pod = claimAndSave({ ...startedAnew(started), ...wish, gpuUuids: [], lastStartedAt: clock.now() });
      history.note(id, { kind: 'resumed', text: 'It was started.', by: 'person', keyName });
      void lives.drive(id);
      return view(pod);
    },

    async restart(id, keyName = null) {
      requireNextStatus(records.get(id), 'restart');
      await checkEngine();
      records.save(changeStatus(records.get(id), 'restart', timestamped('Restarted by User')));
      history.note(id, { kind: 'restarted', text: 'It was restarted.', by: 'person', keyName });
      // A Pod that does not run yet is started. That may take as long as a pull.
      const restarting = lives.drive(id, 'restart');
      const error = lives.of(id).container?.running === true ? await restarting : null;
      if (error) throw error;
      return view(records.get(id));
    },

    async reset(id, keyName = null) {
      requireNextStatus(records.get(id), 'reset');
      await checkEngine();
      const pod = records.save(changeStatus(records.get(id), 'reset', timestamped('Reset by User')));
      history.note(id, { kind: 'reset', text: 'It was reset: its container is made anew.', by: 'person', keyName });
      void lives.drive(id, 'anew');
      return view(pod);
    },
  };
}
