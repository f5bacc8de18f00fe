/** The requests that probe the capabilities of an account: read-only, one for each capability. */
import type { AccountCapability } from '#contract/app/account.ts';
import { AppError } from '#contract/core/errors.ts';
import type { Questions } from '../../accounts/probe.ts';
import type { ComputeApi } from '../../compute/computeApi.ts';

const HOUR_MS = 3_600_000;
/** No endpoint has this id: the answer "not found" shows that the key was accepted. */
const NO_ENDPOINT = 'hangar-probe';
const ONLY_ENGINES = 'Only Hangar engines report their machine.';
const OVER_SSH = 'It opens none itself. Hangar opens terminals into its Pods over SSH.';
const NOT_IN_V1 = 'REST v1 does not report this. REST v2 and Hangar engines do.';
const MINUTE_MS = 60_000;

/** Checks whether the account is reachable, with a request that its key was allowed in the last probe. */
export function askWhetherThere(
  { jobs, management }: Pick<ComputeApi, 'jobs' | 'management'>,
  capabilities: readonly AccountCapability[],
): Promise<unknown> {
  const knowsJobsAlone = capabilities.includes('jobs') && !capabilities.includes('management');
  return knowsJobsAlone ? jobs.health(NO_ENDPOINT) : management.endpoints();
}

export function questionsOf(compute: ComputeApi, now: number): Questions {
  const { jobs, management, pods, graphql, billing, workers, logs, local, machine, terminals } = compute;
  let listed: ReturnType<typeof management.endpoints> | null = null;
  const endpoints = () => (listed ??= management.endpoints());
  const hour = {
    startTime: new Date(now - HOUR_MS).toISOString(),
    endTime: new Date(now).toISOString(),
    bucketSize: 'hour',
  };

  async function health(): Promise<void> {
    const first = await endpoints().then(
      (list) => list[0]?.id,
      () => undefined,
    );
    try {
      await jobs.health(first ?? NO_ENDPOINT);
    } catch (thrown) {
      if (!(thrown instanceof AppError && thrown.code === 'NOT_FOUND')) throw thrown;
    }
  }
  async function account(): Promise<void> {
    const { errors } = await graphql.ask('query { myself { id } }', {});
    if (errors[0]) throw new AppError('UPSTREAM', errors[0].message);
  }
  /** Without an endpoint there is nothing to request: the dialect implies the capability. */
  async function ofFirst(): Promise<void> {
    const [first] = await endpoints();
    if (first) await workers?.lanes(first.id, MINUTE_MS);
  }

  return {
    jobs: health,
    management: endpoints,
    graphql: account,
    billing: () => billing.endpoints(hour, 'endpointId'),
    pods: () => pods.list(),
    // Elsewhere the log of a worker never ends: the list of its workers is the check.
    logs: logs === null ? { lacks: NOT_IN_V1 } : local ? () => logs.page({}, { limit: 1 }) : ofFirst,
    workers: workers === null ? { lacks: NOT_IN_V1 } : machine ? () => machine.workers() : ofFirst,
    terminals: terminals ? () => terminals.list() : { lacks: OVER_SSH },
    local: machine ? () => machine.facts() : { lacks: ONLY_ENGINES },
  };
}
