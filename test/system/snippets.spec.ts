/**
 * The code that the Run page hands out, run as a person would run it. Clients that have to be installed run in
 * test/clients.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeSnippet, type SnippetRequest } from '../../renderer/features/run/code/snippets.ts';
import { needsPython } from '../support/core/skip.ts';
import { until } from '../support/core/until.ts';
import { startEngine, type TestEngine } from '../support/engine/engine.ts';
import { makeEndpoint } from '../support/resources/resources.ts';

const run = promisify(execFile);
const handler = 'export default async function* (job) { for (const word of job.input.words) yield word; }';
const body = JSON.stringify({ input: { words: ["it's", '`four`', '${machines}'] } });

let engine: TestEngine;
let endpointId: string;

beforeAll(async () => {
  engine = await startEngine();
  const { endpoint } = await makeEndpoint(engine, { 'handler.mjs': handler });
  endpointId = endpoint.id;
});
afterAll(() => engine[Symbol.asyncDispose]());

/** Runs the code in Node and returns what it printed. */
async function runProgram(
  client: 'fetch' | 'runpod-sdk',
  address: string,
  endpoint: string,
  request: Partial<SnippetRequest> = { yields: true },
): Promise<string> {
  const code = makeSnippet(client, { address, endpointId: endpoint, mode: 'run', body, ...request });
  // Below this repository, which has the client among its packages.
  const file = join(import.meta.dirname, `../../node_modules/.cache/snippet-${client}-${endpoint}.mjs`);
  await writeFile(file, code);
  try {
    return (await run(process.execPath, [file], { env: { ...process.env, HANGAR_API_KEY: engine.key } })).stdout;
  } finally {
    await rm(file);
  }
}

/**
 * A server between a program and the engine that answers a question for the status once the job has ended, and lets its
 * handler go on only then. What the job yields after its first word comes while that one question is open.
 */
