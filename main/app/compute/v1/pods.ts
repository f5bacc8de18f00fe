/** Pods in the description's dialect: REST v1, with GraphQL for what they do just now and for GPU types. */
import { AppError } from '#contract/core/errors.ts';
import { podFactsSchema, type Pod, type PodFacts } from '#contract/api/pod.ts';
import { toldGpuTypeSchema, toldPodFactsSchema, toldPodSchema } from '#contract/api/lenient.ts';
import * as z from 'zod';
import { readJson } from '../http/parsers.ts';
import type { GraphqlApi } from '../graphql.ts';
import type { Outbound } from '../http/outbound.ts';
import type { PodsApi } from '../pods.ts';

const gpuTypesQuery = `query GpuTypes {
  gpuTypes {
    id displayName manufacturer memoryInGb cudaCores secureCloud communityCloud securePrice communityPrice maxGpuCount
    lowestPrice(input: { gpuCount: 1 }) { uninterruptablePrice stockStatus availableGpuCounts totalCount rentedCount }
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
const gpuTypesAnswer = z.object({ gpuTypes: z.array(toldGpuTypeSchema) });
const runtimesAnswer = z.object({ myself: z.object({ pods: z.array(toldPodFactsSchema) }) });

/** Live answers and the description name the image differently, and write times in words of their own. */
const podV1Schema = toldPodSchema.transform((pod): Pod => {
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

export function createPodsV1(outbound: Outbound, graphql: GraphqlApi, hasLocal: boolean): PodsApi {
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

  /** One that was deleted since the list was read hides none of the others. */
  async function localFacts(id: string): Promise<PodFacts | null> {
    try {
      return await send('GET', `/local/v1/pods/${encodeURIComponent(id)}`, podFactsSchema);
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === 'NOT_FOUND') return null;
      throw thrown;
    }
  }

  /** Fields that only GraphQL has are optional: Pods are listed without them where GraphQL fails. */
  async function runtimes(): Promise<Map<string, PodFacts>> {
    try {
      const { data } = await graphql.ask(runtimesQuery, {});
      const { pods } = runtimesAnswer.parse(data).myself;
      return new Map(pods.map((facts) => [facts.id, facts]));
    } catch {
      return new Map();
    }
  }

  return {
    lacks: [
      {
        what: 'logs',
        reason: hasLocal
          ? 'An engine of Hangar keeps no log of a Pod: look into it in a terminal.'
          : 'REST v1 does not tell what a Pod writes: look into it in a terminal.',
      },
    ],
    list,
    async rows() {
      if (hasLocal)
        return Promise.all((await list()).map(async (one) => ({ pod: one, facts: await localFacts(one.id) })));
      const [pods, factsOf] = await Promise.all([list(), runtimes()]);
      return pods.map((one) => ({ pod: one, facts: factsOf.get(one.id) ?? null }));
    },
    create: (input) => send('POST', '/v1/pods', podV1Schema, input),
    update: (id, change) => send('PATCH', pod(id), podV1Schema, change),
    // The description shows no answer to actions, so that the Pod is read where there is none.
    async act(id, action) {
      const text = await outbound.send({ method: 'POST', path: `${pod(id)}/${action}` });
      const isPod = text.trimStart().startsWith('{') && toldPodSchema.safeParse(JSON.parse(text)).success;
      return isPod ? readJson(action, text, podV1Schema) : send('GET', pod(id), podV1Schema);
    },
    async remove(id) {
      await outbound.send({ method: 'DELETE', path: pod(id) });
    },
    async gpuTypes() {
      const { data, errors } = await graphql.ask(gpuTypesQuery, {});
      if (errors[0]) throw new AppError('UPSTREAM', errors[0].message);
      return readJson('gpuTypes', JSON.stringify(data), gpuTypesAnswer).gpuTypes;
    },
  };
}
