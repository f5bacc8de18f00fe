/** The procedures about Pods, and what the page is told of them together. */
import { AppError } from '#contract/errors.ts';
import type { PodFacts } from '#contract/pod.ts';
import type { PodChoices, podContract, PodsNow } from '#contract/podBridge.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { ComputeApi, Directory } from '../directory.ts';

async function podsNow({ pods, machine }: ComputeApi): Promise<PodsNow> {
  const [list, computer] = await Promise.all([pods.list(), machine?.get() ?? null]);
  /** One that was deleted since the list was read hides none of the others. */
  const factsOf = async (id: string): Promise<PodFacts | null> => {
    try {
      return (await pods.facts?.(id)) ?? null;
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === 'NOT_FOUND') return null;
      throw thrown;
    }
  };
  const newestFirst = list.toSorted((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
  return {
    rows: await Promise.all(newestFirst.map(async (pod) => ({ pod, facts: await factsOf(pod.id) }))),
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
    create: pods.create.handler(({ input }) => of(input.accountId).create(input.pod)),
    update: pods.update.handler(({ input }) => of(input.accountId).update(input.podId, input.change)),
    act: pods.act.handler(({ input }) => of(input.accountId).act(input.podId, input.action)),
    remove: pods.remove.handler(({ input }) => of(input.accountId).remove(input.podId)),
  };
}
