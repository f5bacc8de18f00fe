/** Endpoints that answer as OpenAI's API does, through the clients that people use for it. */
import { afterAll, beforeAll } from 'vitest';
import { clientVariables } from '../support/clients/endpoints.ts';
import { runProgram } from '../support/clients/program.ts';
import { testClient } from '../support/clients/suite.ts';
import { startEngine, type TestEngine } from '../support/engine/engine.ts';
import { clients } from './table.ts';

let engine: TestEngine;
let variables: Record<string, string>;
beforeAll(async () => {
  engine = await startEngine();
  variables = await clientVariables(engine);
});
afterAll(() => engine.close());

await testClient(clients.openai, (folder) => runProgram('openaiClient.mjs', folder, variables));
await testClient(clients.openaiPython, (folder) => runProgram('openaiClient.py', folder, variables));
await testClient(clients.aiSdk, (folder) => runProgram('aiSdk.mjs', folder, variables));
await testClient(clients.langchain, (folder) => runProgram('langchain.mjs', folder, variables));
