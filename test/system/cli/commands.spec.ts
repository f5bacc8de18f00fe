/** The command line as a whole program, piped and on a terminal, with a running Hangar and handlers in Node. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../support/core/until.ts';
import {
  createKey,
  hangar,
  json,
  openTerminal,
  serveHangar,
  start,
  whyNoTerminal,
  type ServedHangar,
} from './commandLine.ts';
import { skipFor } from '../../support/core/skip.ts';

const noTerminal = whyNoTerminal();
if (noTerminal !== null) console.warn(`SKIPPED: ${noTerminal}.`);

const GREET = `export default ({ input: { name } }) => {
  console.log('greeting ' + name);
  if (name === 'nobody') throw new Error('there is nobody to greet');
  return ['Hello ', name];
};
`;
/** Waits within the greeting until it is cancelled, where it is told to. */
const RECITE = `export default async function* ({ input: { name, waits } }, { signal }) {
  yield 'Hello ';
  if (waits) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  yield name;
}
`;

let served: ServedHangar;
let dataDir: string;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hangar-cli-'));
  served = await serveHangar();
  dataDir = served.dataDir;
  for (const [name, code] of Object.entries({ greet: GREET, recite: RECITE })) {
    await mkdir(join(folder, name));
    await writeFile(join(folder, name, 'handler.mjs'), code);
    await json(dataDir, ['deploy', join(folder, name)]);
  }
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const terminal = (args: readonly string[], options?: Parameters<typeof openTerminal>[2]) =>
  openTerminal(dataDir, args, options);

describe('run, piped', () => {
  it('the output is one JSON document', async () => {
    expect(await json(dataDir, ['run', 'greet', '--input', '{"name": "Ada"}'])).toEqual(['Hello ', 'Ada']);
  });

  it('the input comes from standard input', async () => {
    expect(await json(dataDir, ['run', 'greet', '--input', '-'], { input: '{"name": "Bob"}' })).toEqual([
      'Hello ',
      'Bob',
    ]);
  });

  it('--stream prints each chunk as JSON on a line', async () => {
    const { code, stdout } = await hangar(dataDir, ['run', 'recite', '--input', '{"name": "Ada"}', '--stream']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '"Hello "\n"Ada"\n' });
  });

  it('a job that only streamed has its chunks as its output, also afterwards', async () => {
    expect(await json(dataDir, ['run', 'recite', '--input', '{"name": "Zoe"}'])).toEqual(['Hello ', 'Zoe']);
    const [job] = (await json(dataDir, ['jobs', '--text', 'Zoe'])) as { jobId: string }[];
    expect(await json(dataDir, ['jobs', 'output', job?.jobId ?? ''])).toEqual(['Hello ', 'Zoe']);
  });

  it('a job that fails ends the command with 1 and its error', async () => {
    const { code, stderr } = await hangar(dataDir, ['run', 'greet', '--input', '{"name": "nobody"}']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('there is nobody to greet') as string,
    });
  });

  it('an interruption cancels the job and ends the command with 130', async () => {
    const running = start(dataDir, ['run', 'recite', '--input', '{"name": "Eve", "waits": true}', '--stream']);
    await until('the first chunk', running.stdout, (text) => text.includes('Hello'));
    running.kill('SIGINT');
    expect(await running.ended()).toMatchObject({
      code: 130,
      stderr: expect.stringContaining('was cancelled') as string,
    });
    const [newest] = (await json(dataDir, ['jobs', '-n', '1'])) as { status: string }[];
    expect(newest?.status).toBe('CANCELLED');
  });
});

describe('exit codes and messages', () => {
  it.each<[string, string[], number, string]>([
    ['a command that is not there', ['jbos'], 2, 'jobs'],
    ['an endpoint that is not there', ['run', 'nowhere'], 4, 'There is no endpoint on This computer named "nowhere"'],
    ['an account that is not there', ['accounts', 'test', 'nowhere'], 4, 'There is no account named'],
    ['input that is no JSON', ['run', 'greet', '--input', '{'], 2, 'The input is not valid JSON'],
    [
      'a secret as an argument',
      ['accounts', 'add', 'x', '--kind', 'engine', '--key', 's3cret'],
      2,
      'cannot be an argument',
    ],
    ['a deletion that nobody can be asked about', ['endpoints', 'delete', 'greet'], 2, 'add --yes'],
  ])('%s', async (_name, args, code, message) => {
    const ended = await hangar(dataDir, args);
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) as string });
    expect(ended.stderr).not.toContain('s3cret');
  });

  it('without a running Hangar it is 3, and the message says how to start one', async () => {
    const ended = await hangar(join(folder, 'none'), ['jobs']);
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('hangar serve') as string });
  });

  it('a reader that has enough ends it quietly', async () => {
    const running = start(dataDir, ['endpoints']);
    running.stopReading();
    expect(await running.ended()).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });
});

