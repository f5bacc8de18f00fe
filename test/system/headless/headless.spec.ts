/** The headless host as a whole: real processes, the page's real connection, real handlers. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JobEvent } from '#contract/app/ledger.ts';
import { NOT_PAIRED_CODE, NOT_PAIRED_PATH } from '#contract/app/pageSession.ts';
import { freePort } from '../../support/http/freePort.ts';
import { openSocket } from '../../support/http/rawSocket.ts';
import {
  ask,
  connect,
  newDataDir,
  pair,
  startHost,
  type BridgeClient,
  type DataDir,
  type Host,
  type Page,
  type Ready,
  type Session,
} from './headlessHost.ts';

const HERE = 'this-machine';
const ANY_PORTS = ['--port', '0', '--ui-port', '0', '--json'];
const words = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

/**
 * Streams the words; each chunk also tells the process id of the engine that runs it. Before the last word it waits for
 * the file `lastAfter`, if there is one in the input.
 */
const wordHandler = `import { existsSync } from 'node:fs';
import { setTimeout as later } from 'node:timers/promises';
export default async function* (job) {
  const { words, everyMs, lastAfter } = job.input;
  for (const [index, word] of words.entries()) {
    do await later(everyMs);
    while (lastAfter && index === words.length - 1 && !existsSync(lastAfter));
    yield { word, engine: process.ppid };
  }
}
`;
interface Word {
  word: string;
  engine: number;
}

