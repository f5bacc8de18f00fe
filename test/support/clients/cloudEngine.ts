/**
 * An engine for clients that make Pods: with a GPU, and with a container engine of the test's own where one can be
 * started.
 */
import { delimiter } from 'node:path';
import type Docker from 'dockerode';
import { whyNoContainers } from '../containers/engine.ts';
import { makeShellImage } from '../containers/images.ts';
import { until } from '../core/until.ts';
import { startEngine, type TestEngine } from '../engine/engine.ts';
import { createGpuPrograms, gpuFixture } from '../gpus/programs.ts';
import { graphqlData } from '../http/graphql.ts';
import { startPodEngine, type PodEngine } from '../pods/podEngine.ts';
import { SHELL_IMAGE } from '../pods/pods.ts';

/** SkyPilot starts its Pods with `bash -c` and `base64 --decode`: the shell of the image has neither of them. */
const BASH = `#!/bin/sh
base64() { busybox base64 -d; }
if [ "$1" = -c ]; then eval "$2"; else . "./$1"; fi
`;
/**
 * The GPU that the program of its maker tells of. Only this program knows it, so a container that names it does not
 * start.
 */
const GPU = 'NVIDIA GeForce RTX 3080';

export interface CloudEngine {
  readonly engine: TestEngine;
  /** Variables with which a program reaches it. */
  readonly variables: Readonly<Record<'ADDRESS' | 'KEY' | 'IMAGE', string>>;
  /** All that there are. */
  deletePods(): Promise<void>;
  close(): Promise<void>;
}

/** Starts it, and waits until it has found its GPU. */
export async function startCloudEngine(): Promise<CloudEngine> {
  const gpus = createGpuPrograms('nvidia-smi');
  gpus.says('table', gpuFixture('wsl552.csv'));
  gpus.says('report', gpuFixture('wsl552.txt'));
  const env = { PATH: [gpus.folder, process.env['PATH']].join(delimiter) };
  const makeImage = (docker: Docker) => makeShellImage(docker, SHELL_IMAGE, '', { bash: BASH });
  const own: PodEngine | null = whyNoContainers() === null ? await startPodEngine({ env, makeImage }) : null;
  const engine = own?.engine ?? (await startEngine({ env }));
  await until(
    'the GPU to be found',
    () => graphqlData(engine, '{ gpuTypes { id } }'),
    (data) => JSON.stringify(data).includes(GPU),
  );
  return {
    engine,
    variables: { ADDRESS: engine.address, KEY: engine.key, IMAGE: SHELL_IMAGE },
    deletePods: async () => own?.pods.deleteAll(),
    async close() {
      await (own ?? engine).close();
      gpus.remove();
    },
  };
}
