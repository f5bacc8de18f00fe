/** The published command-line tool, and its own end-to-end suite, which needs things of each kind to be there. */
import { afterAll, beforeAll } from 'vitest';
import { startCloudEngine, type CloudEngine } from '../support/clients/cloudEngine.ts';
import { goProgram } from '../support/clients/go.ts';
import { runGoSuite } from '../support/clients/goSuite.ts';
import { runProgram, type CallOutcome } from '../support/clients/program.ts';
import { testClient } from '../support/clients/suite.ts';
import { whyNoContainers } from '../support/containers/engine.ts';
import { podsOf } from '../support/pods/pods.ts';
import { accepted, makeIdleEndpoint } from '../support/resources/resources.ts';
import { RUNPODCTL_POD_TESTS } from './runpodctlTests.ts';
import { goClients, RUNPODCTL_POD_CALLS } from './table.ts';

let cloud: CloudEngine;
beforeAll(async () => {
  cloud = await startCloudEngine();
});
afterAll(() => cloud.close());

async function makeCalls(folder: string, leftOut: readonly string[]): Promise<CallOutcome[]> {
  const variables = { ...cloud.variables, RUNPODCTL: goProgram(folder, 'runpodctl') };
  try {
    return await runProgram('runpodctl.mjs', folder, { ...variables, LEFT_OUT: JSON.stringify(leftOut) });
  } finally {
    await cloud.deletePods();
  }
}

async function runSuite(folder: string, leftOut: readonly string[]): Promise<CallOutcome[]> {
  const { engine, variables, deletePods } = cloud;
  await makeIdleEndpoint(engine);
  accepted(await engine.http.post('/v1/networkvolumes', { name: 'v', size: 10, dataCenterId: 'EU-RO-1' }));
  if (whyNoContainers() === null) await podsOf(engine).make({ ports: ['22/tcp'] });
  try {
    return await runGoSuite(folder, variables, leftOut);
  } finally {
    await deletePods();
  }
}

const without = (needContainers: readonly string[]) => (call: string) =>
  needContainers.includes(call) ? whyNoContainers() : null;

await testClient(goClients.runpodctl, makeCalls, without(RUNPODCTL_POD_CALLS));
await testClient(goClients.runpodctlTests, runSuite, without(RUNPODCTL_POD_TESTS));