async function manage(ready: Ready, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${ready.api}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${ready.apiKey}`,
      connection: 'close',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

async function makeEndpoint(ready: Ready, name: string, source: string): Promise<string> {
  const folder = join(ready.dataDir, 'handlers', name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'handler.mjs'), source);
  const imageName = pathToFileURL(folder).href;
  const template = (await manage(ready, 'POST', '/v1/templates', { name, imageName, isServerless: true })) as {
    id: string;
  };
  const workers = { workersMin: 0, workersMax: 3, idleTimeout: 60 };
  const endpoint = await manage(ready, 'POST', '/v1/endpoints', { name, templateId: template.id, ...workers });
  return (endpoint as { id: string }).id;
}

const chunksOf = (events: JobEvent[]) => events.flatMap((event) => (event.type === 'entry' ? [] : event.chunks));

/** All events of a job. `onEvent` is told after each of them how many chunks have come. */
async function eventsOf(
  client: BridgeClient,
  entryId: string,
  onEvent: (chunkCount: number) => Promise<void> = () => Promise.resolve(),
): Promise<JobEvent[]> {
  const events: JobEvent[] = [];
  for await (const event of await client.jobs.watch({ entryId })) {
    events.push(event);
    await onEvent(chunksOf(events).length);
  }
  return events;
}

describe('a running headless host', () => {
  const key = 'rpa_OWN_KEY_of_this_test_1234567890';
  const storageSecret = 'storage-secret-1234567890';
  let dataDir: DataDir;
  let host: Host;
  let ready: Ready;
  let session: Session;
  let page: Page;
  let endpointId: string;

  beforeAll(async () => {
    dataDir = await newDataDir();
    host = startHost(['--data-dir', dataDir.path, ...ANY_PORTS], { HANGAR_API_KEY: key });
    ready = await host.ready();
    session = await pair(ready.ui ?? '');
    page = await connect(ready.ui ?? '', session);
    endpointId = await makeEndpoint(ready, 'words', wordHandler);
  });

  afterAll(async () => {
    await page[Symbol.asyncDispose]();
    await host.stop();
    await dataDir[Symbol.asyncDispose]();
  });

  const send = (body: string, mode: 'run' | 'runsync' = 'run') =>
    page.client.jobs.submit({
      entryId: randomUUID(),
      endpointName: 'words',
      accountId: HERE,
      endpointId,
      mode,
      body,
    });
  const submit = (input: unknown, mode?: 'runsync') => send(JSON.stringify({ input }), mode);

  it('uses the key of HANGAR_API_KEY for its run, and tells the first key once', () => {
    expect(ready).toMatchObject({ apiKey: key, pid: host.child.pid, dataDir: dataDir.path });
    expect(host.stdout).toHaveLength(2);
    expect(JSON.parse(host.stdout[1] ?? '')).toEqual({ event: 'first-key', apiKey: expect.stringMatching(/^rpa_/) });
  });

  it('runs a streaming job from the page and shows its chunks one after another, in order, each once', async () => {
    const { client } = page;
    const lastAfter = join(dataDir.path, 'all-others-were-seen');
    const input = { words, everyMs: 60, lastAfter };
    const entry = await submit(input);
    const events = await eventsOf(client, entry.entryId, async (count) => {
      if (count === words.length - 1) await writeFile(lastAfter, '');
    });

    const chunks = chunksOf(events);
    expect(chunks.map(({ text }) => (JSON.parse(text) as Word).word)).toEqual(words);
    expect(chunks.map(({ index }) => index)).toEqual(words.map((_, index) => index));
    expect(events.map((event) => (event.type === 'chunks' ? null : event.entry.status))).toContain('IN_PROGRESS');
    expect(events.at(-1)).toMatchObject({
      type: 'entry',
      entry: { status: 'COMPLETED', chunkCount: words.length, endpointName: 'words', waiting: null, error: null },
    });
    const { entry: ended, body } = await client.jobs.get({ entryId: entry.entryId });
    expect(ended.startedAt).toBeGreaterThanOrEqual(ended.sentAt);
    expect(ended.finishedAt).toBeGreaterThanOrEqual(ended.startedAt ?? Infinity);
    expect(ended.executionTime).toBeGreaterThanOrEqual(words.length * 60);
    expect(ended.workerId).toEqual(expect.any(String));
    expect(body).toBe(JSON.stringify({ input }));
  });

  it('stops a runsync job while it runs, because its id is known before its result', async () => {
    const { entryId, mode, jobId } = await submit({ words: Array(1000).fill('on'), everyMs: 100 }, 'runsync');
    expect({ mode, jobId }).toEqual({ mode: 'runsync', jobId: expect.any(String) });
    await page.client.jobs.cancel({ entryId });
    // On a slow machine, the end is known after this answer.
    expect((await eventsOf(page.client, entryId)).at(-1)).toMatchObject({ entry: { status: 'CANCELLED' } });
  });

  it('keeps what the service refused, with its reason, and does not send what is no JSON', async () => {
    expect(await send('{"input": {}, "policy": {"ttl": 1}}')).toMatchObject({
      status: 'REFUSED',
      jobId: null,
      error: expect.stringContaining('ttl'),
    });
    await expect(send('{')).rejects.toMatchObject({ code: 'BAD_REQUEST', status: 400 });
  });

  it('refuses a foreign Host, a foreign Origin and a connection without a session', async () => {
    const link = ready.ui ?? '';
    const { port } = new URL(link);
    const foreign = `evil.example:${port}`;
    expect((await ask(link, { host: foreign, cookie: session.cookie })).status).toBe(403);
    await expect(connect(link, session, { origin: 'http://evil.example' })).rejects.toThrow('403');
    await expect(connect(link, session, { origin: 'http://127.0.0.1:1' })).rejects.toThrow('403');
    await expect(connect(link, session, { host: foreign, origin: `http://${foreign}` })).rejects.toThrow('403');
    await expect(connect(link, { ...session, cookie: '' })).rejects.toThrow('401');
  });

  it('serves the page under a name of its own, to which browsers that know it are sent on from 127.0.0.1', async () => {
    const link = new URL(ready.ui ?? '');
    expect(link.hostname).toMatch(/^hangar-[0-9a-f]{8}\.localhost$/);
    const bare = `http://127.0.0.1:${link.port}/?pair=not-used`;
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:152.0) Gecko/20100101 Firefox/152.0';
    expect(await ask(bare, { 'user-agent': firefox })).toMatchObject({
      status: 303,
      headers: { location: `${link.origin}/?pair=not-used` },
    });
    expect((await ask(bare, { 'user-agent': 'Safari/605' })).status).toBe(403);
  });

  it.each([
    ['none', ''],
    ['a wrong one', 'x'.repeat(32)],
  ])(
    'does not connect who has the cookie of a session and forges its origin, but has %s of its page',
    async (_what, pageToken) => {
      await using other = await connect(ready.ui ?? '', { ...session, pageToken });
      expect(await other.closed).toBe(NOT_PAIRED_CODE);
      await expect(other.client.accounts.list()).rejects.toThrow();
      const { headers, status } = await ask(new URL(NOT_PAIRED_PATH, ready.ui ?? '').href, { cookie: session.cookie });
      expect({ status, cookie: headers['set-cookie'] }).toEqual({
        status: 401,
        cookie: [expect.stringMatching(/^hangar_session_\d+=; .*Max-Age=0$/)],
      });
    },
  );

  it.each([
    ['an address', (origin: string) => `${origin}/?pair=x`],
    ['two slashes', () => '//?pair=x'],
    ['no slash', () => '?pair=x'],
  ])('refuses a request line that names %s instead of a path', async (_what, targetOf) => {
    const { host, origin, port } = new URL(ready.ui ?? '');
    using socket = await openSocket(Number(port));
    socket.send(`GET ${targetOf(origin)} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(await socket.closed()).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('starts a killed engine again at the same address, and the job goes on to its end', async () => {
    const { client } = page;
    const accounts = await client.accounts.list();
    const engineStates = await client.engine.watch();
    expect((await engineStates.next()).value).toMatchObject({ state: 'ready', restarts: 0 });

    const lastAfter = join(dataDir.path, 'the-engine-was-killed');
    const entry = await submit({ words, everyMs: 60, lastAfter });
    const events: JobEvent[] = [];
    let killed = 0;
    for await (const event of await client.jobs.watch({ entryId: entry.entryId })) {
      events.push(event);
      const chunk = event.type === 'entry' ? undefined : event.chunks[0];
      if (killed > 0 || chunk === undefined) continue;
      killed = (JSON.parse(chunk.text) as Word).engine;
      process.kill(killed, 'SIGKILL');
      await writeFile(lastAfter, '');
    }

    const states: string[] = [];
    for await (const { state, restarts } of engineStates) {
      // On a slow machine an engine may not answer for a while, which is told beside its state.
      if (state === 'ready' && restarts === 0) continue;
      states.push(state);
      if (state === 'ready') break;
    }
    expect(states).toEqual(['restarting', 'restarting', 'ready']);
    expect(await client.accounts.list()).toEqual(accounts);
    expect(events.at(-1)).toMatchObject({ type: 'entry', entry: { status: 'COMPLETED' } });
    // The attempt that went down with the engine is not part of the result: a new snapshot takes its place.
    const lastChunks = chunksOf(events.slice(events.findLastIndex(({ type }) => type === 'snapshot')));
    expect(lastChunks.map(({ index }) => index)).toEqual(words.map((_, index) => index));
    expect(lastChunks.map(({ text }) => (JSON.parse(text) as Word).word)).toEqual(words);
  });

  it('stops in order with exit code 0, and no secret is in anything it wrote', async () => {
    const { client } = page;
    const body = JSON.stringify({
      input: { words: ['a'], everyMs: 1 },
      s3Config: { accessId: storageSecret, accessSecret: storageSecret, bucketName: 'bucket' },
    });
    const entry = await send(body);
    await eventsOf(client, entry.entryId);
    const detail = await client.jobs.get({ entryId: entry.entryId });
    expect(detail.body).toContain('"bucketName":"bucket"');
    expect(JSON.stringify(detail)).not.toContain(storageSecret);

    const exit = await host.stop();
    expect(exit).toMatchObject({ code: 0, signal: null });
    const firstKey = (JSON.parse(host.stdout[1] ?? '') as { apiKey: string }).apiKey;
    const files = await readdir(dataDir.path, { recursive: true, withFileTypes: true });
    const written = await Promise.all(
      files.filter((file) => file.isFile()).map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')),
    );
    for (const secret of [key, storageSecret, firstKey, session.cookie.split('=')[1], session.pageToken]) {
      expect(secret).toMatch(/.{10}/);
      expect([exit.stderr, ...written].some((text) => text.includes(String(secret)))).toBe(false);
    }
  });
});

describe('starting the headless host', () => {
  it('writes the time in one form into the logs of the app and the engine', async () => {
    await using dataDir = await newDataDir();
    await using host = startHost(['--data-dir', dataDir.path, ...ANY_PORTS]);
    await host.ready();
    await host.stop();
    for (const name of ['app.log', 'engine.log']) {
      const lines = (await readFile(join(dataDir.path, 'logs', name), 'utf8')).trimEnd().split('\n');
      const times = lines.map((line) => (JSON.parse(line) as { time: unknown }).time);
      expect(times.filter((time) => !/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(String(time)))).toEqual([]);
    }
  });

  it('keeps pairings and remembers which samples it made; a link works once; fault 13: a data folder is for one instance', async () => {
    await using dataDir = await newDataDir();
    const uiPort = String(await freePort());
    let session: Session;
    let sampleNames: string[];
    {
      await using host = startHost(['--data-dir', dataDir.path, '--port', '0', '--ui-port', uiPort, '--json']);
      const ready = await host.ready();
      const link = ready.ui ?? '';

      const second = await startHost(['--data-dir', dataDir.path, ...ANY_PORTS]).exited();
      expect(second).toMatchObject({ code: 3, stdout: [] });
      expect(second.stderr).toContain(`pid ${ready.pid}`);

      const unpaired = await ask(new URL(link).origin, { accept: 'text/html' });
      expect(unpaired.status).toBe(401);
      expect(unpaired.text).toContain('press <kbd>Enter</kbd>');
      expect(unpaired.headers['content-security-policy']).toContain("default-src 'none'");
      session = await pair(link);
      const used = await ask(link, { accept: 'text/html' });
      expect(used).toMatchObject({ status: 403, text: expect.stringContaining('does not work any more') });
      expect(used.headers['set-cookie']).toBeUndefined();

      await using page = await connect(link, session);
      const samples = await page.client.endpoints.list({ accountId: HERE });
      expect(samples).toHaveLength(5);
      for (const { sampleInput, description, imageName } of samples) {
        expect(JSON.parse(sampleInput ?? '')).toHaveProperty('input');
        expect(description).toMatch(/\w+/);
        expect(imageName).toContain(pathToFileURL(join(dataDir.path, 'examples')).href);
      }
      await manage(ready, 'DELETE', `/v1/endpoints/${samples[0]?.id}`);
      sampleNames = samples.slice(1).map(({ name }) => name);
    }
    await using host = startHost(['--data-dir', dataDir.path, '--port', '0', '--ui-port', uiPort, '--json']);
    const { ui } = await host.ready();
    expect(host.stdout).toHaveLength(1);
    await expect(connect(ui ?? '', { ...session, cookie: `${session.cookie}x` })).rejects.toThrow('401');
    await using page = await connect(ui ?? '', session);
    const names = (await page.client.endpoints.list({ accountId: HERE })).map(({ name }) => name);
    expect(names.toSorted()).toEqual(sampleNames.toSorted());
  });

  it('fault 13: works at once on the folder and port of a host that was killed', async () => {
    await using dataDir = await newDataDir();
    const port = String(await freePort());
    const killed = startHost(['--data-dir', dataDir.path, '--json', '--no-ui', '--port', port]);
    await killed.ready();
    killed.child.kill('SIGKILL');
    await killed.exited();
    await using host = startHost(['--data-dir', dataDir.path, '--json', '--no-ui', '--port', port]);
    expect(new URL((await host.ready()).api).port).toBe(port);
  });

  it.each(['--port', '--ui-port'])(
    'fault 14: ends with 2 and one line when %s is taken, naming the port and who holds it',
    async (flag) => {
      await using dataDir = await newDataDir();
      const holder = createServer().listen(0, '127.0.0.1');
      await once(holder, 'listening');
      const port = String((holder.address() as { port: number }).port);
      // Without --json, as a person starts it.
      const ports = ['--port', '0', '--ui-port', '0', flag, port];
      const exit = await startHost(['--data-dir', dataDir.path, ...ports]).exited();
      holder.close();
      await once(holder, 'close');

      expect(exit).toMatchObject({ code: 2, stdout: [] });
      // No stack trace stands before it.
      const notices = exit.stderr.trim().split('\n');
      expect(notices, exit.stderr).toHaveLength(1);
      expect(notices[0]).toMatch(/^hangar: /);
      expect(notices[0]).toContain(port);
      if (process.platform === 'linux') expect(notices[0]).toContain(`pid ${process.pid}`);
      expect(notices[0]).not.toContain('MainThread');
    },
  );

  it('ends with 2 and one line for a flag that does not exist', async () => {
    const exit = await startHost(['--nope']).exited();
    expect(exit).toMatchObject({ code: 2, stdout: [] });
    expect(exit.stderr).toMatch(/^hangar: .*--nope.*\n$/);
  });
});
