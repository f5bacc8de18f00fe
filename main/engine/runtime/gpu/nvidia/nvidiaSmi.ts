/** The NVIDIA GPUs of this machine: found with one question, then measured by one nvidia-smi that reports in a loop. */
import { spawn, type ChildProcess } from 'node:child_process';
import type { GpuLoad } from '#contract/local/machine.ts';
import type { KnownGpu } from '../../../domain/gpus/allocator.ts';
import type { Cancel } from '../../../domain/core/ports.ts';
import { inherited } from '../../process/envAllowlist.ts';
import { ask, firstLine } from '../runTool.ts';
import {
  inventoryFields,
  migField,
  profileBytes,
  readInventory,
  readMigDevices,
  type MigDevice,
  type NvidiaGpu,
} from './inventory.ts';
import { loadParts, readLoads, type NvidiaLoad } from './loads.ts';
import { sameGpus, type VendorGpus, type VendorOptions } from '../sampler.ts';

/** A report comes in one go; what comes after such a pause is the next one. */
const REPORT_ENDS_MS = 150;
/** Beyond the pace: a driver that hangs answers nothing at all. */
const SILENCE_MS = 20_000;
/** Loops that have brought this many reports have not failed at once. */
const REPORTS_OF_HEALTH = 3;
const LONGEST_REPORT = 2 ** 20;
const KILL_PATIENCE_MS = 2000;

/** A GPU, or a part of one that is divided. */
interface Device {
  readonly gpu: NvidiaGpu;
  readonly part: MigDevice | null;
}

export interface NvidiaOptions extends VendorOptions {
  /** Memory of this machine, which is that of GPUs that have none of their own. */
  machineBytes: number;
}