describe('jobs, logs and keys', () => {
  it('jobs of this computer are listed and shown by their id', async () => {
    await json(dataDir, ['run', 'greet', '--input', '{"name": "listed"}']);
    const listed = (await json(dataDir, ['jobs', '--text', 'listed', '--status', 'completed'])) as { jobId: string }[];
    expect(listed).toHaveLength(1);
    const shown = await json(dataDir, ['jobs', 'show', listed[0]?.jobId ?? '']);
    expect(shown).toMatchObject({ request: { input: { name: 'listed' } }, output: ['Hello ', 'listed'] });
  });

  it('the log of a job has what its handler wrote', async () => {
    const { code, stdout } = await hangar(dataDir, ['run', 'greet', '--input', '{"name": "logged"}', '--detach']);
    expect(code).toBe(0);
    const { jobId } = JSON.parse(stdout) as { jobId: string };
    await until(
      'the line of the handler',
      () => json(dataDir, ['logs', '--job', jobId]),
      (lines) => JSON.stringify(lines).includes('greeting logged'),
    );
  });

  it('a key is made, refused while it is disabled, and deleted', async () => {
    const { key } = (await json(dataDir, ['keys', 'create', 'ci', '--scope', 'read'])) as { key: string };
    const status = async (): Promise<number> => {
      const answer = await fetch(`${served.api}/v1/endpoints`, { headers: { authorization: `Bearer ${key}` } });
      await answer.arrayBuffer();
      return answer.status;
    };
    expect(await status()).toBe(200);
    await json(dataDir, ['keys', 'disable', 'ci']);
    expect(await status()).toBe(401);
    await json(dataDir, ['keys', 'delete', 'ci', '--yes']);
    expect(JSON.stringify(await json(dataDir, ['keys']))).not.toContain('"ci"');
  });
});

