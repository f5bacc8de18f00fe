/** Finds out how a Pod is reached, from whatever its account tells. */
import { AppError } from '#contract/core/errors.ts';
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
    .nullish(),
});

export interface PodWays {
  /** Rejects with AppError: NOT_FOUND where there is no such Pod. */
  of(accountId: string, podId: string): Promise<SshWays>;
  /** The better one. Rejects with SshFailure. */
  best(accountId: string, podId: string): Promise<{ way: 'direct' | 'proxy'; to: SshWay }>;
  /** For files, which go over that one alone. Rejects with AppError. */
  direct(accountId: string, podId: string): Promise<SshWay>;
}

/** Away for now, unlike what it refuses. */
const PASSING = ['UNAVAILABLE', 'UPSTREAM', 'UPSTREAM_TIMEOUT', 'TOO_MANY_REQUESTS'];

export function createPodWays(directory: Pick<Directory, 'compute' | 'get'>): PodWays {
  /** Null where the account has no GraphQL, or that tells nothing: REST alone is heeded then. */
  async function placeOf(accountId: string, podId: string): Promise<PodPlace | null> {
    try {
      const { data } = await directory.compute(accountId).graphql.ask(placeQuery, { podId });
      const { pod } = placeAnswer.parse(data);
      if (!pod) return null;
      const sshd = pod.runtime?.ports?.find(
        (port) => port.isIpPublic && port.privatePort === 22 && port.type === 'tcp',
      );
      return {
        podHostId: pod.machine?.podHostId ?? null,
        direct: sshd ? { ip: sshd.ip, port: sshd.publicPort } : null,
      };
    } catch {
      return null;
    }
  }

  async function inspect(accountId: string, podId: string): Promise<{ ways: SshWays; runs: boolean }> {
    const pod = (await directory.compute(accountId).pods.list()).find(({ id }) => id === podId);
    if (!pod) throw new AppError('NOT_FOUND', 'The Pod is not there any more.');
    const runs = pod.desiredStatus === 'RUNNING';
    const place = runs && !reportsRoutes(pod) ? await placeOf(accountId, podId) : null;
    return { ways: waysOf(pod, place, proxyOf(directory.get(accountId).address)), runs };
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
      const message = 'The Pod is reached through the proxy alone, which carries no files. Add 22/tcp to its ports.';
      throw new AppError('BAD_REQUEST', message);
    },
  };
}
