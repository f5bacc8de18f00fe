/** Selects the driver of each worker: processes for handlers in folders, containers for images. */
import type { WorkerDriver, WorkerTemplate } from '../../domain/autoscaling/ports.ts';
import { isFolderTemplate } from '../folders/workerFolder.ts';

export function createDrivers(processes: WorkerDriver, containers: WorkerDriver): WorkerDriver {
  const of = (template: WorkerTemplate): WorkerDriver => (isFolderTemplate(template) ? processes : containers);
  return {
    runtimeOf: (template) => of(template).runtimeOf(template),
    unavailable: (template) => of(template).unavailable(template),
    inspect: (template) => of(template).inspect(template),
    start: (worker) => of(worker.template).start(worker),
    async sweep() {
      await Promise.all([processes.sweep(), containers.sweep()]);
    },
  };
}
