/** The NVIDIA GPUs of this machine: one query lists them, then an nvidia-smi in a loop measures them. */
import type { KnownGpu } from '../../../domain/gpus/machineGpus.ts';
import type { Cancel } from '../../../domain/core/ports.ts';
import { ask } from '../runTool.ts';
import { listDevices, toKnownGpu, uuidOf, type Device } from './devices.ts';
import { readLoads, type NvidiaLoad } from './loads.ts';
import { createReportLoop } from './reportLoop.ts';
import { createPaceKeeper, sameGpus, type VendorGpus, type VendorOptions } from '../sampler.ts';

/** After this many reports a loop is healthy: the next failure counts as the first one. */
const REPORTS_OF_HEALTH = 3;

export interface NvidiaOptions extends VendorOptions {
  /** The memory of this machine, bytes. Some GPUs use it instead of their own. */
  machineBytes: number;
}

export function createNvidiaGpus(options: NvidiaOptions): VendorGpus {
  const { clock, program, env, pace, machineBytes } = options;
  const stopping = new AbortController();
  let devices: readonly Device[] = [];
  let current: readonly KnownGpu[] | null = null;
  let problem: string | null = null;
  let failures = 0;
  const keeper = createPaceKeeper(clock, pace);
  let detecting: Promise<void> | null = null;
  let cancelRetry: Cancel | null = null;
  const loop = createReportLoop({ clock, program, env, onReport, onFailure });

  const query = (args: readonly string[]): ReturnType<typeof ask> => ask(program, args, env, stopping.signal);
  const toGpu = (device: Device, loads: ReadonlyMap<string, NvidiaLoad> | null): KnownGpu =>
    toKnownGpu(device, loads, new Date(clock.now()).toISOString(), machineBytes);

  function setGpus(gpus: readonly KnownGpu[]): void {
    const before = current;
    current = gpus;
    if (!sameGpus(before, gpus)) options.onChange();
  }

  function onFailure(reason: string): void {
    if (stopping.signal.aborted) return;
    failures++;
    problem = reason;
    // Keep the list of GPUs: after an update of the driver, the tool fails until the machine restarts.
    setGpus((current ?? []).map((gpu) => ({ ...gpu, load: null })));
    const waitMs = failures < pace.failures ? failures * pace.retryMs : pace.rareRetryMs;
    cancelRetry?.();
    cancelRetry = clock.after(waitMs, () => {
      cancelRetry = null;
      detect();
    });
  }

  /** Lists the GPUs, then starts the loop that measures them. */
  function detect(): void {
    detecting ??= (async () => {
      const listed = await listDevices(query);
      if (stopping.signal.aborted) return;
      if (typeof listed === 'string') return onFailure(listed);
      devices = listed;
      problem =
        listed.length > 0 ? null : 'nvidia-smi: MIG is switched on, and no GPU has an instance. Create instances.';
      setGpus(listed.map((device) => current?.find(({ uuid }) => uuid === uuidOf(device)) ?? toGpu(device, null)));
      loop.start(keeper.seconds());
    })().finally(() => (detecting = null));
  }

  function onReport(report: string, count: number): void {
    if (count === REPORTS_OF_HEALTH) failures = 0;
    const loads = readLoads(report);
    if (loads.size > 0) {
      const busIds = new Set(devices.map(({ gpu }) => gpu.busId));
      setGpus(devices.map((device) => toGpu(device, loads)));
      options.onMeasured();
      // A GPU appeared or disappeared.
      if (loads.size !== busIds.size || [...loads.keys()].some((id) => !busIds.has(id))) detect();
    }
    followPace();
  }

  /** Restarts a running loop with the wrong pace. */
  function followPace(): void {
    const running = loop.pace();
    if (running !== null && running !== keeper.seconds()) loop.start(keeper.seconds());
  }

  detect();
  return {
    list: () => current,
    problem: () => problem,
    watch() {
      if (stopping.signal.aborted) return;
      keeper.watch();
      followPace();
    },
    setUsed(isUsed) {
      keeper.setUsed(isUsed);
      if (isUsed && !stopping.signal.aborted) followPace();
    },
    async processes(uuid) {
      const answer = await query(['-q', '-d', 'PIDS,MEMORY']);
      const device = devices.find((one) => uuidOf(one) === uuid);
      if (!device || 'failure' in answer) return [];
      return toGpu(device, readLoads(answer.text)).load?.processes ?? [];
    },
    async stop() {
      stopping.abort();
      cancelRetry?.();
      await Promise.all([loop.stop(), detecting]);
    },
  };
}
