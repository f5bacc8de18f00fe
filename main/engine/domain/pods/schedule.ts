/** The scheduled changes of Pods: stop, delete, and removal from the list. */
import { limits } from '#contract/core/limits.ts';
import type { PodRecord } from './podInterfaces.ts';
import { isLockedFor } from './state.ts';
import type { Cancel, Clock } from '../core/ports.ts';

export interface PodTimes {
  /** Sets the timers again by the times of the record. */
  set(pod: PodRecord): void;
  drop(podId: string): void;
  stop(): void;
}

export const listedUntil = ({ terminatedAt = 0 }: PodRecord): number => terminatedAt + limits.pod.retentionMs;

export function createPodTimes(
  clock: Clock,
  due: { stop(podId: string): void; terminate(podId: string): void; forget(podId: string): void },
): PodTimes {
  const timers = new Map<string, Cancel>();

  function next(pod: PodRecord): { at: number; run: () => void } | undefined {
    const { id } = pod;
    const times: { at: number; run: () => void }[] = [];
    if (pod.desiredStatus === 'TERMINATED') {
      if (pod.containerGone === true) times.push({ at: listedUntil(pod), run: () => due.forget(id) });
      return times[0];
    }
    // A locked Pod waits until it is unlocked.
    if (pod.desiredStatus === 'RUNNING' && pod.stopAfter !== null && !isLockedFor(pod, 'stop')) {
      times.push({ at: pod.stopAfter, run: () => due.stop(id) });
    }
    if (pod.terminateAfter !== null && !isLockedFor(pod, 'terminate')) {
      times.push({ at: pod.terminateAfter, run: () => due.terminate(id) });
    }
    return times.sort((a, b) => a.at - b.at)[0];
  }

  function drop(podId: string): void {
    timers.get(podId)?.();
    timers.delete(podId);
  }

  return {
    set(pod) {
      drop(pod.id);
      const first = next(pod);
      if (first) timers.set(pod.id, clock.after(Math.max(0, first.at - clock.now()), first.run));
    },
    drop,
    stop() {
      for (const podId of timers.keys()) drop(podId);
    },
  };
}
