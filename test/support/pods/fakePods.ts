/**
 * A fake of the driver of Pods, whose containers do what the spec says, and Pods over it on a machine with some GPUs.
 */
import { AppError } from '#contract/core/errors.ts';
import type { PodEvent } from '#contract/local/podEvent.ts';
import type { PodEventStore } from '../../../main/engine/domain/pods/history/history.ts';
import type { OutputLine, OutputQuery } from '../../../main/engine/domain/logs/podLog.ts';
import { createGpuAllocator } from '../../../main/engine/domain/gpus/allocator.ts';
import type { GpuSource, KnownGpu } from '../../../main/engine/domain/gpus/machineGpus.ts';
import type {
  ManagedPods,
  PodContainer,
  PodDriver,
  PodPlan,
  PodRecord,
  PodStore,
  PodWatch,
} from '../../../main/engine/domain/pods/podInterfaces.ts';
import { createPods } from '../../../main/engine/domain/pods/pods.ts';
import type { ResourceStore } from '../../../main/engine/domain/resources/ports.ts';
import { createRegistryAuths, type RegistryAuths } from '../../../main/engine/domain/resources/registryAuths.ts';
import { createTemplates, type Templates } from '../../../main/engine/domain/resources/templates.ts';
import { createVolumes, type Volumes } from '../../../main/engine/domain/resources/volumes.ts';
import { createFakeClock, createFakeIds, silentLogger, type FakeClock } from '../core/fakes.ts';
import { until } from '../core/until.ts';

export const A40 = 'NVIDIA A40';
export const L4 = 'NVIDIA L4';

export const fakeGpu = (typeId: string, index: number, memoryGb: number): KnownGpu => ({
  uuid: `GPU-${index}`,
  index,
  vendor: 'nvidia',
  typeId,
  memoryBytes: memoryGb * 2 ** 30,
  driverVersion: '1',
  load: null,
});

function keptLines(
  container: PodContainer | undefined,
  earlier: readonly string[] = [],
  now: readonly string[] = [],
  { sinceUs = 0, tail = Infinity }: OutputQuery,
): OutputLine[] {
  const beganUs = (container?.startedAt ?? 0) * 1000;
  return [
    ...earlier.map((text) => ({ text, at: beganUs - 1_000_000 })),
    ...now.map((text, n) => ({ text, at: beganUs + n + 1 })),
  ]
    .filter(({ at }) => at >= sinceUs)
    .map((line): OutputLine => ({ ...line, stream: 'stdout' }))
    .slice(-tail);
}

export interface FakePodDriver extends PodDriver {
  readonly containers: Map<string, PodContainer>;
  /** What was done, in order: "start a", "stop a". */
  readonly done: string[];
  /** The plans that containers were started with. */
  readonly plans: PodPlan[];
  /** What is missing; null while there is a container engine. */
  missing: string | null;
  /** Until it is let go, a start pulls. */
  hold(): { release(): void };
  /** Until it is let go, what is to stop runs on. */
  holdStops(): { release(): void };
  /** A start that is held says what it does. */
  reports(podId: string, step: string): void;
  /** The next start, or change of limits, fails so. */
  failNext(error: Error): void;
  /** A container ends by itself. */
  ends(podId: string, exitCode: number): void;
  /** It comes or goes. */
  moves(): void;
  /** What the container of each Pod wrote in its present run. */
  readonly written: Map<string, string[]>;
  /** What it wrote in the runs before. */
  readonly writtenBefore: Map<string, string[]>;
}

/** `closed`: resolves when it is let go; null while nothing holds it. */
function createGate() {
  let gate: Promise<void> | null = null;
  return {
    closed: () => gate,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return {
        release() {
          gate = null;
          resolve();
        },
      };
    },
  };
}