describe('deploy', () => {
  /** As the engine has them: to start the command line for each look takes longer. */
  async function endpointsOf(path: string) {
    const headers = { authorization: `Bearer ${served.key}` };
    const answer = await fetch(`${served.api}/v1/endpoints?includeTemplate=true`, { headers });
    const endpoints = (await answer.json()) as { id: string; template: { imageName: string } }[];
    return endpoints.filter(({ template }) => template.imageName.endsWith(path));
  }

  it('the same folder again is the same endpoint, and takes what is named', async () => {
    const path = join(folder, 'again');
    await mkdir(path);
    await writeFile(join(path, 'handler.mjs'), 'export default () => process.env.WORD ?? null;');
    const first = (await json(dataDir, ['deploy', path])) as { endpointId: string; outcome: string };
    expect(first).toMatchObject({ outcome: 'made', name: 'again' });
    expect(await json(dataDir, ['deploy', path])).toMatchObject({ endpointId: first.endpointId, outcome: 'unchanged' });
    const changed = ['deploy', path, '--name', 'renamed', '--workers-max', '2', '--env', '-'];
    expect(await json(dataDir, changed, { input: 'WORD="of the file"\n' })).toMatchObject({
      endpointId: first.endpointId,
      outcome: 'updated',
    });
    expect(await endpointsOf('again')).toMatchObject([{ id: first.endpointId, name: 'renamed', workersMax: 2 }]);
    expect(await json(dataDir, ['run', 'renamed'])).toBe('of the file');
  });

  it('a folder without a handler is refused with what to do, and nothing is made', async () => {
    const path = join(folder, 'empty');
    await mkdir(path);
    const { code, stderr } = await hangar(dataDir, ['deploy', path]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Add a handler.mjs') as string });
    expect(await endpointsOf('empty')).toEqual([]);
  });

  it('the name of another endpoint is refused', async () => {
    const { code, stderr } = await hangar(dataDir, ['deploy', join(folder, 'empty'), '--name', 'greet', '--', 'true']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('Choose another name with --name') as string,
    });
  });

  it('--watch tells of a mistake, of the change that mends it, and puts the workers back', async () => {
    const path = join(folder, 'watched');
    const file = join(path, 'handler.mjs');
    await mkdir(path);
    await writeFile(file, 'export default () => 1;');
    const watching = start(dataDir, ['deploy', path, '--watch', '--json']);
    const events = (kind: string) => (text: string) => text.includes(`{"event":"${kind}"`);
    await until('the handler to run', watching.stdout, events('running'));
    await writeFile(file, 'import "./missing.mjs"; export default () => 1;');
    await until('the mistake', watching.stdout, (text) => /\{"event":"failing",[^\n]*missing\.mjs/.test(text));
    await writeFile(file, 'export default () => 2;');
    await until('the handler to run again', watching.stdout, (text) => text.split('{"event":"running"').length > 2);
    watching.kill('SIGINT');
    expect(await watching.ended()).toMatchObject({ code: 130 });
    expect(await endpointsOf('watched')).toMatchObject([{ workersMin: 0 }]);
  });
});

describe('on a terminal', skipFor(noTerminal), () => {
  it('a person reads a table as wide as the terminal, in colour', async () => {
    const wide = await terminal(['endpoints'], { columns: 160 }).ended();
    expect(wide).toMatchObject({ code: 0, isRaw: false });
    expect(wide.text).toContain('IMAGE');
    const narrow = terminal(['endpoints'], { columns: 50 });
    const { text } = await narrow.ended();
    expect(text).not.toContain('IMAGE');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(50);
    expect(narrow.raw()).toContain('\u001B[1m');
  });

  it('NO_COLOR takes the colours away, --json the table', async () => {
    const plain = terminal(['endpoints'], { env: { NO_COLOR: '1' } });
    await plain.ended();
    expect(plain.raw()).not.toContain('\u001B[');
    const { text } = await terminal(['endpoints', '--json']).ended();
    expect(JSON.parse(text)).toEqual(expect.arrayContaining([expect.objectContaining({ name: 'greet' })]));
  });

  it('--table makes a table for a pipe', async () => {
    const { stdout } = await hangar(dataDir, ['endpoints', '--table']);
    expect(stdout).toMatch(/^ID +NAME/);
  });

  it('chunks of text are one text', async () => {
    const { text } = await terminal(['run', 'recite', '--input', '{"name": "Ada"}', '--stream']).ended();
    expect(text).toContain('Hello Ada\n');
  });

  it('Ctrl+C cancels the job', async () => {
    const running = terminal(['run', 'recite', '--input', '{"name": "Eve", "waits": true}', '--stream']);
    await running.sees('Hello');
    running.type('\u0003');
    expect(await running.ended()).toMatchObject({
      code: 130,
      text: expect.stringContaining('was cancelled') as string,
    });
  });

  it('a deletion is asked about, and no is the usual answer', async () => {
    await createKey(served, 'asked');
    const refused = terminal(['keys', 'delete', 'asked']);
    await refused.sees('Delete it? [y/N]');
    refused.type('\r');
    expect(await refused.ended()).toMatchObject({
      code: 1,
      text: expect.stringContaining('Nothing was done') as string,
    });
    const deleted = terminal(['keys', 'delete', 'asked']);
    await deleted.sees('[y/N]');
    deleted.type('y\r');
    expect(await deleted.ended()).toMatchObject({ code: 0, text: expect.stringContaining('was deleted') as string });
  });
});

it('a Node that is too old ends it with a sentence', async () => {
  const old = join(folder, 'old.cjs');
  await writeFile(
    old,
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.1' } });",
  );
  const ended = await hangar(dataDir, ['jobs'], { env: { NODE_OPTIONS: `--require ${old}` } });
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('this is Node 20.11.1') as string });
});

it('--version prints the version, --help the commands with examples', async () => {
  const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
    version: string;
  };
  expect(await hangar(dataDir, ['--version'])).toMatchObject({ code: 0, stdout: `${version}\n` });
  const { code, stdout } = await hangar(dataDir, ['deploy', '--help']);
  expect(code).toBe(0);
  expect(stdout).toContain('Examples:');
});
