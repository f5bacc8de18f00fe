/**
 * Reads what the menu of the tray shows besides the activity: the queue, the load of the GPUs, and the running Pods.
 */
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';
import { costPerHourNow } from '#contract/app/podCost.ts';
import type { PodRow } from '#contract/bridge/pod.ts';
import type { MachineGpu } from '#contract/local/machine.ts';
import type { Logger } from 'pino';
import { messageOf } from '#contract/core/errors.ts';
import type { Clock } from '../../../../app/platform/clock.ts';
import type { AppClient } from '../../service.ts';
import { poll } from '../poll.ts';

/** The load of this computer. */
export interface Load {
  /** Jobs that wait, of all endpoints. */
  readonly queued: number;
  /** The load of the busiest GPU; null if none is measured. */
  readonly gpuPercent: number | null;
  /** False after a read found no GPU. GPUs are not read again then. */
  readonly hasGpus: boolean;
}

export interface RunningPod {
  readonly accountId: string;
  readonly accountName: string;
  readonly podId: string;
  readonly name: string;
  /** US dollars per hour at this moment; 0 without a price, and while nothing is billed. */
  readonly costPerHr: number;
  /** The service refuses to stop it. */
  readonly isLocked: boolean;
  /** The path of a volume that is kept when it stops; null without one. */
  readonly volumePath: string | null;
}

export interface TrayFacts {
  readonly load: Load;
  readonly pods: readonly RunningPod[];
}

export const noFacts: TrayFacts = { load: { queued: 0, gpuPercent: null, hasGpus: true }, pods: [] };

/** Longer than an engine measures its GPUs often after a request, so that the tray costs little. */
const LOAD_MS = 10_000;
/** Clouds limit their requests. */
const PODS_MS = 60_000;

/** The part of the app that is read. */
export interface FactsSource {
  endpoints(): Promise<readonly { readonly id: string }[]>;
  /** The jobs of an endpoint that wait. */
  queued(endpointId: string): Promise<number>;
  gpus(): Promise<readonly Pick<MachineGpu, 'load'>[]>;
  accounts(): Promise<readonly Account[]>;
  podsOf(accountId: string): Promise<readonly PodRow[]>;
}

export const sourceOf = (client: AppClient): FactsSource => ({
  endpoints: () => client.endpoints.list({ accountId: THIS_MACHINE }),
  queued: async (endpointId) => (await client.endpoints.health({ accountId: THIS_MACHINE, endpointId })).jobs.inQueue,
  gpus: async () => (await client.machine.get({ accountId: THIS_MACHINE })).gpus,
  accounts: () => client.accounts.list(),
  podsOf: async (accountId) => (await client.pods.now({ accountId })).rows,
});

/** Rejects if this computer does not answer. */
export async function readLoad(source: FactsSource, { hasGpus }: Load): Promise<Load> {
  const [endpoints, gpus] = await Promise.all([source.endpoints(), hasGpus ? source.gpus() : []]);
  const queued = await Promise.all(endpoints.map(({ id }) => source.queued(id)));
  const loads = gpus.flatMap(({ load }) => load?.utilPercent ?? []);
  return {
    queued: queued.reduce((sum, count) => sum + count, 0),
    gpuPercent: loads.length === 0 ? null : Math.round(Math.max(...loads)),
    hasGpus: gpus.length > 0,
  };
}

function runningPod(account: Account, row: PodRow): RunningPod {
  const { pod } = row;
  const hasVolume = pod.networkVolumeId !== null || pod.volumeInGb > 0;
  return {
    accountId: account.id,
    accountName: account.name,
    podId: pod.id,
    name: pod.name || pod.id,
    costPerHr: costPerHourNow(row),
    isLocked: pod.locked,
    volumePath: hasVolume ? pod.volumeMountPath : null,
  };
}

/** The running Pods of all accounts. Those of an account that does not answer stay as they were in `last`. */
export async function readPods(
  source: FactsSource,
  last: readonly RunningPod[],
  logger: Logger,
): Promise<readonly RunningPod[]> {
  async function podsOf(account: Account): Promise<readonly RunningPod[]> {
    try {
      const rows = await source.podsOf(account.id);
      return rows.filter(({ pod }) => pod.desiredStatus === 'RUNNING').map((row) => runningPod(account, row));
    } catch (thrown) {
      // An account that cannot be reached has a notice of its own. Its Pods still cost money.
      logger.debug({ accountId: account.id, reason: messageOf(thrown) }, 'the Pods of an account could not be read');
      return last.filter(({ accountId }) => accountId === account.id);
    }
  }
  const managed = (await source.accounts()).filter(({ capabilities }) => capabilities.includes('management'));
  return (await Promise.all(managed.map(podsOf))).flat();
}

export interface TrayFactsWatch {
  /** Reads everything at once, for example after the start of the app. */
  refresh(): void;
  stop(): void;
}

/** `source` answers null while the app is not running. */
export function watchTrayFacts(
  source: () => FactsSource | null,
  onChange: (facts: TrayFacts) => void,
  { clock, logger }: { clock: Clock; logger: Logger },
): TrayFactsWatch {
  let facts = noFacts;
  const note = (part: Partial<TrayFacts>): void => {
    facts = { ...facts, ...part };
    onChange(facts);
  };
  const load = poll({
    first: facts.load,
    async read(last) {
      const current = source();
      return current === null ? last : readLoad(current, last);
    },
    onChange: (next) => note({ load: next }),
    everyMs: LOAD_MS,
    clock,
    logger,
  });
  const pods = poll({
    first: facts.pods,
    async read(last) {
      const current = source();
      return current === null ? last : readPods(current, last, logger);
    },
    onChange: (next) => note({ pods: next }),
    everyMs: PODS_MS,
    clock,
    logger,
  });
  return {
    refresh() {
      load.refresh();
      pods.refresh();
    },
    stop() {
      load.stop();
      pods.stop();
    },
  };
}
