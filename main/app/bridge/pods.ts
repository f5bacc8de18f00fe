/** The procedures about Pods, and the list of Pods of all accounts. */
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { AutoStop, AutoStopChange } from '#contract/api/autoStop.ts';
import type { PodEvent } from '#contract/local/podEvent.ts';
import type { PodAutoStop, PodChoices, podContract, PodRow, PodsNow } from '#contract/bridge/pod.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import { isUnsupported } from '#contract/core/errors.ts';
import type { AutoStops } from '../autoStop/autoStops.ts';
import type { PodsApi } from '../compute/pods.ts';
import { afterChange } from '../platform/partialChange.ts';
import type { ComputeApi, Directory } from '../services/directory.ts';

/** A Pod without a creation time counts as the oldest. */
const madeAt = ({ pod }: PodRow): number => Date.parse(pod.createdAt) || 0;

type StateOf = (row: PodRow) => AutoStop | undefined;

/** An engine of Hangar tells itself when a Pod stops by itself; for other accounts this app does it. */
const withAutoStop =
  ({ local }: Pick<ComputeApi, 'local'>, stateOf: StateOf) =>
  (row: PodRow): PodRow => {
    const autoStop = local === null ? stateOf(row) : row.facts?.autoStop;
    return autoStop === undefined ? row : { ...row, autoStop };
  };

export async function podsNow(compute: ComputeApi, stateOf: StateOf): Promise<PodsNow> {
  const { pods, machine } = compute;
  const [{ rows, factsProblem }, computer] = await Promise.all([pods.rows(), machine?.get() ?? null]);
  return {
    rows: rows.map(withAutoStop(compute, stateOf)).toSorted((a, b) => madeAt(b) - madeAt(a)),
    factsProblem,
    lacks: [...pods.lacks],
    containerProblem: computer && !computer.containers.available ? computer.containers.problem : null,
  };
}

async function podChoices({ pods, management }: ComputeApi): Promise<PodChoices> {
  const named = ({ id, name }: { id: string; name: string }) => ({ id, name });
  const [templates, volumes, registryAuths, gpuTypes] = await Promise.all([
    management.templates(),
    management.volumes(),
    management.registryAuths(),
    pods.gpuTypes(),
  ]);
  return {
    templates: templates.filter(({ isServerless }) => !isServerless),
    volumes: volumes.map(named),
    registryAuths: registryAuths.map(named),
    gpuTypes,
    lacks: [...pods.lacks],
  };
}

/** Asks the account for the change; this app holds the rules of an account that is no engine of Hangar. */
const changeAutoStop = (
  { local, pods }: ComputeApi,
  autoStops: PodParts['autoStops'],
  { accountId, podId, change }: { accountId: string; podId: string; change: AutoStopChange },
): Promise<AutoStop> =>
  local === null ? autoStops.change(accountId, podId, change) : pods.changeAutoStop(podId, change);

/** The Pods with rules of all accounts. Those of an engine that cannot be reached are left out. */
async function listAutoStops(directory: Directory, autoStops: PodParts['autoStops']): Promise<PodAutoStop[]> {
  const engines = directory
    .list()
    .filter(({ id, kind, state }) => kind === 'engine' && (id === THIS_MACHINE || state === 'ok'));
  const ofEngines = engines.map(async ({ id: accountId }): Promise<PodAutoStop[]> => {
    try {
      const { rows } = await directory.compute(accountId).pods.rows();
      return rows.flatMap(({ pod, facts }) =>
        facts?.autoStop ? [{ accountId, podId: pod.id, podName: pod.name, autoStop: facts.autoStop }] : [],
      );
    } catch {
      // An account that cannot be reached has a notice of its own.
      return [];
    }
  });
  const all = [...autoStops.list(), ...(await Promise.all(ofEngines)).flat()];
  return all.filter(({ autoStop: { rules } }) => rules.idleMinutes !== null || rules.spendUsd !== null);
}

/** The account's own events; what this app did to the Pod if the account keeps none. */
async function eventsOf(pods: PodsApi, podId: string, ofApp: readonly PodEvent[] | null): Promise<PodEvent[]> {
  try {
    return await pods.events(podId);
  } catch (thrown) {
    if (!isUnsupported(thrown) || ofApp === null) throw thrown;
    return [...ofApp];
  }
}

interface PodParts {
  directory: Directory;
  /** Stops Pods of accounts by their rules. */
  autoStops: Pick<AutoStops, 'change' | 'stateOf' | 'list' | 'eventsOf'>;
  lifeOf: (signal: AbortSignal | undefined) => AbortSignal;
  translated: <T>(events: AsyncGenerator<T, void, void>) => AsyncGenerator<T, void, void>;
}

export function bindPods(
  pods: ImplementerInternalWithMiddlewares<typeof podContract, object, object>,
  { directory, autoStops, lifeOf, translated }: PodParts,
  /** Ends what the app has open into a Pod that was deleted. */
  onRemove: (accountId: string, podId: string) => Promise<void>,
) {
  const of = (accountId: string) => directory.compute(accountId).pods;
  return {
    now: pods.now.handler(({ input }) =>
      podsNow(directory.compute(input.accountId), (row) => autoStops.stateOf(input.accountId, row)),
    ),
    samples: pods.samples.handler(({ input: { accountId, everyMs }, signal }) =>
      translated(of(accountId).samples(everyMs, lifeOf(signal))),
    ),
    choices: pods.choices.handler(({ input }) => podChoices(directory.compute(input.accountId))),
    gpuTypes: pods.gpuTypes.handler(({ input }) => of(input.accountId).gpuTypes()),
    create: pods.create.handler(async ({ input: { accountId, pod, autoStop: change } }) => {
      const compute = directory.compute(accountId);
      const made = await compute.pods.create(pod);
      if (change === undefined) return made;
      const state = `The Pod "${made.name}" was created, but its automatic stop is not set. Set it in its settings.`;
      await afterChange(state, () => changeAutoStop(compute, autoStops, { accountId, podId: made.id, change }));
      return made;
    }),
    changeAutoStop: pods.changeAutoStop.handler(({ input }) =>
      changeAutoStop(directory.compute(input.accountId), autoStops, input),
    ),
    changeLimits: pods.changeLimits.handler(({ input }) => of(input.accountId).changeLimits(input.podId, input.change)),
    autoStops: pods.autoStops.handler(() => listAutoStops(directory, autoStops)),
    update: pods.update.handler(({ input }) => of(input.accountId).update(input.podId, input.change)),
    act: pods.act.handler(({ input }) => of(input.accountId).act(input.podId, input.action)),
    events: pods.events.handler(({ input: { accountId, podId } }) =>
      eventsOf(of(accountId), podId, autoStops.eventsOf(accountId, podId)),
    ),
    checkPort: pods.checkPort.handler(({ input: { accountId, podId, port, path } }) =>
      of(accountId).checkPort(podId, port, path),
    ),
    metrics: pods.metrics.handler(({ input }) => of(input.accountId).metrics(input.podId, input.period)),
    remove: pods.remove.handler(async ({ input: { accountId, podId } }) => {
      await of(accountId).remove(podId);
      await onRemove(accountId, podId);
    }),
  };
}
