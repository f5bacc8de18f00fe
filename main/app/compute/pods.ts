/** Pods of an account over HTTP, and the GPU types that they can have. */
import { AppError } from '#contract/errors.ts';
import { graphqlAnswerSchema } from '#contract/graphql.ts';
import { podFactsSchema, podSchema, type Pod, type PodCreate, type PodFacts, type PodUpdate } from '#contract/pod.ts';
import { podChoicesSchema, type GpuOffer, type PodAction } from '#contract/podBridge.ts';
import * as z from 'zod';
import { readJson } from './answers.ts';
import type { Outbound } from './outbound.ts';

export interface PodsApi {
  list(): Promise<Pod[]>;
  create(pod: PodCreate): Promise<Pod>;
  update(id: string, change: PodUpdate): Promise<Pod>;
  act(id: string, action: PodAction): Promise<Pod>;
  remove(id: string): Promise<void>;
  /** Null where the account is not a machine of ours. */
  facts: ((id: string) => Promise<PodFacts>) | null;
  gpuTypes(): Promise<GpuOffer[]>;
}

const gpuTypesQuery = `query GpuTypes {
  gpuTypes {
    id displayName manufacturer memoryInGb cudaCores secureCloud communityCloud securePrice communityPrice maxGpuCount
    lowestPrice(input: { gpuCount: 1 }) { uninterruptablePrice stockStatus availableGpuCounts totalCount rentedCount }
  }
}`;
const gpuTypesAnswer = z.object({ gpuTypes: podChoicesSchema.shape.gpuTypes });

export function createPodsApi(
  { management: outbound, graphql }: { management: Outbound; graphql: Outbound },
  hasLocal: boolean,
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

  return {
    list: () => send('GET', '/v1/pods', z.array(podSchema)),
    create: (given) => send('POST', '/v1/pods', podSchema, given),
    update: (id, change) => send('PATCH', pod(id), podSchema, change),
    act: (id, action) => send('POST', `${pod(id)}/${action}`, podSchema),
    async remove(id) {
      await outbound.send({ method: 'DELETE', path: pod(id) });
    },
    facts: hasLocal ? (id) => send('GET', `/local/v1/pods/${encodeURIComponent(id)}`, podFactsSchema) : null,
    async gpuTypes() {
      const body = JSON.stringify({ query: gpuTypesQuery });
      const text = await graphql.send({ method: 'POST', path: '/graphql', body });
      const answer = readJson('graphql', text, graphqlAnswerSchema);
      const [first] = answer.errors ?? [];
      if (first) throw new AppError('UPSTREAM', first.message);
      return readJson('gpuTypes', JSON.stringify(answer.data), gpuTypesAnswer).gpuTypes;
    },
  };
}