/** `containers`: those of an engine before this one. */
export function createFakePodDriver(clock: FakeClock, containers = new Map<string, PodContainer>()): FakePodDriver {
  const listeners = new Set<(podId: string | null) => void>();
  const tell = (podId: string | null): void => {
    for (const listener of listeners) listener(podId);
  };
  const done: string[] = [];
  const reporters = new Map<string, (step: string | null) => void>();
  const written = new Map<string, string[]>();
  const writtenBefore = new Map<string, string[]>();
  const plans: PodPlan[] = [];
  const [starts, stops] = [createGate(), createGate()];
  let failure: Error | null = null;
  let nextPort = 40_000;
  function failIfTold(): void {
    const error = failure;
    failure = null;
    if (error) throw error;
  }
  const driver: FakePodDriver = {
    containers,
    written,
    writtenBefore,
    done,
    plans,
    missing: null,
    unavailable: () => Promise.resolve(driver.missing),
    list: () =>
      driver.missing === null
        ? Promise.resolve([...containers.values()])
        : Promise.reject(new AppError('UNAVAILABLE', driver.missing)),
    async start(plan, say, signal) {
      const { id } = plan.pod;
      plans.push(plan);
      if (driver.missing !== null) throw new AppError('UNAVAILABLE', driver.missing);
      reporters.set(id, say);
      say(`Pulling ${plan.pod.imageName}, 40 %`);
      const gate = starts.closed();
      if (gate) {
        const aborted = new Promise<never>((_, reject) =>
          signal.addEventListener('abort', () => reject(new AppError('CONFLICT', 'broken off')), { once: true }),
        );
        await Promise.race([gate, aborted]);
      }
      failIfTold();
      done.push(`start ${id}`);
      const ports = new Map(
        plan.pod.ports.map((port) => [parseInt(port, 10), { host: '127.0.0.1', port: nextPort++ }]),
      );
      const container: PodContainer = {
        podId: id,
        running: true,
        startedAt: clock.now(),
        exitCode: null,
        outOfMemory: false,
        ports,
        isDiskLimited: true,
        gpuUuids: plan.gpus.map(({ uuid }) => uuid),
      };
      containers.set(id, container);
      return container;
    },
    async *output(podId, query) {
      yield* keptLines(containers.get(podId), writtenBefore.get(podId), written.get(podId), query);
    },
    async stop(podId) {
      await stops.closed();
      const there = containers.get(podId);
      if (there?.running) {
        done.push(`stop ${podId}`);
        containers.set(podId, { ...there, running: false, exitCode: 143 });
      }
    },
    restart(podId) {
      done.push(`restart ${podId}`);
      const container = { ...containers.get(podId)!, running: true, startedAt: clock.now() };
      containers.set(podId, container);
      return Promise.resolve(container);
    },
    remove(podId) {
      if (containers.delete(podId)) done.push(`remove ${podId}`);
      return Promise.resolve();
    },
    async limit(podId, { vcpuCount, memoryInGb }) {
      failIfTold();
      if (containers.has(podId)) done.push(`limit ${vcpuCount} ${memoryInGb} ${podId}`);
    },
    load: (podId) => Promise.resolve(containers.get(podId)?.running ? { cpuPercent: 12.5, memoryPercent: 3 } : null),
    latestLoad: (podId) => driver.load(podId),
    sample: () => Promise.resolve(null),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => Promise.resolve(),
    hold: starts.hold,
    holdStops: stops.hold,
    reports: (podId, step) => reporters.get(podId)?.(step),
    failNext: (error) => void (failure = error),
    ends(podId, exitCode) {
      containers.set(podId, { ...containers.get(podId)!, running: false, exitCode });
      tell(podId);
    },
    moves: () => tell(null),
  };
  return driver;
}

export interface PodMachineUnderTest {
  readonly pods: ManagedPods;
  readonly driver: FakePodDriver;
  readonly clock: FakeClock;
  readonly gpus: ReturnType<typeof createGpuAllocator>;
  readonly rows: Map<string, PodRecord>;
  /** The stored events, by the id of their Pod. */
  readonly eventRows: Map<string, PodEvent[]>;
  readonly templates: Templates;
  readonly volumes: Volumes;
  readonly registryAuths: RegistryAuths;
  /** Names of the folders of Pods' own volumes. */
  readonly folders: Set<string>;
  /** The engine ends, and another one begins with what is on disk and what runs. */
  again(): Promise<PodMachineUnderTest>;
}

interface Given {
  gpus?: readonly KnownGpu[];
  rows?: Map<string, PodRecord>;
  eventRows?: Map<string, PodEvent[]>;
  clock?: FakeClock;
  containers?: Map<string, PodContainer>;
  folders?: Set<string>;
  watch?: PodWatch;
  /** US dollars per hour for so many GPUs or cores of a type. */
  perHour?: (gpuTypeId: string, count: number) => number;
}

const noResources: ResourceStore = {
  loadTemplates: () => [],
  saveTemplate: () => undefined,
  deleteTemplate: () => undefined,
  loadEndpoints: () => [],
  saveEndpoint: () => undefined,
  deleteEndpoint: () => undefined,
};

