/** Limits of what a person creates: endpoints, Pods, volumes, credentials and secrets. */
import { SECOND_MS, MINUTE_MS, HOUR_MS, KIB } from './units.ts';

export const resourceLimits = {
  endpoint: {
    nameLength: 191,
    idleTimeoutS: { min: 1, max: 3600, default: 5 },
    workersMin: { min: 0, max: 1000, default: 0 },
    workersMax: { min: 0, max: 1000, default: 3 },
    scalerValue: { min: 1, max: 10_000, default: 4 },
    gpuCount: { min: 0, max: 64, default: 1 },
    /** Cores that a client asks for; nothing enforces them. */
    vcpuCount: { min: 1, max: 1024, default: 2 },
  },

  /** `ports`: `http` and `tcp` ports together. `retentionMs`: how long a deleted Pod stays visible as TERMINATED. */
  pod: {
    nameLength: 191,
    imageLength: 1024,
    ports: 20,
    diskGb: { min: 0, max: 100_000, container: 50, volume: 20 },
    memoryGb: { min: 0, max: 100_000 },
    stopGraceMs: 10 * SECOND_MS,
    retentionMs: 1 * HOUR_MS,
    /**
     * Restarts of a Pod whose container ended by itself or could not be made: the first after `firstMs`, each later one
     * after twice as long, up to `mostMs`. The delay starts anew at `firstMs` once the container has run for `calmMs`.
     */
    again: { firstMs: 1 * SECOND_MS, mostMs: 5 * MINUTE_MS, calmMs: 1 * MINUTE_MS },
  },

  /** Size of a volume in GB. Nothing enforces it on a folder. */
  volume: { sizeGb: { min: 0, max: 4000 } },
  registryAuth: { fieldLength: 4096 },
  /** Characters. */
  secret: { nameLength: 191, valueLength: 65_536, descriptionLength: 1000 },
  /** SSH keys of the person, in the form of authorized_keys. */
  account: { pubKeyLength: 64 * KIB },
} as const;
