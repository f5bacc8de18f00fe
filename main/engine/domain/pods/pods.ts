/** Pods of this machine: puts their records, their operations, their containers and their scheduled ends together. */
import type { MachineGpu } from '#contract/local/machine.ts';
import type { Pod, PodFacts, PodRuntime } from '#contract/api/pod.ts';
import type { GpuClaims } from '../gpus/claims.ts';
import { httpAddresses, upstreamOf } from './ports/urls.ts';
import type { PodSurroundings } from './spec.ts';
import { podEnv } from './env.ts';
import { createPodAutoStop, type PodAutoStop } from './autoStop/autoStop.ts';
import { howEnded } from './history/exitWords.ts';
import { createPodHistory, type PodEventStore, type PodHistory } from './history/history.ts';
import { lastLinesOf } from './history/lastLines.ts';
import { nextStartOf } from './life.ts';
import { createLimits, limitsOf } from './limits/limits.ts';
import { createPodOperations, noInstances } from './operations.ts';
import { createPodLives, type PodLives } from './reconciler.ts';
import { pricePerHour } from './price.ts';
import { createPodRecords, type PodRecords } from './records.ts';
import type {
  ManagedPods,
  PodContainer,
  PodDriver,
  PodPlan,
  PodRecord,
  Pods,
  PodStore,
  PodWatch,
} from './podInterfaces.ts';
import { runningNotice } from './notices.ts';
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
  eventStore: PodEventStore;
  driver: PodDriver;
  gpus: GpuClaims;
  /** The GPUs of `gpus`, with a fresh measurement of their load. */
  measured(): readonly MachineGpu[];
  /** The folders of Pods' own volumes. */
  folders: VolumeFolders;
  templates: Templates;
  volumes: Volumes;
  registryAuths: RegistryAuths;
  secrets: Pick<Secrets, 'fillIn'>;
  machine: PodMachine;
  /** SSH keys of the person. */
  pubKey(): string;
  /** US dollars per hour for `gpuCount` GPUs or CPU cores. */
  perHour(gpuTypeId: string, gpuCount: number): number;
  /** How many GPUs of a type are free; null where this machine has none of that type. */
  freeGpus(gpuTypeId: string): number | null;
  watch: PodWatch;
  /** The base address of this engine. */
  address(): string;
}

const hasOwnVolume = ({ networkVolumeId, volumeInGb }: PodRecord): boolean => networkVolumeId === '' && volumeInGb > 0;

/** The folder of a Pod's own volume, which is made where it is missing. */
const ownVolumeOf = (folders: VolumeFolders, podId: string): string => folders.path(folders.make('', podId));

/** Creates the reconciler with its callbacks: they build the plan of a container and react to changes of its state. */
function createLives(
  options: PodsOptions,
  records: PodRecords,
  history: PodHistory,
  isClosed: () => boolean,
  changed: (id: string) => void,
) {
  const { clock, logger, driver, gpus, folders, volumes, registryAuths } = options;

  /** The mount of the Pod's own volume, or of its network volume. */
  function mountsOf(pod: PodRecord): PodPlan['mounts'] {
    const at = pod.volumeMountPath;
    if (pod.networkVolumeId !== '') return [{ folder: volumes.folderOf(pod.networkVolumeId), at }];
    return hasOwnVolume(pod) ? [{ folder: ownVolumeOf(folders, pod.id), at }] : [];
  }

  return createPodLives({
    clock,
    logger,
    driver,
    changed,
    find: records.find,
    all: records.all,
    planOf(pod) {
      const { id, containerRegistryAuthId } = pod;
      // Without the variables, the container would not fit its plan and would be recreated.
      requireReadable(pod.env, `The Pod ${JSON.stringify(pod.name)}`);
      const claim = gpus.claim({ podId: id, podName: pod.name }, pod);
      if (claim.kind !== 'granted') throw noInstances(claim.lacking);
      const { devices } = claim;
      const holding = { ...pod, gpuUuids: devices.map(({ uuid }) => uuid), gpuTypeId: devices[0]?.typeId ?? '' };
      if (holding.gpuUuids.join() !== pod.gpuUuids.join()) records.save(holding);
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
      const pod = records.get(id);
      // The GPUs of the container count. The record may be older, after a crash.
      if (gpuUuids.length > 0) gpus.keep({ podId: id, podName: pod.name }, gpuUuids);
      if (startedAt !== null && startedAt !== history.lastStart(id)) {
        history.note(id, { kind: 'started', text: 'Its container started.', at: startedAt });
      }
      const lastStartedAt = startedAt ?? pod.lastStartedAt;
      const isCounted = pod.runsSince != null;
      if (isCounted && lastStartedAt === pod.lastStartedAt && gpuUuids.join() === pod.gpuUuids.join()) return;
      const runsSince = pod.runsSince ?? startedAt ?? clock.now();
      records.save({ ...pod, lastStartedAt, runsSince, gpuUuids: [...gpuUuids] });
    },
    rests(id) {
      gpus.release(id);
      const pod = records.get(id);
      if (pod.gpuUuids.length > 0) records.save({ ...pod, gpuUuids: [] });
    },
    pulled({ id, imageName }, ms) {
      history.note(id, { kind: 'pulled', text: `${imageName} was pulled in ${Math.round(ms / 1000)} s.` });
    },
    failed: (id, reason) => void history.note(id, { kind: 'failed', text: reason }),
    ended(id, container) {
      const text = `Its container ended${howEnded(container)}.`;
      const { n } = history.note(id, { kind: 'ended', text, exitCode: container.exitCode });
      lastLinesOf((query, signal) => driver.output(id, query, signal), container.startedAt).then(
        (lines) => {
          history.addLines(id, n, lines);
          changed(id);
        },
        (err: unknown) => logger.debug({ podId: id, err }, 'the last lines of a Pod could not be read'),
      );
    },
    async deleted(id) {
      gpus.release(id);
      await folders.remove(id).catch((error: unknown) => {
        logger.warn({ podId: id, err: error }, 'the volume of a deleted Pod could not be removed completely');
      });
      const pod = records.find(id);
      if (!pod || isClosed()) return;
      if (clock.now() >= listedUntil(pod)) records.forget(id);
      else records.save({ ...pod, gpuUuids: [], containerGone: true });
    },
  });
}

