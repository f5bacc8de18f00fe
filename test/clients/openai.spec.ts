/** Endpoints that answer as OpenAI's API does, through the clients that people use for it. */
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeSnippet, type SnippetClient } from '../../renderer/features/run/code/snippets.ts';
import { runCommand } from '../support/clients/command.ts';
import { clientVariables } from '../support/clients/endpoints.ts';
import { install } from '../support/clients/install.ts';
import { runProgram } from '../support/clients/program.ts';
import { pythonIn } from '../support/clients/python.ts';
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

/** Runs the code that the Run page hands out on the packages in `folder`, and returns what it printed. */
async function runSnippet(client: SnippetClient, folder: string, content: string): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'hangar-snippet-'));
  try {
    const isPython = client === 'openai-python';
    const file = join(home, isPython ? 'program.py' : 'program.mjs');
    const body = JSON.stringify({ input: { messages: [{ role: 'user', content }] } });
    const [address, endpointId] = [engine.address, variables['OPENAI'] ?? ''];
    await writeFile(file, makeSnippet(client, { address, endpointId, mode: 'run', body }));
    if (!isPython) await symlink(join(folder, 'node_modules'), join(home, 'node_modules'), 'junction');
    return await runCommand(isPython ? pythonIn(folder) : process.execPath, [file], {
      env: { HANGAR_API_KEY: engine.key },
    });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

describe('the code of Run prints the streamed answer', () => {
  test.for([
    ['openai-python', clients.openaiPython],
    ['openai-javascript', clients.openai],
  ] as const)('%s', async ([client, packages], { skip }) => {
    const installed = await install(packages);
    if ('missing' in installed) skip(installed.missing);
    else {
      // The endpoint goes on with its answer once its folder has the file that the last word names.
      const content = "it's `four` ${machines} handler.mjs";
      expect(await runSnippet(client, installed.folder, content)).toBe(`You wrote: ${content}`);
    }
  });
});
