/** Pods in the description's dialect: REST v1, with GraphQL for their current load and for GPU types. */
import { AppError, isUnsupported, toAppError } from '#contract/core/errors.ts';
import { parseJsonOrNull } from '#contract/core/jsonScanner.ts';
import { podMetricsSchema, podPortCheckSchema } from '#contract/local/podMetrics.ts';
import { podSshSchema } from '#contract/local/ssh/podSsh.ts';
import { podChangeSchema, podEventSchema } from '#contract/local/podEvent.ts';
import { autoStopSchema } from '#contract/api/autoStop.ts';
import { podFactsSchema, type Pod, type PodFacts } from '#contract/api/pod.ts';
import { lenientGpuTypeSchema, lenientPodFactsSchema, lenientPodSchema } from '#contract/api/lenient.ts';
import * as z from 'zod';
import { readJson } from '../http/parsers.ts';
import { readEvents } from '../http/serverEvents.ts';
import { afterChange } from '../../platform/partialChange.ts';
import type { GraphqlApi } from '../graphql.ts';
import type { Outbound } from '../http/outbound.ts';
import type { PodsApi } from '../pods.ts';

const gpuTypesQuery = `query GpuTypes {
  gpuTypes {
    id displayName manufacturer memoryInGb cudaCores secureCloud communityCloud securePrice communityPrice maxGpuCount
    lowestPrice(input: { gpuCount: 1 }) {
      uninterruptablePrice minimumBidPrice stockStatus availableGpuCounts totalCount rentedCount
    }
  }
}`;
const NO_CHANGES = 'REST v1 does not report changes of Pods.';
const NO_EVENTS = 'REST v1 does not report what happened to a Pod.';
const NO_METRICS = 'REST v1 does not keep the load of a Pod over time.';
const NO_PORT_CHECK = 'REST v1 does not check the ports of a Pod. Open its address.';
const NO_AUTO_STOP = 'REST v1 does not stop Pods by itself.';
const OLD_AUTO_STOP = 'The Hangar of this account is too old to stop Pods by itself. Update it.';
const NO_SSH = 'REST v1 does not serve SSH. Use the SSH server of the Pod itself.';
const sshAnswer = z.looseObject({ ssh: z.looseObject({ keys: z.array(z.string()) }) });
const OLD_METRICS = 'The Hangar of this account is too old to keep the load of its Pods. Update it.';
const runtimesQuery = `query Runtimes {
  myself {
    pods {
      id
      runtime {
        uptimeInSeconds
        ports { ip isIpPublic privatePort publicPort type }
        gpus { id gpuUtilPercent memoryUtilPercent }
        container { cpuPercent memoryPercent }
      }
    }
  }
}`;
const gpuTypesAnswer = z.object({ gpuTypes: z.array(lenientGpuTypeSchema) });
const runtimesAnswer = z.object({ myself: z.object({ pods: z.array(lenientPodFactsSchema) }) });

/** Live answers and the description have different names for the image, and different forms of times. */
const podV1Schema = lenientPodSchema.transform((pod): Pod => {
  const createdAt = Date.parse(pod.createdAt);
  return {
    ...pod,
    image: pod.image || pod.imageName,
    imageName: pod.imageName || pod.image,
    createdAt: Number.isNaN(createdAt) ? pod.createdAt : new Date(createdAt).toISOString(),
    gpuCount: pod.gpuCount || (pod.gpu?.count ?? 0),
    publicIp: pod.publicIp === '' ? null : pod.publicIp,
  };
});

/** The address at which a browser on this machine opens an http port of a Pod elsewhere. */
export type PodTunnelAddress = (podId: string, port: number) => Promise<string>;

/** The facts with addresses that a browser on this machine can open: those of the engine name the engine's own machine. */
async function throughTunnel(facts: PodFacts, podId: string, tunnel: PodTunnelAddress): Promise<PodFacts> {
  const ports = Object.keys(facts.httpAddresses);
  const addresses = await Promise.all(ports.map(async (port) => [port, await tunnel(podId, Number(port))] as const));
  return { ...facts, httpAddresses: Object.fromEntries(addresses) };
}

