/** Finds the SSH routes to a Pod in all APIs of its account. */
import { AppError, isUnsupported } from '#contract/core/errors.ts';
import type { SshWay, SshWays } from '#contract/app/ssh.ts';
import * as z from 'zod';
import type { Directory } from '../services/directory.ts';
import { SshFailure } from './failure.ts';
import { proxyOf, reportsRoutes, waysOf, type PodPlace } from './sshRoutes.ts';

const placeQuery = `query PodPlace($podId: String!) {
  pod(input: { podId: $podId }) {
    machine { podHostId }
    runtime { ports { ip isIpPublic privatePort publicPort type } }
  }
}`;
const placeAnswer = z.object({
  pod: z
    .object({
      machine: z.object({ podHostId: z.string().nullish() }).nullish(),
      runtime: z
        .object({
          ports: z
            .array(
              z.object({
                ip: z.string(),
                isIpPublic: z.boolean(),
                privatePort: z.int(),
                publicPort: z.int(),
                type: z.string(),
              }),
            )
            .nullish(),
        })
        .nullish(),
    })
    .nullable(),
});

export interface PodWays {
  /** Rejects with AppError: NOT_FOUND if there is no such Pod. */
  of(accountId: string, podId: string): Promise<SshWays>;
  /** The better route. Rejects with SshFailure. */
  best(accountId: string, podId: string): Promise<{ way: 'direct' | 'proxy'; to: SshWay }>;
  /** The direct route, which is the only one for files. Rejects with AppError. */
  direct(accountId: string, podId: string): Promise<SshWay>;
}

/** Temporary errors, unlike a refusal. */
const PASSING = ['UNAVAILABLE', 'UPSTREAM', 'UPSTREAM_TIMEOUT', 'TOO_MANY_REQUESTS'];

export function createPodWays(directory: Pick<Directory, 'compute' | 'get'>): PodWays {
  /**
   * The SSH data of a Pod in GraphQL; null if there is none, or if the account has no GraphQL. Rejects with AppError.
   */
  async function placeOf(accountId: string, podId: string): Promise<PodPlace | null> {
    const { graphql } = directory.compute(accountId);
    let pod: z.output<typeof placeAnswer>['pod'];
    try {
      ({ pod } = await graphql.read('PodPlace', placeQuery, { podId }, placeAnswer));
    } catch (thrown) {
      if (isUnsupported(thrown)) return null;
      throw thrown;
    }
    if (!pod) return null;
    const sshd = pod.runtime?.ports?.find((port) => port.isIpPublic && port.privatePort === 22 && port.type === 'tcp');
    return {
      podHostId: pod.machine?.podHostId ?? null,
      direct: sshd ? { ip: sshd.ip, port: sshd.publicPort } : null,
    };
  }

  async function inspect(accountId: string, podId: string): Promise<{ ways: SshWays; runs: boolean }> {
    const pod = (await directory.compute(accountId).pods.list()).find(({ id }) => id === podId);
    if (!pod) throw new AppError('NOT_FOUND', 'The Pod is not there any more.');
    const runs = pod.desiredStatus === 'RUNNING';
    const waysVia = (place: PodPlace | null): SshWays => waysOf(pod, place, proxyOf(directory.get(accountId).address));
    if (!runs || reportsRoutes(pod)) return { ways: waysVia(null), runs };
    try {
      return { ways: waysVia(await placeOf(accountId, podId)), runs };
    } catch (thrown) {
      // A route from REST is enough. Without one, this failure is the reason, not the Pod.
      const ways = waysVia(null);
      if (ways.direct === null) throw thrown;
      return { ways, runs };
    }
  }

  return {
    of: async (accountId, podId) => (await inspect(accountId, podId)).ways,
    async best(accountId, podId) {
      try {
        const { ways, runs } = await inspect(accountId, podId);
        if (!runs) throw new SshFailure('gone', 'The Pod is stopped. Start it, then open a terminal.');
        if (ways.direct !== null) return { way: 'direct', to: ways.direct };
        if (ways.proxy !== null) return { way: 'proxy', to: ways.proxy };
        throw new SshFailure('refused', ways.problem ?? 'The Pod has no SSH.');
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const kind = error.code === 'NOT_FOUND' ? 'gone' : PASSING.includes(error.code) ? 'lost' : 'refused';
        throw new SshFailure(kind, error.message);
      }
    },
    async direct(accountId, podId) {
      const { ways } = await inspect(accountId, podId);
      if (ways.direct !== null) return ways.direct;
      if (ways.proxy === null) throw new AppError('UNAVAILABLE', ways.problem ?? 'The Pod has no SSH.');
      const message =
        'The Pod is only reachable through the proxy, which does not transfer files. Add 22/tcp to its ports.';
      throw new AppError('BAD_REQUEST', message);
    },
  };
}
