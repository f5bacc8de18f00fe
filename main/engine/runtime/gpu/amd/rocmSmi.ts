/** The AMD GPUs of this machine, measured by rocm-smi. It cannot run in a loop, so it is started for each sample. */
import type { GpuLoad } from '#contract/local/machine.ts';
import type { KnownGpu } from '../../../domain/gpus/machineGpus.ts';
import type { Cancel } from '../../../domain/core/ports.ts';
import { ask } from '../runTool.ts';
import { readRocm, rocmQuestions } from './reports.ts';
import { createPaceKeeper, sameGpus, type VendorGpus, type VendorOptions } from '../sampler.ts';

/** Each sample starts a Python program, so samples are rarer than reports of a loop. */
const SLOWER = 3;

export function createRocmGpus(options: VendorOptions): VendorGpus {
  const { clock, program, env, pace } = options;
  const stopping = new AbortController();
  let current: readonly KnownGpu[] | null = null;
  let problem: string | null = null;
  let failures = 0;
  const keeper = createPaceKeeper(clock, pace);
  let next: Cancel | null = null;
  let sampling: Promise<void> | null = null;
  let lookedAt = -Infinity;

  const everyMs = (): number => keeper.seconds() * SLOWER * 1000;
  /** Brings the next sample forward where the pace became faster. */
  function followPace(): void {
    if (stopping.signal.aborted || sampling || failures > 0) return;
    schedule(Math.max(0, lookedAt + everyMs() - clock.elapsed()));
  }

  function become(gpus: readonly KnownGpu[], reason: string | null): void {
    const before = current;
    current = gpus;
    problem = reason;
    if (!sameGpus(before, gpus)) options.onChange();
  }

  async function sample(): Promise<void> {
    const answer = await ask(program, rocmQuestions, env, stopping.signal);
    lookedAt = clock.elapsed();
    if (stopping.signal.aborted) return;
    const at = new Date(clock.now()).toISOString();
    const reports = 'text' in answer ? readRocm(answer.text, at) : null;
    if (reports === null) {
      failures++;
      const reason = 'failure' in answer ? answer.failure : 'rocm-smi: its answer cannot be understood';
      become(
        (current ?? []).map((gpu) => ({ ...gpu, load: null })),
        reason,
      );
      schedule(failures < pace.failures ? failures * pace.retryMs : pace.rareRetryMs);
      return;
    }
    failures = 0;
    become(
      reports.map((gpu) => ({ ...gpu, vendor: 'amd' })),
      reports.length > 0 ? null : 'rocm-smi: it lists no GPU that can compute',
    );
    options.onMeasured();
    // Without a GPU, no timer runs; the next call of `watch` searches again.
    if (reports.length > 0) schedule(everyMs());
  }

  const poll = (): Promise<void> => (sampling ??= sample().finally(() => (sampling = null)));

  function schedule(ms: number): void {
    next?.();
    next = clock.after(ms, () => {
      next = null;
      void poll();
    });
  }

  void poll();
  return {
    list: () => current,
    problem: () => problem,
    watch() {
      keeper.watch();
      followPace();
    },
    setUsed(isUsed) {
      keeper.setUsed(isUsed);
      if (isUsed) followPace();
    },
    async processes(uuid) {
      await poll();
      return current?.find((gpu) => gpu.uuid === uuid)?.load?.processes ?? ([] satisfies GpuLoad['processes']);
    },
    async stop() {
      stopping.abort();
      next?.();
      await sampling;
    },
  };
}
