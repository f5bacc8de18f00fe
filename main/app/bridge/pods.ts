/** The procedures about Pods, and the list of Pods of all accounts. */
import type { PodChoices, podContract, PodRow, PodsNow } from '#contract/bridge/pod.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import { toAppError, type AppError } from '#contract/core/errors.ts';
import type { PodsApi } from '../compute/pods.ts';
import { pause, type Clock } from '../platform/clock.ts';
import type { ComputeApi, Directory } from '../services/directory.ts';
import { createBell, PACE_MS } from './asyncSignal.ts';

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

/** The changes of Pods in batches, at a rate that a window can show. Ends with the stream of the account. */
export async function* watchPods(
  pods: Pick<PodsApi, 'changes'>,
  clock: Clock,
  stopped: AbortSignal,
): AsyncGenerator<{ podIds: string[] }, void, void> {
  const life = new AbortController();
  const signal = AbortSignal.any([life.signal, stopped]);
  const came = createBell(signal);
  const waiting = new Set<string | null>();
  const stream: { isOver: boolean; failure: AppError | null } = { isOver: false, failure: null };
  async function read(): Promise<void> {
    try {
      for await (const podId of pods.changes(signal)) {
        waiting.add(podId);
        came.ring();
      }
    } catch (thrown) {
      stream.failure = toAppError(thrown);
    } finally {
      stream.isOver = true;
      came.ring();
    }
  }
  const reading = read();
  try {
    while (!signal.aborted) {
      if (waiting.size > 0) {
        const podIds = waiting.has(null) ? [] : [...waiting].filter((podId) => podId !== null);
        waiting.clear();
        yield { podIds };
        await pause(clock, PACE_MS, signal);
      } else if (stream.failure) throw stream.failure;
      else if (stream.isOver) return;
      else await came.next();
    }
  } finally {
    life.abort();
    came.stop();
    await reading;
  }
}

interface Watching {
  clock: Clock;
  lifeOf: (signal: AbortSignal | undefined) => AbortSignal;
  translated: <T>(events: AsyncGenerator<T, void, void>) => AsyncGenerator<T, void, void>;
}

export function bindPods(
  pods: ImplementerInternalWithMiddlewares<typeof podContract, object, object>,
  directory: Directory,
  { clock, lifeOf, translated }: Watching,
) {
  const of = (accountId: string) => directory.compute(accountId).pods;
  return {
    now: pods.now.handler(({ input }) => podsNow(directory.compute(input.accountId))),
    choices: pods.choices.handler(({ input }) => podChoices(directory.compute(input.accountId))),
    gpuTypes: pods.gpuTypes.handler(({ input }) => of(input.accountId).gpuTypes()),
    create: pods.create.handler(({ input }) => of(input.accountId).create(input.pod)),
    update: pods.update.handler(({ input }) => of(input.accountId).update(input.podId, input.change)),
    act: pods.act.handler(({ input }) => of(input.accountId).act(input.podId, input.action)),
    changes: pods.changes.handler(({ input, signal }) =>
      translated(watchPods(of(input.accountId), clock, lifeOf(signal))),
    ),
    events: pods.events.handler(({ input }) => of(input.accountId).events(input.podId)),
    checkPort: pods.checkPort.handler(({ input: { accountId, podId, port, path } }) =>
      of(accountId).checkPort(podId, port, path),
    ),
    metrics: pods.metrics.handler(({ input }) => of(input.accountId).metrics(input.podId, input.period)),
    remove: pods.remove.handler(({ input }) => of(input.accountId).remove(input.podId)),
  };
}
