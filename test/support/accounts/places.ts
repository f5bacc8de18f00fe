/**
 * The accounts that one client has to reach alike: this machine, an engine elsewhere, and the remote service in both
 * dialects.
 */
import { pino } from 'pino';
import type { PodCreate } from '#contract/api/pod.ts';
import { createComputeApi, type ComputeApi } from '../../../main/app/compute/computeApi.ts';
import { createOutbound } from '../../../main/app/compute/http/outbound.ts';
import { startContainerEngine, whyNoContainers, type TestContainerEngine } from '../containers/engine.ts';
import { makeShellImage } from '../containers/images.ts';
import { startEngine, type TestEngine } from '../engine/engine.ts';
import { SHELL_IMAGE } from '../pods/pods.ts';
import { RawJson, startRemote, type Remote, type RemoteHandler } from '../remote/remote.ts';
import { writeHandler } from '../resources/resources.ts';

/** What a job of the tests is: it fails, waits until it is stopped, streams, or is told back as it was sent. */
const remoteHandler: RemoteHandler = async ({ input, inputText, chunk, signal }) => {
  const { fail, hold, chunks } = input as { fail?: string; hold?: boolean; chunks?: number };
  if (fail !== undefined) throw new Error(fail);
  if (hold) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  for (let n = 0; n < (chunks ?? 0); n++) chunk({ n });
  return new RawJson(inputText);
};
const HANDLERS = {
  plain: `export default async ({ input }, { signal }) => {
    if (input.fail !== undefined) throw new Error(input.fail);
    if (input.hold) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return input;
  };`,
  streaming: `export default async function* ({ input }) {
    for (let n = 0; n < input.chunks; n++) yield { n };
  };`,
} as const;

export interface ComputePlace {
  readonly name: string;
  readonly kind: 'engine' | 'v1' | 'v2';
  readonly compute: ComputeApi;
  /** The image of an endpoint whose handler is one of these. */
  image(handler: keyof typeof HANDLERS): Promise<string>;
  /** What has to be named for a Pod. */
  readonly pod: PodCreate & { imageName: string };
  /** Why no Pod can run there; null where one can. */
  readonly whyNoPods: string | null;
  /** The region of a new volume. */
  readonly region: string;
  /** Null where it is an engine. */
  readonly remote: Remote | null;
}

export interface ComputePlaces {
  places: ComputePlace[];
  /** With another key than it takes. */
  withKey(place: ComputePlace, key: string): { compute: ComputeApi; stop(): Promise<void> };
  stop(): Promise<void>;
}

const logger = pino({ level: 'silent' });

function client(
  bases: { jobs: string; management: string; graphql: string },
  key: string,
  kind: ComputePlace['kind'],
): Client {
  const outbound = (address: string) =>
    createOutbound({ name: 'the test account', logger, target: () => Promise.resolve({ address, key }) });
  const outbounds = {
    jobs: outbound(bases.jobs),
    management: outbound(bases.management),
    graphql: outbound(bases.graphql),
  };
  return {
    compute: createComputeApi(outbounds, { hasLocal: kind === 'engine', dialect: kind === 'v2' ? 'v2' : 'v1' }),
    stop: async () => {
      await Promise.all(Object.values(outbounds).map((one) => one.stop()));
    },
  };
}

interface Client {
  compute: ComputeApi;
  stop(): Promise<void>;
}

const ofCloud = (kind: 'v1' | 'v2', remote: Remote, { compute }: Client): ComputePlace => ({
  name: `the remote service in ${kind}`,
  kind,
  remote,
  compute,
  whyNoPods: null,
  image: () => Promise.resolve('example/worker:1'),
  pod: { gpuTypeIds: ['NVIDIA GeForce RTX 4090'], gpuCount: 1, imageName: 'example/pod:1' },
  region: 'EU-RO-1',
});

export async function startComputePlaces(): Promise<ComputePlaces> {
  const whyNoPods = whyNoContainers();
  let containers: TestContainerEngine | null = null;
  if (whyNoPods === null) {
    containers = await startContainerEngine();
    await makeShellImage(containers.docker, SHELL_IMAGE);
  }
  const engine: TestEngine = await startEngine(containers ? { env: { DOCKER_HOST: containers.host } } : {});
  const { key } = (await engine.http.post('/local/v1/api-keys', { name: 'elsewhere' })).json as { key: string };
  const remotes = { v1: await startRemote(), v2: await startRemote() };
  for (const remote of Object.values(remotes)) remote.serveNew(remoteHandler);
  const { address } = engine;
  const bases = { jobs: address, management: address, graphql: address };
  const clients = {
    here: client(bases, engine.key, 'engine'),
    elsewhere: client(bases, key, 'engine'),
    v1: client(remotes.v1.v1, remotes.v1.key, 'v1'),
    v2: client(remotes.v2.v2, remotes.v2.key, 'v2'),
  };
  const ofEngine = (name: string, { compute }: Client): ComputePlace => ({
    name,
    kind: 'engine',
    compute,
    remote: null,
    whyNoPods,
    image: (handler) => writeHandler(engine, { 'handler.mjs': HANDLERS[handler] }),
    pod: { computeType: 'CPU', gpuCount: 0, imageName: SHELL_IMAGE },
    region: 'LOCAL-1',
  });
  return {
    places: [
      ofEngine('this machine', clients.here),
      ofEngine('an engine on another machine', clients.elsewhere),
      ofCloud('v1', remotes.v1, clients.v1),
      ofCloud('v2', remotes.v2, clients.v2),
    ],
    withKey: ({ kind, remote }, key) => client(kind === 'engine' ? bases : remote![kind], key, kind),
    async stop() {
      await Promise.all(Object.values(clients).map((one) => one.stop()));
      await Promise.all([engine.close(), remotes.v1.stop(), remotes.v2.stop()]);
      await containers?.[Symbol.asyncDispose]();
    },
  };
}
