/** The records of all Pods: in memory and saved to the store. Each change sets their timers and notifies the observer. */
import { AppError } from '#contract/core/errors.ts';
import type { Logger } from '../core/ports.ts';
import type { PodRecord, PodStore } from './podInterfaces.ts';
import type { PodTimes } from './schedule.ts';

export interface PodRecords {
  find(id: string): PodRecord | undefined;
  /** Throws NOT_FOUND for an unknown id. */
  get(id: string): PodRecord;
  all(): PodRecord[];
  /** Pods that are not deleted and match the predicate. */
  using(uses: (pod: PodRecord) => boolean): PodRecord[];
  /** Saves and returns the record. Throws where the store cannot write it; then nothing has changed. */
  save(pod: PodRecord): PodRecord;
  /** Removes a deleted Pod for good. A row that cannot be removed is logged and stays until the next start. */
  forget(id: string): void;
}

export interface PodRecordsOptions {
  store: PodStore;
  logger: Logger;
  times: PodTimes;
  /** Called after each change of a record. */
  changed(id: string): void;
  /** Called when a Pod is forgotten. */
  dropped(id: string): void;
}

export function createPodRecords({ store, logger, times, changed, dropped }: PodRecordsOptions): PodRecords {
  const pods = new Map(store.load().map((pod) => [pod.id, pod]));
  return {
    find: (id) => pods.get(id),
    get(id) {
      const pod = pods.get(id);
      if (!pod) throw new AppError('NOT_FOUND', `There is no Pod ${JSON.stringify(id)}.`);
      return pod;
    },
    all: () => [...pods.values()],
    using: (uses) => [...pods.values()].filter((pod) => pod.desiredStatus !== 'TERMINATED' && uses(pod)),
    save(pod) {
      store.save(pod);
      pods.set(pod.id, pod);
      times.set(pod);
      changed(pod.id);
      return pod;
    },
    forget(id) {
      times.drop(id);
      pods.delete(id);
      dropped(id);
      try {
        store.delete(id);
      } catch (error) {
        logger.warn({ podId: id, err: error }, 'the row of a deleted Pod stays until the next start');
      }
    },
  };
}
