/** Pods in the description's dialect: REST v1, with GraphQL for their current load and for GPU types. */
import { AppError, isUnsupported, toAppError } from '#contract/core/errors.ts';
import { parseJsonOrNull } from '#contract/core/jsonScanner.ts';
import { podFactsSchema, type Pod, type PodFacts } from '#contract/api/pod.ts';
import { podsSampleSchema } from '#contract/local/changes/samples.ts';
import { lenientGpuTypeSchema, lenientPodFactsSchema, lenientPodSchema } from '#contract/api/lenient.ts';
import * as z from 'zod';
import { createSendJson } from '../http/jsonRequests.ts';
import { followLocal, samplesOf } from '../http/localEvents.ts';
import { afterChange } from '../../platform/partialChange.ts';
import type { GraphqlApi } from '../graphql.ts';
import type { Outbound } from '../http/outbound.ts';
import { createLocalPods, noLocalPods } from './localPods.ts';
import type { PodsApi } from '../pods.ts';

const NO_SAMPLES = 'REST v1 does not send the load of Pods.';
const gpuTypesQuery = `query GpuTypes {
  gpuTypes {
    id displayName manufacturer memoryInGb cudaCores secureCloud communityCloud securePrice communityPrice maxGpuCount
    lowestPrice(input: { gpuCount: 1 }) {
      uninterruptablePrice minimumBidPrice stockStatus availableGpuCounts totalCount rentedCount
    }
  }
}`;
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

/** An http port of a Pod, as its engine tells it. */
export interface PodHttpPort {
  podId: string;
  port: number;
  /** The address on the machine of the engine. */
  address: string;
  /** Whether the engine asks other machines for a key there, and keeps it from the Pod. */
  asksForKey: boolean;
}

/** The address at which a browser on this machine opens an http port of a Pod. */
export type PodTunnelAddress = (port: PodHttpPort) => Promise<string>;

/**
 * The facts with addresses that a browser on this machine can open: those of the engine name the engine's own machine.
 */
async function throughTunnel(facts: PodFacts, tunnel: PodTunnelAddress): Promise<PodFacts> {
  const asksForKey = facts.asksForKey === true;
  const addresses = await Promise.all(
    Object.entries(facts.httpAddresses).map(
      async ([port, address]) =>
        [port, await tunnel({ podId: facts.id, port: Number(port), address, asksForKey })] as const,
    ),
  );
  return { ...facts, httpAddresses: Object.fromEntries(addresses) };
}

/** `tunnel`: null for accounts that are no engine of Hangar. */
export function createPodsV1(
  outbound: Outbound,
  graphql: GraphqlApi,
  hasLocal: boolean,
  tunnel: PodTunnelAddress | null,
): PodsApi {
  const pod = (id: string): string => `/v1/pods/${encodeURIComponent(id)}`;
  const send = createSendJson(outbound);
  const list = (): Promise<Pod[]> => send('GET', '/v1/pods', z.array(podV1Schema));

  const asReachable = async (facts: PodFacts): Promise<PodFacts> =>
    tunnel === null ? facts : throughTunnel(facts, tunnel);

  /** A Pod that was deleted after the list was read hides no other Pod. */
  async function localFacts(id: string): Promise<PodFacts | null> {
    try {
      const facts = await send('GET', `/local/v1/pods/${encodeURIComponent(id)}`, podFactsSchema);
      return await asReachable(facts);
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
    ...(hasLocal ? createLocalPods(outbound) : noLocalPods),
    list,
    async rows() {
      if (hasLocal) {
        const readRow = async (one: Pod) => ({ pod: one, facts: await localFacts(one.id) });
        return { rows: await Promise.all((await list()).map(readRow)), factsProblem: null };
      }
      const [pods, { factsOf, problem }] = await Promise.all([list(), runtimes()]);
      return { rows: pods.map((one) => ({ pod: one, facts: factsOf.get(one.id) ?? null })), factsProblem: problem };
    },
    async *samples(everyMs, signal) {
      if (!hasLocal) throw new AppError('UNSUPPORTED', NO_SAMPLES);
      for await (const { pods } of followLocal(outbound, samplesOf('pods', everyMs, signal), podsSampleSchema))
        yield await Promise.all(pods.map(asReachable));
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
    async gpuTypes() {
      return (await graphql.read('gpuTypes', gpuTypesQuery, {}, gpuTypesAnswer)).gpuTypes;
    },
  };
}
