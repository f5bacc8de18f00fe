/** What an account is asked to find out what it can do: read-only calls, one for each capability. */
import { AppError } from '#contract/errors.ts';
import type { Question, Questions } from './accounts/probe.ts';
import type { ComputeApi } from './compute/capabilities.ts';

const HOUR_MS = 3_600_000;
/** Endpoints have other ids: that it is not known tells that the key was taken. */
const NO_ENDPOINT = 'hangar-probe';
const ONLY_ENGINES = 'Only an engine of Hangar has this.';

export function questionsOf(compute: ComputeApi, now: number): Questions {
  const { jobs, management, pods, graphql, billing, local, machine, terminals } = compute;
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
  const ofEngines = (ask: (() => Promise<unknown>) | null): Question => ask ?? { lacks: ONLY_ENGINES };

  return {
    jobs: health,
    management: endpoints,
    graphql: account,
    billing: () => billing.endpoints(hour, 'endpointId'),
    pods: () => pods.list(),
    logs: ofEngines(local && (() => local.logs({}, { limit: 1 }))),
    workers: ofEngines(machine && (() => machine.workers())),
    terminals: ofEngines(terminals && (() => terminals.list())),
    local: ofEngines(machine && (() => machine.facts())),
  };
}
