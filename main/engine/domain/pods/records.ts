/** The records of all Pods: in memory and saved to the store. One observer is told of each change. */
import { AppError } from '#contract/core/errors.ts';
import type { Logger } from '../core/ports.ts';
import type { PodRecord, PodStore } from './podInterfaces.ts';

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
  /** Sets the one observer. Changes before that are not told. */
  observe(observer: PodRecordsObserver): void;
}

export interface PodRecordsObserver {
  /** Called after each change of a record. */
  saved(pod: PodRecord): void;
  /** Called when a Pod is forgotten. */
  forgotten(id: string): void;
}

/** Reads all records from the store. Throws where it cannot. */
export function createPodRecords(store: PodStore, logger: Logger): PodRecords {
  const pods = new Map(store.load().map((pod) => [pod.id, pod]));
  let observer: PodRecordsObserver | null = null;
  return {
    observe(newObserver) {
      observer = newObserver;
    },
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
      observer?.saved(pod);
      return pod;
    },
    forget(id) {
      pods.delete(id);
      observer?.forgotten(id);
      try {
        store.delete(id);
      } catch (error) {
        logger.warn({ podId: id, err: error }, 'the row of a deleted Pod stays until the next start');
      }
    },
  };
}
