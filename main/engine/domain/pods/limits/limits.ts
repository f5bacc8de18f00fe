/** What the containers of Pods may use: CPU cores and memory. */
import type { PodLimits } from '#contract/api/pod.ts';
import { AppError } from '#contract/core/errors.ts';
import { omitUndefined } from '../../core/omitUndefined.ts';
import { repriced } from '../autoStop/autoStop.ts';
import type { PodOperationsOptions } from '../operations.ts';
import type { PodRecord, Pods } from '../podInterfaces.ts';
import { pricePerHour } from '../price.ts';
import { checkPod } from '../spec.ts';
import { requireNextStatus } from '../state.ts';

type LimitsOptions = Pick<
  PodOperationsOptions,
  'clock' | 'logger' | 'driver' | 'records' | 'lives' | 'history' | 'surroundings' | 'perHour'
>;

export interface PodLimiting {
  /** See `changeLimits` of `Pods`. */
  change: Pods['changeLimits'];
  /** Gives running containers the limits of their Pods: an engine may end between the change of the record and of the container. */
  align(): void;
}

const GIB = 1024 ** 3;

/** The limits of a Pod; null for none. */
export const limitsOf = ({ vcpuCount, memoryInGb }: PodRecord): PodLimits => ({
  vcpuCount: vcpuCount || null,
  memoryInGb: memoryInGb || null,
});

const limitWords = ({ vcpuCount, memoryInGb }: PodRecord): string =>
  [
    vcpuCount > 0 ? `${vcpuCount} CPU ${vcpuCount === 1 ? 'core' : 'cores'}` : 'all CPU cores',
    memoryInGb > 0 ? `${memoryInGb} GB of memory` : 'all memory',
  ].join(', ');

/** Changes the limits of Pods: the record first, so that a start at the same time, or the next engine, applies them too. */
export function createLimits({
  clock,
  logger,
  driver,
  records,
  lives,
  history,
  surroundings,
  perHour,
}: LimitsOptions): PodLimiting {
  const price = (pod: PodRecord): number => pricePerHour(pod, surroundings.cores(), perHour);

  /** A container that uses more memory than its limit loses processes. Throws BAD_REQUEST where that would happen. */
  async function checkUse({ id, memoryInGb }: PodRecord): Promise<void> {
    const usedBytes = memoryInGb > 0 ? ((await driver.sample(id))?.memoryBytes ?? 0) : 0;
    if (usedBytes <= memoryInGb * GIB) return;
    throw new AppError(
      'BAD_REQUEST',
      `memoryInGb is ${memoryInGb}, and the Pod uses ${(usedBytes / GIB).toFixed(1)} GB now: its programs would be killed. Ask for ${Math.ceil(usedBytes / GIB)} or more, or stop the Pod first.`,
    );
  }

  return {
    async change(id, change, keyName = null) {
      const limited = (pod: PodRecord): PodRecord => {
        requireNextStatus(pod, 'update');
        const { vcpuCount, memoryInGb } = { ...limitsOf(pod), ...omitUndefined(change) };
        // A Pod on the CPU has a number of cores in any case.
        const allCores = pod.computeType === 'CPU' ? surroundings.cores() : 0;
        return { ...pod, vcpuCount: vcpuCount ?? allCores, memoryInGb: memoryInGb ?? 0 };
      };
      checkPod(limited(records.get(id)), surroundings);
      if (lives.of(id).container?.running === true) await checkUse(limited(records.get(id)));
      // Another request may have changed the record during the await: read the record again.
      const before = records.get(id);
      const after = limited(before);
      if (limitWords(after) === limitWords(before)) return limitsOf(before);
      const saved = records.save(repriced(after, { clock, price }));
      try {
        // A start that is being prepared begins again with the new limits.
        if (lives.of(id).preparing !== null) void lives.drive(id);
        else if (lives.of(id).container !== null) await driver.limit(id, saved);
      } catch (error) {
        const { vcpuCount, memoryInGb } = before;
        const now = records.find(id);
        if (now) records.save(repriced({ ...now, vcpuCount, memoryInGb }, { clock, price }));
        throw error;
      }
      logger.info({ podId: id, ...limitsOf(saved) }, 'the limits of a Pod were changed');
      const text = `Its limits were changed: ${limitWords(saved)}.`;
      history.note(id, { kind: 'changed', text, by: 'person', keyName });
      return limitsOf(saved);
    },
    align() {
      for (const pod of records.using(({ id }) => lives.of(id).container?.running === true)) {
        driver.limit(pod.id, pod).catch((err: unknown) => {
          logger.warn(
            { podId: pod.id, err },
            'the limits of a Pod could not be changed; its container has the old ones',
          );
        });
      }
    },
  };
}
