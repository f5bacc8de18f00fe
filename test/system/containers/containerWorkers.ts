import { once } from 'node:events';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll } from 'vitest';
import { endpointSchema, localVolumeSchema, templateSchema, volumeSchema } from '#contract/api/resources.ts';
import { bridgeAddressOf, startContainerEngine, type TestContainerEngine } from '../../support/containers/engine.ts';
import { makePythonImage, makeShellImage, shellWorker } from '../../support/containers/images.ts';
import { startEngine, type EngineOptions, type TestEngine } from '../../support/engine/engine.ts';
import { jobsOf } from '../../support/jobs/jobs.ts';
import { accepted, type Created } from '../../support/resources/resources.ts';

export { shellWorker };
export const SHELL_IMAGE = 'hangar-shell:1';
export const PYTHON_IMAGE = 'hangar-python:1';

/** A template's fields for a worker in a shell. */
export const shellTemplate = (answer: string): object => ({
  imageName: SHELL_IMAGE,
  dockerStartCmd: ['/bin/sh', '-c', shellWorker(answer)],
});

/** A template's fields for a handler of the public SDK's kind: `code` starts it. */
export const pythonTemplate = (code: string): object => ({
  imageName: PYTHON_IMAGE,
  env: { PYTHONPATH: '/kit:/kit/standin', PYTHONUNBUFFERED: '1' },
  dockerStartCmd: ['/bin/python3', '-c', code],
});

let made = 0;

/** Makes a template with these fields and an endpoint that runs it. */
export async function makeContainerEndpoint(
  engine: TestEngine,
  template: object,
  endpoint: object = {},
): Promise<Created> {
  const name = `container ${++made}`;
  const madeTemplate = templateSchema.parse(
    accepted(await engine.http.post('/v1/templates', { name, isServerless: true, ...template })),
  );
  const madeEndpoint = endpointSchema.parse(
    accepted(await engine.http.post('/v1/endpoints', { name, templateId: madeTemplate.id, ...endpoint })),
  );
  return { template: madeTemplate, endpoint: madeEndpoint };
}

/** A network volume, and the folder that it is. */
export async function makeVolume(engine: TestEngine): Promise<{ id: string; folder: string }> {
  const { id } = volumeSchema.parse(
    accepted(await engine.http.post('/v1/networkvolumes', { name: 'models', size: 10, dataCenterId: 'EU-RO-1' })),
  );
  const listed = localVolumeSchema.array().parse(accepted(await engine.http.get('/local/v1/volumes')));
  return { id, folder: listed.find((volume) => volume.id === id)!.folder };
}

/** An endpoint whose jobs answer with the address that their worker asks the engine at, and what that begins with. */
export async function engineAddressOf(
  engine: TestEngine,
  containers: TestContainerEngine,
): Promise<{ seen: unknown; wanted: string }> {
  const { endpoint } = await makeContainerEndpoint(engine, shellTemplate('echo "\\"$RUNPOD_WEBHOOK_GET_JOB\\""'));
  const jobs = jobsOf(engine, endpoint.id);
  const { output: seen } = await jobs.finished(await jobs.run({}));
  return { seen, wanted: `http://${await bridgeAddressOf(containers)}:` };
}

/** The addresses of this machine besides that of `url` at which something listens on its port. */
export async function otherListeners(url: string): Promise<string[]> {
  const { hostname, port } = new URL(url);
  const addresses = Object.values(networkInterfaces())
    .flatMap((ofInterface) => ofInterface ?? [])
    .filter(({ family, address }) => family === 'IPv4' && address !== hostname)
    .map(({ address }) => address);
  const listening: string[] = [];
  for (const address of addresses) {
    const socket = connect(Number(port), address);
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) listening.push(address);
  }
  return listening;
}

/** A container engine with these images for all tests of a file, and engines of ours that use it. */
export function useContainers(images: ('shell' | 'python')[]): {
  containers(): TestContainerEngine;
  start(options?: EngineOptions): Promise<TestEngine>;
} {
  let containers: TestContainerEngine | null = null;
  beforeAll(async () => {
    containers = await startContainerEngine();
    if (images.includes('shell')) await makeShellImage(containers.docker, SHELL_IMAGE);
    if (images.includes('python')) await makePythonImage(containers.docker, PYTHON_IMAGE);
  });
  afterAll(() => containers?.closeEmpty());
  return {
    containers: () => containers!,
    start: (options = {}) => startEngine({ ...options, env: { DOCKER_HOST: containers!.host, ...options.env } }),
  };
}
