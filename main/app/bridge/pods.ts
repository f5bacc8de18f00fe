/** The procedures about Pods, and the list of Pods of all accounts. */
import type { PodChoices, podContract, PodRow, PodsNow } from '#contract/bridge/pod.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { ComputeApi, Directory } from '../services/directory.ts';

/** A Pod without a creation time counts as the oldest. */
const madeAt = ({ pod }: PodRow): number => Date.parse(pod.createdAt) || 0;

export async function podsNow({ pods, machine }: ComputeApi): Promise<PodsNow> {
  const [{ rows, factsProblem }, computer] = await Promise.all([pods.rows(), machine?.get() ?? null]);
  return {
    rows: rows.toSorted((a, b) => madeAt(b) - madeAt(a)),
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

export function bindPods(
  pods: ImplementerInternalWithMiddlewares<typeof podContract, object, object>,
  directory: Directory,
) {
  const of = (accountId: string) => directory.compute(accountId).pods;
  return {
    now: pods.now.handler(({ input }) => podsNow(directory.compute(input.accountId))),
    choices: pods.choices.handler(({ input }) => podChoices(directory.compute(input.accountId))),
    gpuTypes: pods.gpuTypes.handler(({ input }) => of(input.accountId).gpuTypes()),
    create: pods.create.handler(({ input }) => of(input.accountId).create(input.pod)),
    update: pods.update.handler(({ input }) => of(input.accountId).update(input.podId, input.change)),
    act: pods.act.handler(({ input }) => of(input.accountId).act(input.podId, input.action)),
    remove: pods.remove.handler(({ input }) => of(input.accountId).remove(input.podId)),
  };
}