export function createNvidiaGpus(options: NvidiaOptions): VendorGpus {
  const { clock, program, env, pace, machineBytes } = options;
  const stopping = new AbortController();
  let devices: readonly Device[] = [];
  let current: readonly KnownGpu[] | null = null;
  let problem: string | null = null;
  let failures = 0;
  let watchedUntil = -Infinity;
  let loop: { child: ChildProcess; seconds: number } | null = null;
  /** Loops that have not ended yet: besides the one that is listened to, those that were told to. */
  const alive = new Map<ChildProcess, Promise<void>>();
  let detecting: Promise<void> | null = null;
  let retry: Cancel | null = null;

  const question = (args: readonly string[]): ReturnType<typeof ask> => ask(program, args, env, stopping.signal);
  const seconds = (): number => (clock.elapsed() < watchedUntil ? pace.watchedS : pace.unwatchedS);

  function become(gpus: readonly KnownGpu[]): void {
    const before = current;
    current = gpus;
    if (!sameGpus(before, gpus)) options.onChange();
  }

  function toGpu({ gpu, part }: Device, loads: ReadonlyMap<string, NvidiaLoad> | null): KnownGpu {
    const whole = loads?.get(gpu.busId);
    const load = part ? whole?.parts.get(part.index) : whole;
    const at = new Date(clock.now()).toISOString();
    const nameOfPart = part ? ` MIG ${part.profile}` : '';
    const partBytes = part ? (load?.memoryTotalBytes ?? profileBytes(part.profile)) : null;
    return {
      uuid: part?.uuid ?? gpu.uuid,
      index: gpu.index,
      vendor: 'nvidia',
      typeId: `${gpu.name}${nameOfPart}`,
      memoryBytes: partBytes ?? gpu.memoryBytes ?? machineBytes,
      driverVersion: gpu.driverVersion,
      load: load
        ? {
            at,
            memoryUsedBytes: load.memoryUsedBytes,
            processes: load.processes,
            // nvidia-smi reports only the memory of a MIG part.
            ...(part
              ? { utilPercent: null, temperatureC: null, powerW: null }
              : { utilPercent: whole!.utilPercent, temperatureC: whole!.temperatureC, powerW: whole!.powerW }),
          }
        : null,
    };
  }

  function fail(reason: string): void {
    if (stopping.signal.aborted) return;
    failures++;
    problem = reason;
    // Which GPUs there are stays as it was: a driver that was updated is back after the next start of the machine.
    become((current ?? []).map((gpu) => ({ ...gpu, load: null })));
    const waitMs = failures < pace.failures ? failures * pace.retryMs : pace.rareRetryMs;
    retry?.();
    retry = clock.after(waitMs, () => {
      retry = null;
      detect();
    });
  }

  async function inventory(): Promise<readonly Device[] | string> {
    const table = (fields: readonly string[]): string[] => [
      `--query-gpu=${fields.join(',')}`,
      '--format=csv,noheader,nounits',
    ];
    let answer = await question(table([...inventoryFields, migField]));
    if ('failure' in answer && answer.failure.includes('not a valid field'))
      answer = await question(table(inventoryFields));
    if ('failure' in answer) return answer.failure;
    const gpus = readInventory(answer.text);
    if (gpus.length === 0) return `nvidia-smi: ${firstLine(answer.text) ?? 'it lists no GPU'}`;
    if (!gpus.some(({ mig }) => mig)) return gpus.map((gpu) => ({ gpu, part: null }));
    const list = await question(['-L']);
    if ('failure' in list) return list.failure;
    const parts = readMigDevices(list.text);
    return gpus.flatMap((gpu): Device[] =>
      gpu.mig
        ? parts.filter(({ gpuUuid }) => gpuUuid === gpu.uuid).map((part) => ({ gpu, part }))
        : [{ gpu, part: null }],
    );
  }

  /** Lists the GPUs, then starts the loop that measures them. */
  function detect(): void {
    detecting ??= (async () => {
      const answer = await inventory();
      if (stopping.signal.aborted) return;
      if (typeof answer === 'string') return fail(answer);
      devices = answer;
      problem =
        answer.length > 0 ? null : 'nvidia-smi: MIG is switched on, and no GPU has an instance. Create instances.';
      become(answer.map((one) => current?.find(({ uuid }) => uuid === (one.part ?? one.gpu).uuid) ?? toGpu(one, null)));
      startLoop();
    })().finally(() => (detecting = null));
  }

  function applyReport(report: string): void {
    const loads = readLoads(report);
    if (loads.size === 0) return;
    const bus = new Set(devices.map(({ gpu }) => gpu.busId));
    become(devices.map((one) => toGpu(one, loads)));
    // A GPU came or went.
    if (loads.size !== bus.size || [...loads.keys()].some((id) => !bus.has(id))) detect();
  }

  function startLoop(): void {
    void loop?.child.kill();
    const every = seconds();
    const child = spawn(program, ['-q', '-d', loadParts, '-l', String(every)], {
      env: inherited(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let report = '';
    let complaint = '';
    let reports = 0;
    let ends: Cancel | null = null;
    let silence: Cancel | null = null;
    const listen = (): void => {
      silence?.();
      silence = clock.after(every * 1000 + SILENCE_MS, () => {
        complaint = `nvidia-smi has not answered for ${every + SILENCE_MS / 1000} s`;
        child.kill('SIGKILL');
      });
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      report = (report + text).slice(-LONGEST_REPORT);
      listen();
      ends?.();
      ends = clock.after(REPORT_ENDS_MS, () => {
        ends = null;
        const whole = report;
        report = '';
        if (loop?.child !== child) return;
        if (++reports === REPORTS_OF_HEALTH) failures = 0;
        applyReport(whole);
        if (loop?.child === child && seconds() !== every) startLoop();
      });
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint = (complaint + text).slice(-2000)));
    const exited = new Promise<void>((resolve) => {
      const over = (reason: string): void => {
        ends?.();
        silence?.();
        alive.delete(child);
        if (loop?.child === child) {
          loop = null;
          fail(`nvidia-smi: ${reason}`);
        }
        resolve();
      };
      child.once('error', (error) => over(error.message));
      child.once('close', (code, signal) =>
        over(firstLine(`${complaint}\n${report}`) ?? `it ended by itself (${signal ?? `exit code ${code}`})`),
      );
    });
    alive.set(child, exited);
    loop = { child, seconds: every };
    listen();
  }

  detect();
  return {
    list: () => current,
    problem: () => problem,
    watch() {
      if (stopping.signal.aborted) return;
      watchedUntil = clock.elapsed() + pace.watchMs;
      if (loop && loop.seconds !== seconds()) startLoop();
    },
    async processes(uuid) {
      const answer = await question(['-q', '-d', 'PIDS,MEMORY']);
      const one = devices.find(({ gpu, part }) => (part ?? gpu).uuid === uuid);
      if (!one || 'failure' in answer) return [] satisfies GpuLoad['processes'];
      return toGpu(one, readLoads(answer.text)).load?.processes ?? [];
    },
    async stop() {
      stopping.abort();
      retry?.();
      loop = null;
      for (const child of alive.keys()) child.kill();
      const force = clock.after(KILL_PATIENCE_MS, () => {
        for (const child of alive.keys()) child.kill('SIGKILL');
      });
      await Promise.all([...alive.values(), detecting]);
      force();
    },
  };
}
