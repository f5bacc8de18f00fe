/** The Pods of this machine. */
import { join } from 'node:path';
import { createPodUsage } from '../domain/pods/metering.ts';
import type { ManagedPods, PodDriver } from '../domain/pods/podInterfaces.ts';
import { createPods } from '../domain/pods/pods.ts';
import type { UsageMeter } from '../domain/billing/meter.ts';
import { machineShape } from '../runtime/host/machineFacts.ts';
import { createPodEventStore } from '../store/repositories/podEvents.ts';
import { createPodStore } from '../store/repositories/resources.ts';
import { createVolumeFolders } from '../store/repositories/volumeFolders.ts';
import type { ExecutionParts } from './parts.ts';

/** `meter` bills the use of each Pod. */
export function createManagedPods(parts: ExecutionParts, driver: PodDriver, meter: UsageMeter): ManagedPods {
  const { settings, clock, ids, logger, opened, records, hardware, address } = parts;
  const { templates, volumes, registryAuths, secrets, usage: store, lasting: sealing, unreadable, damaged } = records;
  const { prices } = hardware;
  const shape = machineShape();
  return createPods({
    clock,
    ids,
    logger,
    templates,
    volumes,
    registryAuths,
    secrets,
    address,
    perHour: prices.perHour,
    freeGpus: (gpuTypeId) => prices.lowestPrice(gpuTypeId, 1)?.maxUnreservedGpuCount ?? null,
    store: createPodStore(opened.database, { sealing, unreadable, damaged }),
    eventStore: createPodEventStore(opened.database, damaged),
    driver,
    gpus: hardware.gpus,
    measured: hardware.measured,
    folders: createVolumeFolders(join(settings.dataDir, 'pods'), logger, settings.workerMask),
    machine: shape,
    pubKey: records.account.pubKey,
    watch: createPodUsage({ meter, prices, cores: shape.cores, store, clock, logger }),
  });
}
