/** Pods, volumes and credentials through the modules with which programs for many clouds call this one. */
import { cpus } from 'node:os';
import { afterAll, beforeAll } from 'vitest';
import { startCloudEngine, type CloudEngine } from '../support/clients/cloudEngine.ts';
import { runProgram, type CallOutcome } from '../support/clients/program.ts';
import { testClient } from '../support/clients/suite.ts';
import { whyNoContainers } from '../support/containers/engine.ts';
import { clients, DSTACK_POD_CALLS, SKYPILOT_GPU_CALLS, SKYPILOT_POD_CALLS } from './table.ts';

let cloud: CloudEngine;
beforeAll(async () => {
  cloud = await startCloudEngine();
});
afterAll(() => cloud.close());

async function makeCalls(program: string, folder: string, leftOut: readonly string[]): Promise<CallOutcome[]> {
  try {
    return await runProgram(program, folder, { ...cloud.variables, LEFT_OUT: JSON.stringify(leftOut) });
  } finally {
    await cloud.deletePods();
  }
}

function whySkipped(call: string): string | null {
  if (![...DSTACK_POD_CALLS, ...SKYPILOT_POD_CALLS].includes(call)) return null;
  const cores = cpus().length;
  if (!SKYPILOT_GPU_CALLS.includes(call) || cores >= 4) return whyNoContainers();
  return `SkyPilot asks for four cores with each GPU, and this machine has ${cores}`;
}

await testClient(clients.dstack, (...of) => makeCalls('dstackClient.py', ...of), whySkipped);
await testClient(clients.skypilot, (...of) => makeCalls('skypilotClient.py', ...of), whySkipped);
