/**
 * Puts together what the engine knows of the computer it runs on: its GPUs and who holds them, its processor, memory
 * and Python.
 */
import type { GpuLoad, Machine, MachineGpu } from '#contract/local/machine.ts';
import { createGpuAllocator, type GpuAllocator } from './domain/gpus/allocator.ts';
import type { Cancel, Clock } from './domain/core/ports.ts';
import { createPrices, type Prices } from './domain/billing/pricing.ts';
import type { Settings } from './domain/settings.ts';
import { onBattery } from './runtime/host/battery.ts';
import { createPowerSource, type PowerSource } from './runtime/host/powerSource.ts';
import { createGpus } from './runtime/gpu/gpus.ts';
import { createMachineFacts, machineShape } from './runtime/host/machineFacts.ts';
import { createPythonFinder, type PythonFinder } from './runtime/folders/python.ts';

/** What other parts of the engine tell of it. */
type EngineFacts = Pick<Machine, 'containers' | 'pause'>;

export interface Hardware {
  readonly gpus: GpuAllocator;
  readonly prices: Prices;
  readonly python: PythonFinder;
  readonly power: PowerSource;
  /**
   * Whether this machine has GPUs, which are hidden from workers that did not get them. True while that is not known.
   */
  hasGpus(): boolean;
  /** The programs that have memory on a GPU now, the largest share first. Empty if its driver does not report them. */
  memoryHolders(uuid: string): Promise<GpuLoad['processes']>;
  /** The GPUs with their load. The call counts as a reader of the load, which is then measured more often. */
  measured(): readonly MachineGpu[];
  /** Called after each measurement of GPUs. */
  onMeasured(listener: () => void): Cancel;
  /** Another reader of the load of processor and memory: each measures since its own previous call. */
  measureProcessor(): () => Pick<Machine, 'cpu' | 'memory'>;
  /** For GET /local/v1/machine. */
  facts(engineFacts: EngineFacts): Promise<Machine>;
  stop(): Promise<void>;
}

/** Facts that seldom change are cached for this long: watching them starts few programs. */
const SELDOM_MS = 30_000;

/** Caches the answer of `ask`, and asks again once it is older than SELDOM_MS and `again` allows it. */
function seldom<T>(clock: Clock, ask: () => Promise<T>, again: (answer: T) => boolean = () => true): () => Promise<T> {
  let cached: { at: number; answer: Promise<T> } | null = null;
  return async () => {
    const at = clock.elapsed();
    if (cached === null || (at - cached.at > SELDOM_MS && again(await cached.answer))) cached = { at, answer: ask() };
    return cached.answer;
  };
}

/** Starts to look for the GPUs. The other facts are read when somebody asks for them. */
export function createHardware(clock: Clock, settings: Settings): Hardware {
  const source = createGpus({ clock });
  const gpus = createGpuAllocator({ source, choices: () => settings.current.machine.gpus, onUse: source.setUsed });
  const prices = createPrices({
    gpus: gpus.list,
    settings: () => settings.current.machine.prices,
    computer: machineShape(),
  });
  const unlisten = settings.onChange(gpus.choicesChanged);
  const facts = createMachineFacts(clock);
  const python = createPythonFinder();
  const findPython = seldom(clock, python.find, ({ program }) => program === null);
  const power = createPowerSource();
  const findBattery = seldom(clock, onBattery);
  return {
    gpus,
    prices,
    python,
    power,
    hasGpus: () => source.list()?.length !== 0,
    memoryHolders: source.memoryHolders,
    onMeasured: source.onMeasured,
    measured() {
      source.watch();
      return gpus.list();
    },
    measureProcessor: () => createMachineFacts(clock),
    async facts(engineFacts) {
      source.watch();
      const [{ version, reason }, battery] = await Promise.all([findPython(), power.onBattery(findBattery)]);
      return {
        ...facts(),
        gpus: [...gpus.list()],
        gpuProblem: source.problem(),
        python: { version, problem: reason },
        onBattery: battery,
        ...engineFacts,
      };
    },
    async stop() {
      unlisten();
      await source.stop();
    },
  };
}
