/** Pods of this machine: their operations, their views, and their scheduled stop and deletion. */
import { AppError } from '#contract/core/errors.ts';
import { CPU_TYPE } from '#contract/api/gpuType.ts';
import type { MachineGpu } from '#contract/local/machine.ts';
import type { PodRuntime } from '#contract/api/pod.ts';
import type { GpuClaims } from '../gpus/claims.ts';
import { httpAddresses, reachOf } from './urls.ts';
import { changedPod, makePod, usualCores, type PodSurroundings } from './spec.ts';
import { podEnv } from './env.ts';
import { createPodLives } from './reconciler.ts';
import type { ManagedPods, PodDriver, PodPlan, PodRecord, PodStore, PodWatch } from './podInterfaces.ts';
import { statusAfter } from './state.ts';
import { createPodTimes, listedUntil } from './schedule.ts';
import { machineOf, runtimeOf, viewOf, type PodMachine } from './view.ts';
import type { Clock, Ids, Logger } from '../core/ports.ts';
import type { VolumeFolders } from '../resources/ports.ts';
import type { RegistryAuths } from '../resources/registryAuths.ts';
import type { Templates } from '../resources/templates.ts';
import type { Secrets } from '../resources/secrets.ts';
import { requireReadable } from '../resources/unreadableEnv.ts';
import type { Volumes } from '../resources/volumes.ts';

export interface PodsOptions {
  clock: Clock;
  ids: Ids;
  logger: Logger;
  store: PodStore;
  driver: PodDriver;
  gpus: GpuClaims;
  /** As `gpus` lists them, with their load measured now: somebody looks. */
  measured(): readonly MachineGpu[];
  /** Folders of Pods' own volumes. */
  folders: VolumeFolders;
  templates: Templates;
  volumes: Volumes;
  registryAuths: RegistryAuths;
  secrets: Pick<Secrets, 'fillIn'>;
  machine: PodMachine;
  /** SSH keys of the person. */
  pubKey(): string;
  /** US dollars an hour of that many GPUs, or cores of the CPU. */
  perHour(gpuTypeId: string, gpuCount: number): number;
  /** GPUs of a type that nothing holds now; null where this machine has none of it. */
  freeGpus(gpuTypeId: string): number | null;
  watch: PodWatch;
  /** Where this engine is reached. */
  address(): string;
}

