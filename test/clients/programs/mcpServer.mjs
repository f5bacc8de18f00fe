/** The tools of `@runpod/mcp-server`, called over standard input and output as a program that uses a model calls them. */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { assert, report, until, variable } from './report.mjs';

const address = variable('ADDRESS');
const endpointId = variable('JOBS');
const client = new Client({ name: 'hangar-tests', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [join(import.meta.dirname, 'node_modules/@runpod/mcp-server/dist/stdio.mjs')],
    env: {
      RUNPOD_API_KEY: variable('KEY'),
      RUNPOD_API_BASE_URL: `${address}/rest`,
      RUNPOD_SERVERLESS_API_URL: `${address}/v2`,
      RUNPOD_PUBLIC_GRAPHQL_URL: `${address}/graphql`,
      RUNPOD_AUTHED_GRAPHQL_URL: `${address}/graphql`,
    },
  }),
);

/** Calls a tool, and reads its answer, which is JSON as text. */
async function tool(name, args) {
  const { content, isError } = await client.callTool({ name, arguments: args });
  assert(!isError, `${name}: ${content[0]?.text}`);
  return JSON.parse(content[0].text);
}

const run = async (input) => (await tool('run-endpoint', { endpointId, input })).id;
const status = (jobId, more = {}) => tool('get-job-status', { endpointId, jobId, ...more });

try {
  await report({
    'run-endpoint': async () => assert.match(await run({ a: 1, b: 2 }), /^[\w-]+$/),
    'get-job-status': async () => {
      const jobId = await run({ a: 1, b: 2 });
      const job = await until(
        () => status(jobId),
        (read) => read.status === 'COMPLETED',
      );
      assert.deepEqual(job.output, { sum: 3 });
    },
    'get-job-status with wait': async () => {
      assert.deepEqual((await status(await run({ a: 2, b: 2 }), { wait: 60_000 })).output, { sum: 4 });
    },
    'runsync-endpoint': async () => {
      const job = await tool('runsync-endpoint', { endpointId, input: { a: 20, b: 22 }, wait: 60_000 });
      assert.deepEqual(job.output, { sum: 42 });
    },
    'stream-job': async () => {
      const jobId = await run({ text: 'a b c' });
      const { status: last, stream } = await tool('stream-job', { endpointId, jobId });
      assert.equal(last, 'COMPLETED');
      assert.deepEqual(
        stream.map(({ output }) => output),
        ['a', 'b', 'c'],
      );
    },
    'cancel-job': async () => {
      const jobId = await run({ hang: true });
      await until(
        () => status(jobId),
        (read) => read.status === 'IN_PROGRESS',
      );
      assert.equal((await tool('cancel-job', { endpointId, jobId })).status, 'CANCELLED');
    },
    'retry-job': async () => {
      const jobId = await run({ fail: true });
      assert.equal((await status(jobId, { wait: 60_000 })).status, 'FAILED');
      assert.equal((await tool('retry-job', { endpointId, jobId })).status, 'IN_QUEUE');
    },
    'endpoint-health': async () => {
      assert((await tool('endpoint-health', { endpointId })).jobs.completed >= 1);
    },
    'purge-endpoint-queue': async () => {
      assert.equal((await tool('purge-endpoint-queue', { endpointId })).status, 'completed');
    },
    'list-endpoints': async () => {
      assert.match(JSON.stringify(await tool('list-endpoints', {})), new RegExp(endpointId));
    },
    'list-pods': async () => void (await tool('list-pods', {})),
    'list-templates': async () => void (await tool('list-templates', {})),
  });
} finally {
  await client.close();
}
