import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import type { EngineProcess } from './engine/engineProcess.ts';
import { createOpenWork, type OpenWorkOptions } from './openWork.ts';

/** What runs; null in place of the running jobs of each endpoint: the engine does not answer. */
interface Running {
  state: EngineProcess['status']['state'];
  jobs: number[] | null;
  /** The states of pulls of images. */
  pulls: string[];
  podTerminals: number;
  remoteTerminals: number;
  transfers: number;
}
let running: Running;
beforeEach(() => {
  running = { state: 'ready', jobs: [0, 0], pulls: [], podTerminals: 0, remoteTerminals: 0, transfers: 0 };
});

const jobsNow = (): number[] => {
  if (running.jobs === null) throw new Error('The engine does not answer.');
  return running.jobs;
};
const engineOfThisComputer = {
  management: { endpoints: async () => jobsNow().map((_, index) => ({ id: String(index) })) },
  jobs: { health: async (id: string) => ({ jobs: { inProgress: jobsNow()[Number(id)] } }) },
  machine: { pullsNow: async () => running.pulls.map((state) => ({ state })) },
  terminals: { list: async () => Array.from({ length: running.podTerminals }) },
};

const list = (): Promise<string[]> =>
  createOpenWork({
    engine: { status: { state: running.state } },
    directory: { compute: () => engineOfThisComputer },
    transfers: { list: () => Array.from({ length: running.transfers }) },
    terminals: { count: () => running.remoteTerminals },
    logger: pino({ level: 'silent' }),
  } as unknown as OpenWorkOptions).list();

test('jobs, pulls of images, file transfers and terminals are work, each with its number', async () => {
  expect(await list()).toEqual([]);
  running.jobs = [2, 1];
  expect(await list()).toEqual(['3 jobs']);
  running.jobs = [0, 1];
  running.transfers = 2;
  expect(await list()).toEqual(['1 job', '2 file transfers']);
  running.pulls = ['PULLING', 'DONE', 'FAILED'];
  expect(await list()).toEqual(['1 job', '1 image pull', '2 file transfers']);
  running.pulls = [];
  running = { ...running, jobs: [0], transfers: 0, podTerminals: 1 };
  expect(await list()).toEqual(['1 terminal']);
  running.remoteTerminals = 1;
  expect(await list()).toEqual(['2 terminals']);
});

test('an engine that starts or does not answer counts as work, beside transfers and terminals over SSH', async () => {
  running = { state: 'starting', jobs: [0], pulls: [], podTerminals: 0, remoteTerminals: 1, transfers: 1 };
  expect(await list()).toEqual(['the engine, which is starting', '1 file transfer', '1 terminal']);
  running = { ...running, state: 'ready', jobs: null };
  expect(await list()).toEqual(['the engine, which does not answer', '1 file transfer', '1 terminal']);
});

test('an engine that has stopped runs nothing', async () => {
  for (const state of ['stopped', 'failed'] as const) {
    running = { ...running, state, jobs: null };
    expect(await list()).toEqual([]);
  }
});
