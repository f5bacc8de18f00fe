import { describe, expect, it } from 'vitest';
import type { Pod, PodFacts } from '#contract/api/pod.ts';
import { podFactsOf } from '../../../test/support/pods/podFacts.ts';
import {
  awaitedHttpPort,
  costSoFar,
  hardwareOf,
  httpPortsOf,
  isTerminalReady,
  loadOf,
  portsOf,
  restartWords,
  startWords,
  whyNoTerminal,
} from './podState.ts';

const runtime = {
  uptimeInSeconds: 1800,
  ports: [],
  container: { cpuPercent: 12, memoryPercent: 3 },
  gpus: [
    { id: 'a', gpuUtilPercent: 100, memoryUtilPercent: 40 },
    { id: 'b', gpuUtilPercent: 50, memoryUtilPercent: 20 },
  ],
};
const once = {
  times: 1,
  endedAt: '2026-03-01T12:00:00.000Z',
  text: 'Its container ended with exit code 1.',
  lastLines: [],
  isCrashLoop: false,
  nextStartAt: null,
};
const row = (pod: Partial<Pod>, facts: Partial<PodFacts> | null = null) => ({
  pod: {
    desiredStatus: 'RUNNING',
    gpu: null,
    gpuCount: 0,
    vcpuCount: 2,
    costPerHr: 0.5,
    lastStatusChange: 'then',
    ports: ['8888/http', '22/tcp'],
    portMappings: null,
    publicIp: null,
    ...pod,
  } as Pod,
  facts: facts && podFactsOf(facts),
});

it.each([
  ['http://p-8888.localhost:47800/', 0],
  ['https://p-8888.proxy.example.com/', 1],
])('A browser on another computer opens %s: %i', (address, count) => {
  const shown = row({}, { httpAddresses: { 8888: address }, runtime });
  expect(httpPortsOf(shown, false)).toEqual([{ port: '8888', address }]);
  expect(httpPortsOf(shown, true)).toHaveLength(count);
});

it('An http port is awaited while the container of a started Pod is still to come, and only on its own computer', () => {
  const starts = row({}, { runtime: null });
  expect(awaitedHttpPort(starts, false)).toBe('8888');
  expect(awaitedHttpPort(starts, true)).toBeNull();
  expect(awaitedHttpPort(row({ ports: ['22/tcp'] }, { runtime: null }), false)).toBeNull();
  expect(awaitedHttpPort(row({}, { runtime }), false)).toBeNull();
  expect(awaitedHttpPort(row({ desiredStatus: 'EXITED' }, { runtime: null }), false)).toBe('8888');
  // An account without facts of its Pods never says that one runs.
  expect(awaitedHttpPort(row({}), false)).toBeNull();
});

describe('a Pod in words', () => {
  it('counts the restarts of one that runs, with the last end', () => {
    expect(restartWords(row({}, { runtime, restarts: { ...once, times: 2 } }))).toEqual({
      short: 'restarted 2×',
      long: expect.stringMatching(/2026.*: Its container ended with exit code 1\.$/),
    });
    expect(restartWords(row({}, { runtime, restarts: null }))).toBeNull();
    expect(restartWords(row({}, { restarts: once }))).toBeNull();
  });

  it('tells the mean of its GPUs, and nothing of what is not measured', () => {
    expect(loadOf(row({}, { runtime }))).toEqual({ gpu: 75, gpuMemory: 30, cpu: 12, memory: 3 });
    expect(loadOf(row({}))).toEqual({ gpu: null, gpuMemory: null, cpu: null, memory: null });
  });

  it('has addresses for its ports only while it runs', () => {
    const facts = { runtime, httpAddresses: { 8888: 'http://p-8888.localhost:1/' } };
    const mapped = { portMappings: { 22: 40_022 }, publicIp: '127.0.0.1' };
    expect(portsOf(row(mapped, facts)).map(({ address }) => address)).toEqual([
      'http://p-8888.localhost:1/',
      '127.0.0.1:40022',
    ]);
    expect(portsOf(row({}, { ...facts, runtime: null })).map(({ address }) => address)).toEqual([null, null]);
  });

  it('has cost what its price makes of the time it is up', () => {
    expect(costSoFar(row({}, { runtime }))).toBe(0.25);
    expect(costSoFar(row({ costPerHr: 0 }, { runtime }))).toBeNull();
    expect(costSoFar(row({}))).toBeNull();
  });

  it('has cost what the engine counted, where prices have changed', () => {
    const autoStop = {
      rules: { idleMinutes: null, spendUsd: null },
      idleSince: null,
      busyWith: null,
      measuredAt: null,
      next: null,
      spentUsd: 2,
      stopped: null,
    };
    expect(costSoFar({ ...row({}, { runtime }), autoStop })).toBe(2);
    expect(costSoFar({ ...row({ costPerHr: 0 }, { runtime }), autoStop })).toBe(2);
  });

  it('says what it runs on', () => {
    expect(hardwareOf(row({ vcpuCount: 1 }))).toBe('CPU, 1 core');
    const gpu = { id: 'r', displayName: 'RTX 4090', count: 2, securePrice: 0, communityPrice: 0 };
    expect(hardwareOf(row({ gpu, gpuCount: 2 }))).toBe('2 × RTX 4090');
  });
});

it('A terminal begins in a container that runs; over SSH, the connection says what is not there yet', () => {
  const stopped = row({ desiredStatus: 'EXITED' }, { runtime });
  expect(whyNoTerminal(stopped)?.title).toBe('The Pod is stopped');
  expect(whyNoTerminal(row({}, { runtime: null }))).toBeNull();
  expect(isTerminalReady(stopped, true)).toBe(false);
  expect(isTerminalReady(row({}, { runtime: null }), false)).toBe(false);
  expect(isTerminalReady(row({}, { runtime: null }), true)).toBe(true);
  expect(isTerminalReady(row({}, { runtime }), false)).toBe(true);
});

describe('the row of a Pod that starts', () => {
  const shortOf = (facts: Partial<PodFacts>) => startWords(row({}, facts))?.short ?? null;

  it('has the percentage of the pull, without the name of the image', () => {
    expect(shortOf({ preparing: 'Pulling host:5000/me/a:1, 21 %' })).toBe('21 % pulled');
    expect(shortOf({ preparing: 'Pulling me/a:1' })).toBe('pulling');
    expect(shortOf({ preparing: 'Starting its container' })).toBeNull();
  });

  it('has why it does not run', () => {
    expect(shortOf({ problem: 'There is no image me/a:1.' })).toBe('There is no image me/a:1.');
    expect(shortOf({})).toBeNull();
  });
});