/** Random bytes of a generated JUPYTER_PASSWORD. */
const PASSWORD_BYTES = 20;

/** What the request of a Pod asked for and does not get, in sentences. */
function notesOf({ containerDiskInGb, ineffectiveFields }: PodRecord, isDiskUnlimited: boolean): string[] {
  const notes: string[] = [];
  if (containerDiskInGb > 0 && isDiskUnlimited) {
    notes.push(
      `containerDiskInGb (${containerDiskInGb}) is not enforced: the storage of the container engine has no quotas.`,
    );
  }
  if (ineffectiveFields.length > 0) {
    notes.push(`These fields of its request have no effect: ${ineffectiveFields.join(', ')}.`);
  }
  return notes;
}

/** Reads the measured facts of a Pod, for clients and for a person. */
function createPodFacts(
  options: PodsOptions,
  records: PodRecords,
  history: PodHistory,
  lives: PodLives,
  autoStop: PodAutoStop,
): Pick<Pods, 'runtime' | 'facts' | 'measuredFacts' | 'events'> {
  const { clock, logger, driver } = options;

  /** Null while it does not run. */
  function runningContainer({ id, desiredStatus }: PodRecord): PodContainer | null {
    const { container } = lives.of(id);
    return desiredStatus === 'RUNNING' && container?.running === true ? container : null;
  }

  const gpusOf = ({ gpuUuids }: PodRecord): readonly MachineGpu[] => (gpuUuids.length > 0 ? options.measured() : []);

  async function runtime(id: string): Promise<PodRuntime | null> {
    const pod = records.get(id);
    if (runningContainer(pod) === null) return null;
    const load = await driver.load(id);
    const container = runningContainer(pod);
    if (load === null || container === null) return null;
    return runtimeOf(pod, container, load, gpusOf(pod), clock.now());
  }

  function restartsOf({ id, desiredStatus }: PodRecord): PodFacts['restarts'] {
    const end = history.lastEnd(id);
    if (!end || desiredStatus !== 'RUNNING') return null;
    return {
      times: end.times,
      endedAt: end.at,
      text: end.text,
      lastLines: end.lastLines,
      isCrashLoop: lives.of(id).isCrashLoop,
      nextStartAt: nextStartOf(lives.of(id)),
    };
  }

  /** A missing container engine is no error of the facts: the others remain available. */
  function noMeasurement(podId: string, err: unknown): null {
    logger.debug({ podId, err }, 'a Pod could not be measured');
    return null;
  }

  function factsOf<Runtime>(pod: PodRecord, runtimeNow: Runtime) {
    const { container, preparing, problem } = lives.of(pod.id);
    return {
      id: pod.id,
      preparing,
      problem,
      nextTryAt: pod.desiredStatus === 'RUNNING' ? nextStartOf(lives.of(pod.id)) : null,
      runtime: runtimeNow,
      restarts: restartsOf(pod),
      gpus: pod.gpuUuids,
      limits: limitsOf(pod),
      autoStop: autoStop.stateOf(pod),
      notes: notesOf(pod, container?.isDiskLimited === false),
      httpAddresses: httpAddresses(pod, options.address()),
      asksForKey: true,
    };
  }

  return {
    runtime,
    events(id) {
      records.get(id);
      return history.of(id);
    },
    async facts(id) {
      // Docker answers no question about a container while it starts it, and a reader would wait for that.
      const load =
        runningContainer(records.get(id)) === null
          ? null
          : await driver.latestLoad(id).catch((error: unknown) => noMeasurement(id, error));
      const pod = records.get(id);
      const container = runningContainer(pod);
      return factsOf(pod, container && runtimeOf(pod, container, load, gpusOf(pod), clock.now()));
    },
    async measuredFacts(id) {
      records.get(id);
      const measured = await runtime(id).catch((error: unknown) => noMeasurement(id, error));
      return factsOf(records.get(id), measured);
    },
  };
}

