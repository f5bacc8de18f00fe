import { afterAll, beforeAll } from 'vitest';
import { endpointSchema, localVolumeSchema, templateSchema, volumeSchema } from '#contract/api/resources.ts';
import { startContainerEngine, type TestContainerEngine } from '../../support/containers/engine.ts';
import { makePythonImage, makeShellImage, shellWorker } from '../../support/containers/images.ts';
import { startEngine, type EngineOptions, type TestEngine } from '../../support/engine/engine.ts';
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
