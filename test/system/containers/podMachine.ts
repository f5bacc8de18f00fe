import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { PodContainer, PodDriver, PodPlan, PodRecord } from '../../../main/engine/domain/pods/podInterfaces.ts';
import { createEngineFinder } from '../../../main/engine/runtime/containers/engine/discovery.ts';
import { createPodDriver } from '../../../main/engine/runtime/containers/pods/driver.ts';
import {
  createRunningContainers,
  type RunningContainers,
} from '../../../main/engine/runtime/containers/runningContainers.ts';
import { silentLogger } from '../../support/core/fakes.ts';
import { podRecordOf } from '../../support/pods/podRecord.ts';

export const POD_IMAGE = 'hangar-shell:1';
/** A shell that waits for the signal ends at once; on a busy machine it may wait for its turn. */
export const GRACE_MS = 60_000;

const record = podRecordOf('pod', 'RUNNING', {
  imageName: POD_IMAGE,
  containerDiskInGb: 5,
  volumeInGb: 1,
  vcpuCount: 0,
});

/** Runs until it is asked to end, and then ends at once. */
export const shell = (script: string): string[] => ['/bin/sh', '-c', `trap 'exit 0' TERM; ${script}`];
export const STAYS = 'while :; do sleep 0.1; done';

/** A data folder with a driver of Pods on it. */
export interface PodMachine extends AsyncDisposable {
  readonly dataDir: string;
  readonly driver: PodDriver;
  readonly running: RunningContainers;
  /** Every change that was told since the start. */
  readonly reasons: (string | null)[];
  plan(id: string, pod?: Partial<PodRecord>, more?: Partial<PodPlan>): PodPlan;
  start(plan: PodPlan): Promise<PodContainer>;
  /** A file of a Pod's volume, without space around it; null where there is none, or nothing in it yet. */
  reads(podId: string, name: string): string | null;
  write(podId: string, name: string, text: string): void;
  find(podId: string): Promise<PodContainer | undefined>;
  /** As a new run of the engine does. */
  again(): Promise<PodDriver>;
}

export function createPodMachine(host: string): PodMachine {
  const dataDir = mkdtempSync(join(tmpdir(), 'hangar-pods-'));
  const reasons: (string | null)[] = [];
  const finder = createEngineFinder({ env: { DOCKER_HOST: host } });
  const create = (): PodDriver => {
    const made = createPodDriver({ dataDir, logger: silentLogger, finder });
    made.onChange((podId) => reasons.push(podId));
    return made;
  };
  let driver = create();
  const made = new Set<string>();
  const volume = (id: string): string => join(dataDir, 'volume', id);

  return {
    dataDir,
    reasons,
    running: createRunningContainers({ dataDir, finder }),
    get driver() {
      return driver;
    },
    plan(id, pod = {}, more = {}) {
      mkdirSync(volume(id), { recursive: true });
      const dockerStartCmd = pod.dockerArgs === undefined ? shell(STAYS) : [];
      return {
        pod: { ...record, id, dockerStartCmd, ...pod },
        env: { RUNPOD_POD_ID: id },
        writtenEnv: { RUNPOD_POD_ID: id },
        gpus: [],
        mounts: [{ folder: volume(id), at: '/workspace' }],
        registryAuth: null,
        ...more,
      };
    },
    start(plan) {
      made.add(plan.pod.id);
      return driver.start(plan, () => undefined, new AbortController().signal);
    },
    reads(podId, name) {
      const file = join(volume(podId), name);
      return existsSync(file) ? readFileSync(file, 'utf8').trim() || null : null;
    },
    write: (podId, name, text) => writeFileSync(join(volume(podId), name), text),
    find: async (podId) => (await driver.list()).find((container) => container.podId === podId),
    async again() {
      await driver.close();
      return (driver = create());
    },
    async [Symbol.asyncDispose]() {
      for (const id of made) await driver.remove(id);
      await driver.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** What answers at a port of this machine; null where nobody does. */
export async function answerAt({ host, port }: { host: string; port: number }): Promise<string | null> {
  return new Promise((resolve) => {
    const outgoing = request({ host, port, agent: false }, (response) => resolve(text(response)));
    outgoing.on('error', () => resolve(null));
    outgoing.end();
  });
}