/** Sums up the Pods whose containers run. As in their metering, the wished status does not count. */
function createRunningPods(
  { machine, perHour }: PodsOptions,
  records: PodRecords,
  lives: PodLives,
): Pick<ManagedPods, 'listRunning' | 'spendPerHour'> {
  const running = (): PodRecord[] => records.using(({ id }) => lives.of(id).container?.running === true);
  return {
    listRunning: () => runningNotice(running()),
    spendPerHour: () => running().reduce((sum, pod) => sum + pricePerHour(pod, machine.cores, perHour), 0),
  };
}

export function createPods(options: PodsOptions): ManagedPods {
  const { clock, logger, store, eventStore, gpus, templates, volumes, registryAuths } = options;
  let closed = false;
  const listeners = new Set<(podId: string) => void>();
  const changed = (id: string): void => {
    if (!closed) for (const listener of listeners) listener(id);
  };

  const history = createPodHistory({ clock, logger, store: eventStore });
  const records = createPodRecords(store, logger);
  const lives = createLives(options, records, history, () => closed, changed);
  const surroundings: PodSurroundings = {
    template: templates.find,
    hasVolume: volumes.has,
    hasRegistryAuth: registryAuths.has,
    password: () => options.ids.random(PASSWORD_BYTES),
    cores: () => options.machine.cores,
    memoryInGb: () => options.machine.memoryInGb,
  };
  const view = (pod: PodRecord): Pod => viewOf(pod, lives.of(pod.id).container, options.machine, options.perHour);
  const parts = { ...options, records, lives, history, surroundings, view };
  const operations = createPodOperations(parts);
  const limits = createLimits(parts);
  const autoStop = createPodAutoStop({
    clock,
    logger,
    records,
    history,
    price: (pod) => pricePerHour(pod, options.machine.cores, options.perHour),
    runs: (id) => lives.of(id).container?.running === true,
    stop: operations.stopByRule,
    changed,
  });
  const times = createPodTimes(clock, {
    stop: (id) => void operations.endOnTime(id, 'stop'),
    terminate: (id) => void operations.endOnTime(id, 'terminate'),
    forget: records.forget,
  });

  records.observe({
    saved(pod) {
      times.set(pod);
      changed(pod.id);
    },
    forgotten(id) {
      times.drop(id);
      lives.drop(id);
      history.drop(id);
      autoStop.forget(id);
      changed(id);
    },
  });
  listeners.add((id) => {
    const pod = records.find(id);
    if (pod) options.watch.changed(pod, lives.of(id).container);
  });

  for (const pod of records.all()) {
    // The container may run: its GPUs stay reserved.
    if (pod.desiredStatus === 'RUNNING') gpus.keep({ podId: pod.id, podName: pod.name }, pod.gpuUuids);
  }

  return {
    list: (status) =>
      (status ? records.all().filter((pod) => pod.desiredStatus === status) : records.using(() => true)).map(view),
    get: (id) => view(records.get(id)),
    record: records.get,
    create: operations.create,
    update: operations.update,
    changeLimits: limits.change,
    start: operations.start,
    stop: operations.stop,
    restart: operations.restart,
    reset: operations.reset,
    terminate: operations.terminate,
    ...createPodFacts(options, records, history, lives, autoStop),
    changeAutoStop: autoStop.change,
    observe: autoStop.observe,
    output(id) {
      records.get(id);
      return (query, signal) => options.driver.output(id, query, signal);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    waitsFor(id) {
      const { container, problem, preparing } = lives.of(id);
      if (records.find(id)?.desiredStatus !== 'RUNNING' || container?.running === true) return null;
      return problem ?? preparing ?? 'Its container is not running yet.';
    },
    reach: (id, port) => upstreamOf(records.get(id), lives.of(id), port),
    volumeFolder(id) {
      const pod = records.find(id);
      const hasOwn = pod !== undefined && pod.desiredStatus !== 'TERMINATED' && hasOwnVolume(pod);
      return hasOwn ? ownVolumeOf(options.folders, id) : null;
    },
    usingTemplate: (templateId) => records.using((pod) => pod.templateId === templateId),
    usingVolume: (volumeId) => records.using((pod) => pod.networkVolumeId === volumeId),
    usingRegistryAuth: (authId) => records.using((pod) => pod.containerRegistryAuthId === authId),
    machineOf: (pod) => machineOf(pod, options.machine, options.freeGpus),

    async begin() {
      for (const pod of records.all()) {
        times.set(pod);
        changed(pod.id);
      }
      await lives.begin();
      limits.align();
    },

    ...createRunningPods(options, records, lives),

    async leave() {
      closed = true;
      times.stop();
      await lives.stop();
    },
  };
}