export function createPods(options: PodsOptions): ManagedPods {
  const { clock, ids, logger, store, driver, gpus, folders, templates, volumes, registryAuths } = options;
  const pods = new Map(store.load().map((pod) => [pod.id, pod]));
  let closed = false;
  const times = createPodTimes(clock, {
    stop: (id) => void byItself(id, 'stop'),
    terminate: (id) => void byItself(id, 'terminate'),
    forget,
  });

  const surroundings: PodSurroundings = {
    template: templates.find,
    hasVolume: volumes.has,
    hasRegistryAuth: registryAuths.has,
    cores: () => options.machine.cores,
    memoryInGb: () => options.machine.memoryInGb,
  };

  function record(id: string): PodRecord {
    const pod = pods.get(id);
    if (!pod) throw new AppError('NOT_FOUND', `There is no Pod ${JSON.stringify(id)}.`);
    return pod;
  }

  function save(pod: PodRecord): PodRecord {
    store.save(pod);
    pods.set(pod.id, pod);
    times.set(pod);
    notifyWatch(pod.id);
    return pod;
  }

  function notifyWatch(id: string): void {
    const pod = pods.get(id);
    if (pod && !closed) options.watch.changed(pod, lives.of(id).container);
  }

  function view(pod: PodRecord) {
    return viewOf(pod, lives.of(pod.id).container, options.machine, options.perHour);
  }

  /** Its own volume, or the network volume in its place. */
  function mountsOf(pod: PodRecord): PodPlan['mounts'] {
    const at = pod.volumeMountPath;
    if (pod.networkVolumeId !== '') return [{ folder: volumes.folderOf(pod.networkVolumeId), at }];
    return pod.volumeInGb > 0 ? [{ folder: folders.path(folders.make('', pod.id)), at }] : [];
  }

  const lives = createPodLives({
    clock,
    logger,
    driver,
    changed: notifyWatch,
    find: (id) => pods.get(id),
    all: () => [...pods.values()],
    planOf(pod) {
      const { id, containerRegistryAuthId } = pod;
      // Without them its container would count as another one, and be made anew.
      requireReadable(pod.env, `The Pod ${JSON.stringify(pod.name)}`);
      const claim = gpus.claim({ podId: id }, pod);
      if (claim.kind !== 'granted') throw noInstances(claim.lacking);
      const { devices } = claim;
      const holding = { ...pod, gpuUuids: devices.map(({ uuid }) => uuid), gpuTypeId: devices[0]?.typeId ?? '' };
      if (holding.gpuUuids.join() !== pod.gpuUuids.join()) save(holding);
      const writtenEnv = podEnv(holding, options.machine, options.pubKey());
      return {
        pod: holding,
        writtenEnv,
        env: options.secrets.fillIn(writtenEnv),
        gpus: devices,
        mounts: mountsOf(holding),
        registryAuth: containerRegistryAuthId === '' ? null : registryAuths.credentials(containerRegistryAuthId),
      };
    },
    runs(id, { startedAt, gpuUuids }) {
      const pod = record(id);
      // What it really has counts, whatever was written before a crash.
      if (gpuUuids.length > 0) gpus.keep(id, gpuUuids);
      const lastStartedAt = startedAt ?? pod.lastStartedAt;
      if (lastStartedAt === pod.lastStartedAt && gpuUuids.join() === pod.gpuUuids.join()) return;
      save({ ...pod, lastStartedAt, gpuUuids: [...gpuUuids] });
    },
    rests(id) {
      gpus.release(id);
      const pod = record(id);
      if (pod.gpuUuids.length > 0) save({ ...pod, gpuUuids: [] });
    },
    async deleted(id) {
      gpus.release(id);
      await folders.remove(id).catch((error: unknown) => {
        logger.warn({ podId: id, err: error }, 'the volume of a deleted Pod could not be removed as a whole');
      });
      const pod = pods.get(id);
      if (!pod || closed) return;
      if (clock.now() >= listedUntil(pod)) forget(id);
      else save({ ...pod, gpuUuids: [], containerGone: true });
    },
  });

  function noInstances(lacking: string): AppError {
    // The service says so in these words, which clients look for.
    return new AppError(
      'BAD_REQUEST',
      `There are no longer any instances available with the requested specifications: ${lacking}`,
    );
  }

  function forget(id: string): void {
    times.drop(id);
    pods.delete(id);
    lives.drop(id);
    try {
      store.delete(id);
    } catch (error) {
      logger.warn({ podId: id, err: error }, 'the row of a deleted Pod stays until the next start');
    }
  }

  async function byItself(id: string, change: 'stop' | 'terminate'): Promise<void> {
    try {
      await end(
        id,
        change,
        change === 'stop' ? 'Stopped at the time that was set' : 'Deleted at the time that was set',
      );
    } catch (error) {
      logger.warn({ podId: id, err: error }, 'a Pod could not be ended at the time that was set');
    }
  }

  const timestamped = (words: string): string => `${words}: ${new Date(clock.now()).toUTCString()}`;

  async function checkEngine(): Promise<void> {
    const missing = await driver.unavailable();
    if (missing !== null) throw new AppError('UNAVAILABLE', missing);
  }

  /** Holds GPUs for it. Throws where there are none, in the words of the service. */
  function place(pod: PodRecord): PodRecord {
    const claim = gpus.claim({ podId: pod.id }, pod, lives.of(pod.id).container?.gpuUuids);
    if (claim.kind !== 'granted') throw noInstances(claim.lacking);
    const { devices } = claim;
    const gpuTypeId = devices[0]?.typeId ?? '';
    const gpuUuids = devices.map(({ uuid }) => uuid);
    if (gpuTypeId !== '') return { ...pod, gpuTypeId, gpuUuids, costPerHr: options.perHour(gpuTypeId, devices.length) };
    // It may be that no GPU was named, and this machine has none.
    const vcpuCount = pod.vcpuCount > 0 ? pod.vcpuCount : usualCores(options.machine.cores);
    const costPerHr = options.perHour(CPU_TYPE, vcpuCount);
    return { ...pod, computeType: 'CPU', gpuCount: 0, vcpuCount, gpuTypeId, gpuUuids, costPerHr };
  }

  /** Saved while it holds its GPUs, or neither. */
  function placed(pod: PodRecord): PodRecord {
    const heldGpus = pod.gpuUuids.length > 0;
    try {
      return save(place(pod));
    } catch (error) {
      if (!heldGpus) gpus.release(pod.id);
      throw error;
    }
  }

  async function end(id: string, change: 'stop' | 'terminate', words: string): Promise<PodRecord> {
    const before = record(id);
    const desiredStatus = statusAfter(before, change);
    if (desiredStatus === before.desiredStatus && lives.of(id).container?.running !== true) return before;
    const stopped = { ...before, desiredStatus, lastStatusChange: timestamped(words) };
    // What was to be done at a time of its own is done.
    if (change === 'stop') save({ ...stopped, stopAfter: null });
    else save({ ...stopped, terminatedAt: clock.now(), containerGone: false });
    const error = await lives.drive(id);
    // Without a container engine there is no container that runs; whatever is left is dealt with once there is one again.
    if (error && error.code !== 'UNAVAILABLE') throw error;
    const after = pods.get(id) ?? before;
    if (!error || after.desiredStatus !== desiredStatus) return after;
    gpus.release(id);
    return save({ ...after, gpuUuids: [] });
  }

  async function runtime(id: string): Promise<PodRuntime | null> {
    const pod = record(id);
    if (pod.desiredStatus !== 'RUNNING' || lives.of(id).container?.running !== true) return null;
    const load = await driver.load(id);
    const { container } = lives.of(id);
    if (load === null || container?.running !== true) return null;
    return runtimeOf(pod, container, load, pod.gpuUuids.length > 0 ? options.measured() : [], clock.now());
  }

  const using = (uses: (pod: PodRecord) => boolean): PodRecord[] =>
    [...pods.values()].filter((pod) => pod.desiredStatus !== 'TERMINATED' && uses(pod));

  for (const pod of pods.values()) {
    // It may be running: nobody else gets what it has.
    if (pod.desiredStatus === 'RUNNING') gpus.keep(pod.id, pod.gpuUuids);
  }

  return {
    list: (status) =>
      [...pods.values()]
        .filter((pod) => (status ? pod.desiredStatus === status : pod.desiredStatus !== 'TERMINATED'))
        .map(view),
    get: (id) => view(record(id)),
    record,

    async create(input, more = {}) {
      const make = makePod(input, more, surroundings);
      await checkEngine();
      const id = ids.random(7);
      const now = clock.now();
      const pod = placed({
        ...make,
        id,
        desiredStatus: 'RUNNING',
        createdAt: now,
        lastStartedAt: now,
        lastStatusChange: timestamped('Rented by User'),
        gpuUuids: [],
        gpuTypeId: '',
        costPerHr: 0,
      });
      logger.info({ podId: id, image: pod.imageName, gpus: pod.gpuUuids }, 'a Pod was made');
      void lives.drive(id);
      return view(pod);
    },

    async update(id, input) {
      const current = record(id);
      statusAfter(current, 'update');
      if (current.desiredStatus === 'RUNNING' && changedPod(current, input, surroundings).anew) await checkEngine();
      // Another request may have changed the record during the await: read it again.
      const before = record(id);
      statusAfter(before, 'update');
      const { pod, anew } = changedPod(before, input, surroundings);
      // It would wipe the disk of its container, as a reset does.
      if (anew) statusAfter({ ...before, locked: before.locked && input.locked !== false }, 'reset');
      save(pod);
      if (anew && pod.desiredStatus === 'RUNNING') void lives.drive(id, 'anew');
      return view(pod);
    },

    async start(id, gpuCount) {
      statusAfter(record(id), 'start');
      await checkEngine();
      const before = record(id);
      const desiredStatus = statusAfter(before, 'start');
      if (before.desiredStatus === 'RUNNING') {
        // It is on its way, or its last try failed.
        if (lives.of(id).problem !== null) void lives.drive(id);
        return view(before);
      }
      const wish = gpuCount === undefined ? {} : ({ gpuCount, computeType: gpuCount > 0 ? 'GPU' : 'CPU' } as const);
      const pod = placed({
        ...before,
        ...wish,
        desiredStatus,
        gpuUuids: [],
        lastStartedAt: clock.now(),
        lastStatusChange: timestamped('Resumed by User'),
      });
      void lives.drive(id);
      return view(pod);
    },

    stop: async (id) => view(await end(id, 'stop', 'Exited by User')),

    async restart(id) {
      statusAfter(record(id), 'restart');
      await checkEngine();
      const before = record(id);
      const desiredStatus = statusAfter(before, 'restart');
      save({ ...before, desiredStatus, lastStatusChange: timestamped('Restarted by User') });
      // One that does not run yet is started, which may take as long as a pull.
      const restarting = lives.drive(id, 'restart');
      const error = lives.of(id).container?.running === true ? await restarting : null;
      if (error) throw error;
      return view(record(id));
    },

    async reset(id) {
      statusAfter(record(id), 'reset');
      await checkEngine();
      const before = record(id);
      const desiredStatus = statusAfter(before, 'reset');
      const pod = save({ ...before, desiredStatus, lastStatusChange: timestamped('Reset by User') });
      void lives.drive(id, 'anew');
      return view(pod);
    },

    async terminate(id) {
      // The service says so in these words, which clients compare.
      if (!pods.has(id)) throw new AppError('NOT_FOUND', 'pod not found to terminate');
      await end(id, 'terminate', 'Terminated by User');
    },

    runtime,

    async facts(id) {
      const pod = record(id);
      // A container engine that has just gone is no reason to tell nothing.
      const now = await runtime(id).catch((error: unknown) => {
        logger.debug({ podId: id, err: error }, 'a Pod could not be measured');
        return null;
      });
      const { container, preparing, problem } = lives.of(id);
      const isUnlimited = pod.containerDiskInGb > 0 && container?.isDiskLimited === false;
      return {
        id,
        preparing,
        problem,
        runtime: now,
        gpus: pod.gpuUuids,
        notes: isUnlimited
          ? [
              `containerDiskInGb (${pod.containerDiskInGb}) is not enforced: the storage of the container engine has no quotas.`,
            ]
          : [],
        httpAddresses: httpAddresses(pod, options.address()),
      };
    },

    reach: (id, port) => reachOf(record(id), lives.of(id), port),

    usingTemplate: (templateId) => using((pod) => pod.templateId === templateId),
    usingVolume: (volumeId) => using((pod) => pod.networkVolumeId === volumeId),
    usingRegistryAuth: (authId) => using((pod) => pod.containerRegistryAuthId === authId),
    machineOf: (pod) => machineOf(pod, options.machine, options.freeGpus),

    begin() {
      for (const pod of pods.values()) {
        times.set(pod);
        notifyWatch(pod.id);
      }
      return lives.begin();
    },

    listRunning() {
      const running = using(({ id }) => lives.of(id).container?.running === true);
      if (running.length === 0) return null;
      const names = running.map(({ id, name }) => `${JSON.stringify(name)} (${id})`).join(', ');
      const [they, them] = running.length === 1 ? ['This Pod runs', 'it'] : ['These Pods run', 'them'];
      return `${they} on: ${names}. To stop ${them}, start Hangar again, or stop the containers whose names begin with hangar-pod- and this id.`;
    },

    async leave() {
      closed = true;
      times.stop();
      await lives.stop();
    },
  };
}