export function podMachine(options: Given = {}): PodMachineUnderTest {
  const clock = options.clock ?? createFakeClock();
  const rows = options.rows ?? new Map<string, PodRecord>();
  const eventRows = options.eventRows ?? new Map<string, PodEvent[]>();
  const folders = options.folders ?? new Set<string>();
  const ids = createFakeIds();
  const driver = createFakePodDriver(clock, options.containers);
  const known = options.gpus ?? [fakeGpu(A40, 0, 48), fakeGpu(L4, 1, 24)];
  const source: GpuSource = {
    list: () => known,
    problem: () => null,
    driverFails: () => false,
    onChange: () => () => undefined,
  };
  const gpus = createGpuAllocator({ source, choices: () => ({}) });
  const store: PodStore = {
    load: () => [...rows.values()],
    save: (pod) => void rows.set(pod.id, structuredClone(pod)),
    delete: (id) => void rows.delete(id),
  };
  const eventStore: PodEventStore = {
    load: () => [...eventRows].flatMap(([podId, events]) => events.map((event) => ({ podId, event }))),
    save(podId, event) {
      const others = (eventRows.get(podId) ?? []).filter(({ n }) => n !== event.n);
      eventRows.set(
        podId,
        [...others, event].toSorted((a, b) => a.n - b.n),
      );
    },
    remove: (podId, numbers) =>
      void eventRows.set(
        podId,
        (eventRows.get(podId) ?? []).filter(({ n }) => !numbers.includes(n)),
      ),
    removeAll: (podId) => void eventRows.delete(podId),
  };
  const registryAuths = createRegistryAuths(
    {
      load: () => [],
      save: () => undefined,
      delete: () => undefined,
      credentials: () => ({ username: 'u', password: 'p' }),
    },
    ids,
  );
  const folderOf = (root: string, made: Set<string>) => ({
    path: (folder: string) => `${root}/${folder}`,
    make(name: string, id: string) {
      made.add(`${name}${id}`);
      return `${name}${id}`;
    },
    openToAll: () => true,
    remove: (folder: string) => Promise.resolve(void made.delete(folder)),
  });
  const volumes = createVolumes(
    { load: () => [], save: () => undefined, delete: () => undefined },
    folderOf('/volumes', new Set()),
    ids,
  );
  const templates = createTemplates(noResources, ids, registryAuths.has);
  const pods = createPods({
    clock,
    ids,
    logger: silentLogger,
    store,
    eventStore,
    driver,
    gpus,
    templates,
    volumes,
    registryAuths,
    secrets: { fillIn: (env) => ({ ...env }) },
    folders: folderOf('/pods', folders),
    measured: () => gpus.list(),
    machine: { hostname: 'box', cpuModel: 'Some CPU', cores: 8, memoryInGb: 32 },
    pubKey: () => 'ssh-ed25519 AAAA me',
    perHour: options.perHour ?? ((type, count) => (type === 'CPU' ? 0.05 : 0.5) * count),
    freeGpus: () => gpus.list().filter(({ heldBy }) => heldBy.length === 0).length,
    watch: options.watch ?? { changed: () => undefined },
    address: () => 'http://127.0.0.1:47800',
  });
  return {
    pods,
    driver,
    clock,
    gpus,
    rows,
    eventRows,
    templates,
    volumes,
    registryAuths,
    folders,
    async again() {
      await pods.leave();
      return podMachine({ ...options, rows, eventRows, clock, folders, containers: driver.containers });
    },
  };
}

/** Until its container runs, and the Pod knows. */
export const untilRuns = (on: PodMachineUnderTest, id: string): Promise<unknown> =>
  until(
    'the container to run',
    () => on.driver.containers.get(id)?.running === true && on.pods.get(id).publicIp !== null,
  );

/** "GPU-0 and the id of who holds it". */
export const claimedGpus = (on: PodMachineUnderTest): string[] =>
  on.gpus.list().flatMap(({ uuid, heldBy }) => heldBy.map((holder) => `${uuid} ${Object.values(holder)[0]}`));

/** What was done to the container of a Pod. */
export const doneTo = (on: PodMachineUnderTest, id: string): string[] =>
  on.driver.done.filter((one) => one.endsWith(id)).map((one) => one.split(' ')[0]!);