/** `tunnel`: null for this machine, and for accounts that are no engine of Hangar. */
export function createPodsV1(
  outbound: Outbound,
  graphql: GraphqlApi,
  hasLocal: boolean,
  tunnel: PodTunnelAddress | null,
): PodsApi {
  const pod = (id: string): string => `/v1/pods/${encodeURIComponent(id)}`;
  const send = async <S extends z.ZodType>(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    schema: S,
    body?: unknown,
  ): Promise<z.output<S>> => {
    const text = await outbound.send({ method, path, ...(body !== undefined && { body: JSON.stringify(body) }) });
    return readJson(path, text, schema);
  };
  const list = (): Promise<Pod[]> => send('GET', '/v1/pods', z.array(podV1Schema));

  /** A Pod that was deleted after the list was read hides no other Pod. */
  async function localFacts(id: string): Promise<PodFacts | null> {
    try {
      const facts = await send('GET', `/local/v1/pods/${encodeURIComponent(id)}`, podFactsSchema);
      return tunnel === null ? facts : await throughTunnel(facts, id, tunnel);
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === 'NOT_FOUND') return null;
      throw thrown;
    }
  }

  /**
   * The current load of Pods, by their ids. Only GraphQL has it: if that fails, the list has no load, and `problem`
   * says why.
   */
  async function runtimes(): Promise<{ factsOf: Map<string, PodFacts>; problem: string | null }> {
    try {
      const { myself } = await graphql.read('runtimes', runtimesQuery, {}, runtimesAnswer);
      return { factsOf: new Map(myself.pods.map((facts) => [facts.id, facts])), problem: null };
    } catch (thrown) {
      return { factsOf: new Map(), problem: isUnsupported(thrown) ? null : toAppError(thrown).message };
    }
  }

  return {
    lacks: hasLocal
      ? []
      : [
          { what: 'logs', reason: 'REST v1 does not report the log of a Pod. Open a terminal in it.' },
          { what: 'events', reason: NO_EVENTS },
          { what: 'metrics', reason: NO_METRICS },
        ],
    list,
    async rows() {
      if (hasLocal) {
        const readRow = async (one: Pod) => ({ pod: one, facts: await localFacts(one.id) });
        return { rows: await Promise.all((await list()).map(readRow)), factsProblem: null };
      }
      const [pods, { factsOf, problem }] = await Promise.all([list(), runtimes()]);
      return { rows: pods.map((one) => ({ pod: one, facts: factsOf.get(one.id) ?? null })), factsProblem: problem };
    },
    create: (input) => send('POST', '/v1/pods', podV1Schema, input),
    update: (id, change) => send('PATCH', pod(id), podV1Schema, change),
    // The description shows no answer to actions: if there is none, the Pod is read again.
    async act(id, action) {
      const text = await outbound.send({ method: 'POST', path: `${pod(id)}/${action}` });
      const answer = podV1Schema.safeParse(parseJsonOrNull(text));
      if (answer.success) return answer.data;
      const state = `The Pod was asked to ${action}, but could not be read again.`;
      return afterChange(state, () => send('GET', pod(id), podV1Schema));
    },
    async remove(id) {
      await outbound.send({ method: 'DELETE', path: pod(id) });
    },
    async *changes(signal) {
      if (!hasLocal) throw new AppError('UNSUPPORTED', NO_CHANGES);
      const pieces = outbound.events({ path: '/local/v1/pods/events', signal });
      for await (const text of readEvents(pieces)) yield readJson('pods/events', text, podChangeSchema).podId;
    },
    async events(id) {
      if (!hasLocal) throw new AppError('UNSUPPORTED', NO_EVENTS);
      return send('GET', `/local/v1/pods/${encodeURIComponent(id)}/events`, z.array(podEventSchema));
    },
    async changeAutoStop(id, change) {
      if (!hasLocal) throw new AppError('UNSUPPORTED', NO_AUTO_STOP);
      try {
        return await send('PATCH', `/local/v1/pods/${encodeURIComponent(id)}/auto-stop`, autoStopSchema, change);
      } catch (thrown) {
        if (!isUnsupported(thrown)) throw thrown;
        throw new AppError('UNSUPPORTED', OLD_AUTO_STOP, { cause: thrown });
      }
    },
    async checkPort(id, port, path) {
      if (!hasLocal) throw new AppError('UNSUPPORTED', NO_PORT_CHECK);
      const query = new URLSearchParams({ path });
      const place = `/local/v1/pods/${encodeURIComponent(id)}/ports/${encodeURIComponent(port)}/check?${query}`;
      return send('GET', place, podPortCheckSchema);
    },
    async metrics(id, period) {
      if (!hasLocal) throw new AppError('UNSUPPORTED', NO_METRICS);
      try {
        const path = `/local/v1/pods/${encodeURIComponent(id)}/metrics?period=${period}`;
        return await send('GET', path, podMetricsSchema);
      } catch (thrown) {
        if (!isUnsupported(thrown)) throw thrown;
        throw new AppError('UNSUPPORTED', OLD_METRICS, { cause: thrown });
      }
    },
    async connectPort(id, port, signal) {
      if (!hasLocal) throw new AppError('UNSUPPORTED', NO_SSH);
      return outbound.socket({ path: `/local/v1/pods/${encodeURIComponent(id)}/ports/${port}/connect`, signal });
    },
    async ssh(id) {
      if (!hasLocal) throw new AppError('UNSUPPORTED', NO_SSH);
      return send('GET', `/local/v1/pods/${encodeURIComponent(id)}/ssh`, podSshSchema);
    },
    async allowKey(line) {
      if (!hasLocal) throw new AppError('UNSUPPORTED', NO_SSH);
      const { ssh } = await send('GET', '/local/v1/settings', sshAnswer);
      const keys = [...new Set([...ssh.keys, line])];
      await send('PATCH', '/local/v1/settings', sshAnswer, { ssh: { keys } });
    },
    async gpuTypes() {
      return (await graphql.read('gpuTypes', gpuTypesQuery, {}, gpuTypesAnswer)).gpuTypes;
    },
  };
}
