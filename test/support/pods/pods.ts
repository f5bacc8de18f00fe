/** Pods of a real engine over HTTP, on a container engine of the test's own. */
import { podFactsSchema, podSchema, type Pod, type PodFacts } from '#contract/api/pod.ts';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContainerInfo } from 'dockerode';
import type { TestContainerEngine } from '../containers/engine.ts';
import type { TestEngine } from '../engine/engine.ts';
import { messageOf, type Answer } from '../http/client.ts';
import { until } from '../core/until.ts';

export const SHELL_IMAGE = 'hangar-shell:1';

/** Runs until it is asked to end, and then ends at once. */
export const stays = (script = ':'): string[] => [
  '/bin/sh',
  '-c',
  `trap 'exit 0' TERM; ${script}; while :; do sleep 0.1; done`,
];

/**
 * A script that works without an end, with a rest after every few milliseconds: a load that can be measured, in each
 * short span, and that leaves the processor to the other tests.
 */
export const WORKS = 'while :; do n=0; while [ $n -lt 2000 ]; do n=$((n + 1)); done; sleep 0.01; done';

export interface PodsOf {
  /** A small Pod on the CPU that stays, unless the fields say otherwise. */
  make(fields?: object): Promise<Pod>;
  get(id: string, query?: string): Promise<Pod>;
  list(query?: string): Promise<Pod[]>;
  facts(id: string): Promise<PodFacts>;
  /** POST /v1/pods/{podId}/{action}. */
  act(id: string, action: 'start' | 'stop' | 'restart' | 'reset'): Promise<Pod>;
  change(id: string, fields: object): Promise<Pod>;
  delete(id: string): Promise<void>;
  /**
   * As it is once its container runs and nothing is done to it: after a change that makes the container anew, the old
   * one runs on for a while.
   */
  running(id: string): Promise<Pod>;
  untilFacts(id: string, what: string, are: (facts: PodFacts) => boolean): Promise<PodFacts>;
  /** All that there are. */
  deleteAll(): Promise<void>;
}

export function podsOf({ http }: Pick<TestEngine, 'http'>): PodsOf {
  const ok = (answer: Answer, status = 200): Answer => {
    if (answer.status !== status) throw new Error(`HTTP ${answer.status}: ${answer.text.slice(0, 500)}`);
    return answer;
  };
  const pods: PodsOf = {
    async make(fields) {
      const pod = { imageName: SHELL_IMAGE, dockerStartCmd: stays(), gpuCount: 0, ports: [], ...fields };
      return podSchema.parse(ok(await http.post('/v1/pods', pod), 201).json);
    },
    get: async (id, query = '') => podSchema.parse(ok(await http.get(`/v1/pods/${id}${query}`)).json),
    list: async (query = '') => podSchema.array().parse(ok(await http.get(`/v1/pods${query}`)).json),
    facts: async (id) => podFactsSchema.parse(ok(await http.get(`/local/v1/pods/${id}`)).json),
    act: async (id, action) => podSchema.parse(ok(await http.post(`/v1/pods/${id}/${action}`)).json),
    change: async (id, fields) => podSchema.parse(ok(await http.send('PATCH', `/v1/pods/${id}`, fields)).json),
    async delete(id) {
      ok(await http.send('DELETE', `/v1/pods/${id}`), 204);
    },
    untilFacts: (id, what, are) => until(what, () => pods.facts(id), are),
    async running(id) {
      return until(
        'the Pod to run',
        async () => ({ ...(await pods.facts(id)), pod: await pods.get(id) }),
        ({ runtime, preparing, pod }) => runtime !== null && preparing === null && pod.publicIp !== null && pod,
      );
    },
    async deleteAll() {
      const all = await pods.list();
      await Promise.all(
        all.map(async ({ id, locked }) => {
          if (locked) await pods.change(id, { locked: false });
          await pods.delete(id);
        }),
      );
    },
  };
  return pods;
}

/** A file in the volume of a Pod, as this machine sees it. */
export const volumeOf = ({ dataDir }: TestEngine, id: string, name: string): string => join(dataDir, 'pods', id, name);

export function wrote(engine: TestEngine, id: string, name: string, content: string): Promise<unknown> {
  const file = volumeOf(engine, id, name);
  return until(
    `${name} to hold ${JSON.stringify(content)}`,
    () => (existsSync(file) ? readFileSync(file, 'utf8') : null),
    content,
  );
}

export const containersOf = ({ docker }: TestContainerEngine, id: string): Promise<ContainerInfo[]> =>
  docker.listContainers({ all: true, filters: { name: [`hangar-pod-${id}`] } });

/** What is answered to a request that should not be accepted. */
export async function refused(
  { http }: TestEngine,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; message: string }> {
  const answer = await http.send(method, path, body);
  return { status: answer.status, message: answer.text === '' ? '' : messageOf(answer) };
}