async function startSlowStatus(goOn: string): Promise<AsyncDisposable & { address: string }> {
  const server = createServer(({ method = 'GET', url = '/' }, response) => {
    void (async () => {
      const ask = () => engine.http.send(method, url, method === 'POST' ? body : undefined);
      if (url.includes('/status/')) {
        await writeFile(goOn, '');
        await until('the job to complete', async () => (await ask()).text.includes('COMPLETED'));
      }
      const answer = await ask();
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('code in JavaScript runs', () => {
  it.each(['fetch', 'runpod-sdk'] as const)('with %s, and prints each chunk', async (client) => {
    const stdout = await runProgram(client, engine.address, endpointId);
    expect(stdout).toBe("it's\n`four`\n${machines}\n");
  });

  it.each([
    ['fetch', 'run'],
    ['fetch', 'runsync'],
    ['runpod-sdk', 'run'],
    ['runpod-sdk', 'runsync'],
  ] as const)('with %s by /%s, prints the output, and fails with the error of its job', async (client, mode) => {
    const { endpoint } = await makeEndpoint(engine, {
      'handler.mjs': `export default ({ input }) => {
        if (!input.words) throw new Error('no words');
        return input.words.join(' ');
      }`,
    });
    expect(await runProgram(client, engine.address, endpoint.id, { mode })).toBe("it's `four` ${machines}\n");
    const failing = runProgram(client, engine.address, endpoint.id, { mode, body: '{"input": {"n": 1}}' });
    await expect(failing).rejects.toThrow('no words');
  });

  it('with fetch, and prints what came just before the end', async () => {
    const goOn = join(engine.dataDir, 'go-on');
    const { endpoint } = await makeEndpoint(engine, {
      'handler.mjs': `import { existsSync } from 'node:fs';
        export default async function* (job) {
          for (const word of job.input.words) {
            yield word;
            while (!existsSync(${JSON.stringify(goOn)})) await new Promise((resolve) => setTimeout(resolve, 5));
          }
        }`,
    });
    await using server = await startSlowStatus(goOn);
    const stdout = await runProgram('fetch', server.address, endpoint.id);
    expect(stdout.split('\n').slice(0, 3)).toEqual(["it's", '`four`', '${machines}']);
  });
});

describe('code in Python', needsPython(), () => {
  /** Each as a program has it, with what Python makes of it. */
  async function bodiesOf(bodies: readonly string[]): Promise<string[]> {
    const lines = bodies.map((text) => {
      const code = makeSnippet('requests', { address: engine.address, endpointId, mode: 'run', body: text });
      const at = code.indexOf('\nbody = ');
      // A body of the person may have anything but the line that follows it.
      return `${code.slice(at + 1, code.lastIndexOf('\njob = '))}\nprint(json.dumps(body))`;
    });
    const file = join(engine.dataDir, 'bodies.py');
    await writeFile(file, ['import json', ...lines].join('\n'));
    const { stdout } = await run(process.env['HANGAR_PYTHON'] ?? 'python3', ['-W', 'error', file], {
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout.trimEnd().split('\n');
  }

  it('sends the JSON that the person wrote, whatever signs it has', async () => {
    const deep = `${'['.repeat(150)}1${']'.repeat(150)}`;
    const texts = [
      body,
      '\n  {"input": {\n    "yes": true, "no": [false, null],\n    "text": "true \\"\\"\\" \\\\ \\/ \\u0000 \\ud83d\\ude00 \u{1f600} \u2028"\n  }}\n',
      '{"input": {"n": [1e5, -0.5, 12345678901234567890]}}',
      `{"input": ${deep}}`,
      ...fc.sample(fc.json({ maxDepth: 4 }), 200),
    ];
    const sent = await bodiesOf(texts);
    expect(sent.map((text) => JSON.parse(text))).toEqual(texts.map((text) => JSON.parse(text)));
    expect(sent[2]).toContain('12345678901234567890');
  });
});

describe('code for a request with files reads them and sends the same', () => {
  const bytes = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(200_000, 'so $`it\'s"\\')]);
  const name = "my $(picture)'s.png";
  const input = {
    words: [bytes.toString('base64'), `data:image/png;base64,${bytes.toString('base64')}`, "it's `four` $HOME \\n"],
    // JavaScript reads the whole body with its JSON parser.
    seed: 'SEED',
  };
  const files = [{ name, sizeBytes: bytes.length }];
  const wanted = `${createHash('sha256').update(input.words.join('\n')).digest('hex')}\n`;
  let request: Omit<SnippetRequest, 'body'>;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hangar-snippet-files-'));
    await writeFile(join(folder, name), bytes);
    const { endpoint } = await makeEndpoint(engine, {
      'handler.mjs': `import { createHash } from 'node:crypto';
        export default ({ input }) => createHash('sha256').update(input.words.join('\\n')).digest('hex');`,
    });
    request = { address: engine.address, endpointId: endpoint.id, mode: 'runsync', files };
  });
  afterAll(() => rm(folder, { recursive: true }));

  const bodyOf = (seed: string) => JSON.stringify({ input }, null, 2).replace('"SEED"', seed);
  const inFolder = () => ({ cwd: folder, env: { ...process.env, HANGAR_API_KEY: engine.key } });

  it.each(['1', '12345678901234567890'])('in JavaScript, with the seed %s', async (seed) => {
    await writeFile(join(folder, 'program.mjs'), makeSnippet('fetch', { ...request, body: bodyOf(seed) }));
    expect((await run(process.execPath, ['program.mjs'], inFolder())).stdout).toBe(wanted);
  });

  it.each(['run', 'runsync'] as const)('in curl by /%s', async (mode) => {
    const code = makeSnippet('curl', { ...request, mode, body: bodyOf('1') });
    // The code of /run asks for the job at once. Here it has to have ended.
    const loop = code
      .replace('# Its state', 'until ')
      .replace(/until .*\n(curl[^]*)/, 'until ($1) | grep COMPLETED; do :; done');
    const { stdout } = await run('bash', ['-c', mode === 'run' ? loop : code], inFolder());
    expect(stdout).toContain(wanted.trim());
  });

  it('in Python', needsPython(), async () => {
    const code = makeSnippet('requests', { ...request, body: bodyOf(`${'['.repeat(150)}${']'.repeat(150)}`) });
    for (const program of [code, makeSnippet('requests', { ...request, body: bodyOf('1') })]) {
      const body = program.slice(program.indexOf('\nbody = '), program.indexOf('\nresponse = '));
      const hash = 'print(hashlib.sha256("\\n".join(body["input"]["words"]).encode()).hexdigest())';
      await writeFile(join(folder, 'body.py'), `import base64, hashlib, json${body}\n${hash}`);
      const { stdout } = await run(process.env['HANGAR_PYTHON'] ?? 'python3', ['body.py'], inFolder());
      expect(stdout).toBe(wanted);
    }
  });
});

it('Code in curl sends the body as it is', async () => {
  const code = makeSnippet('curl', { address: engine.address, endpointId, mode: 'runsync', body });
  const { stdout } = await run('bash', ['-c', code], { env: { ...process.env, HANGAR_API_KEY: engine.key } });
  expect(JSON.parse(stdout)).toMatchObject({ status: 'COMPLETED' });
});
