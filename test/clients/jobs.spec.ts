/** The job API, and what lies beside it, through the clients that the cloud publishes. */
import { afterAll, beforeAll } from 'vitest';
import { clientVariables } from '../support/clients/endpoints.ts';
import { runProgram } from '../support/clients/program.ts';
import { testClient } from '../support/clients/suite.ts';
import { startEngine, type TestEngine } from '../support/engine/engine.ts';
import { raiseRates } from '../support/engine/settings.ts';
import { clients, runpodClients } from './table.ts';

let engine: TestEngine;
let variables: Record<string, string>;
beforeAll(async () => {
  engine = await startEngine();
  // Each client purges the one queue, which may be done twice in ten seconds.
  await raiseRates(engine);
  variables = await clientVariables(engine);
});
afterAll(() => engine.close());

await testClient(clients.runpodSdk, (folder) => runProgram('runpodSdk.mjs', folder, variables));
await testClient(clients.mcpServer, (folder) => runProgram('mcpServer.mjs', folder, variables));
for (const client of runpodClients) {
  await testClient(client, (folder) => runProgram('runpodClient.py', folder, variables));
}
