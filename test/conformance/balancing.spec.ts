import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { healthSchema } from '#contract/job.ts';
import { limits } from '#contract/limits.ts';
import { endpointSchema } from '#contract/resources.ts';
import { headersSeen, makeBalanced, type Seen } from '../support/balanced.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { openSocket } from '../support/rawSocket.ts';
import { accepted, makeEndpoint, makeIdleEndpoint } from '../support/resources.ts';
import { until } from '../support/until.ts';

let engine: TestEngine;
let endpointId: string;
let path: string;
beforeAll(async () => {
  engine = await startEngine();
  endpointId = (await makeBalanced(engine, { endpoint: { workersMin: 1 } })).id;
  path = `/lb/${endpointId}`;
});
afterAll(() => engine.close());

const seen = (answer: { json: unknown }): Seen => answer.json as Seen;
const message = (answer: { json: unknown }): string => (answer.json as { message: string }).message;
const health = async (id = endpointId) => healthSchema.parse((await engine.http.get(`/v2/${id}/health`)).json);

/** An open answer, whose body is read as it comes. */
async function opened(to: string, body?: AsyncIterable<Buffer>): Promise<IncomingMessage> {
  const outgoing = httpRequest(new URL(to, engine.address), {
    agent: false,
    method: body ? 'POST' : 'GET',
    headers: { authorization: engine.key },
  });
  const answering = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  // A worker that answers first is not to be failed by what is still being sent.
  outgoing.on('error', () => undefined);
  if (body) for await (const part of body) if (!outgoing.write(part)) await once(outgoing, 'drain');
  outgoing.end();
  return (await answering)[0];
}

describe('an endpoint of type LB', () => {
  test('is reached at /lb/{endpoint}/ with whatever path and query its worker knows', async () => {
    const answer = await engine.http.send('PUT', `${path}/a%20b/../c?q=%20&r`, 'body', {
      headers: { 'x-own': 'yes', 'content-type': 'text/plain' },
    });
    expect(answer.status).toBe(200);
    const { method, url, bytes } = seen(answer);
    // Whoever builds the address resolves its dots.
    expect({ method, url, bytes }).toEqual({ method: 'PUT', url: '/c?q=%20&r', bytes: 4 });
    expect(headersSeen(seen(answer))).toMatchObject({ 'x-own': 'yes', 'content-type': 'text/plain' });
  });

  test('is reached at {endpoint}.localhost with every path, also those that the engine has itself', async () => {
    const headers = { host: `${endpointId}.localhost:${engine.port}` };
    for (const own of ['/', '/v2/x/run', '/health', '/lb/x/y']) {
      expect(seen(await engine.http.get(own, { headers })).url).toBe(own);
    }
  });

  test.each(['/lb/', 'host'])('needs a key, as a bearer or bare, good for jobs (%s)', async (how) => {
    const { key: reading } = (await engine.http.post('/local/v1/api-keys', { name: 'r', scope: 'read' })).json as {
      key: string;
    };
    const send = (authorization: string | null) =>
      how === '/lb/'
        ? engine.http.get(path, { authorization })
        : engine.http.get('/', { authorization, headers: { host: `${endpointId}.localhost` } });
    expect((await send(null)).status).toBe(401);
    expect((await send('wrong')).status).toBe(401);
    expect((await send(reading)).status).toBe(403);
    expect((await send(engine.key)).status).toBe(200);
    expect((await send(`Bearer ${engine.key}`)).status).toBe(200);
  });

  test('does not show the key to its worker, nor headers of one connection; it tells who asked for what', async () => {
    const headers = { connection: 'close, x-hop', 'x-hop': '1', 'x-forwarded-for': '10.0.0.9', te: 'trailers' };
    const worker = headersSeen(seen(await engine.http.get(`${path}/x`, { headers })));
    expect(JSON.stringify(worker)).not.toContain(engine.key);
    expect(worker['authorization']).toBeUndefined();
    expect(worker['x-hop']).toBeUndefined();
    expect(worker).toMatchObject({
      'x-forwarded-for': '10.0.0.9, 127.0.0.1',
      'x-forwarded-host': `127.0.0.1:${engine.port}`,
      'x-forwarded-prefix': path,
      'x-forwarded-proto': 'http',
      te: 'trailers',
    });
  });

  test('passes back the status, its words, and the headers as the worker sent them', async () => {
    const answer = await opened(`${path}/refuse`);
    expect(answer.statusCode).toBe(422);
    expect(answer.statusMessage).toBe('Not Like This');
    expect(answer.headersDistinct['x-own']).toEqual(['a', 'b']);
    expect(answer.headers['x-hop']).toBeUndefined();
    answer.resume();
    await once(answer, 'end');
  });

  test('passes trailers on, both ways', async () => {
    using socket = await openSocket(engine.port);
    const head = `POST ${path}/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${engine.key}\r\nConnection: close\r\n`;
    socket.send(`${head}Transfer-Encoding: chunked\r\nTrailer: x-end\r\n\r\n3\r\nabc\r\n0\r\nx-end: 7\r\n\r\n`);
    expect(await socket.closed()).toContain('"trailers":{"x-end":"7"},"bytes":3');
    const answer = await opened(`${path}/trailers`);
    answer.resume();
    await once(answer, 'end');
    expect(answer.trailers).toEqual({ 'x-sum': '42' });
  });

  test('asks a caller that waits for 100 Continue to go on, or refuses it before the body', async () => {
    using socket = await openSocket(engine.port);
    const head = `POST ${path}/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${engine.key}\r\nExpect: 100-continue\r\n`;
    socket.send(`${head}Content-Length: 3\r\n\r\n`);
    await socket.heard(/^HTTP\/1.1 100 /);
    socket.send('abc');
    await socket.heard(/"bytes":3/);
    using other = await openSocket(engine.port);
    other.send(`${head}Content-Length: ${limits.balancing.bodyBytes + 1}\r\n\r\n`);
    expect(await other.heard(/413/)).not.toContain('100 Continue');
  });

  test('passes HEAD on, without a body', async () => {
    const answer = await engine.http.send('HEAD', `${path}/bytes?bytes=1000&declared=true`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-length']).toBe('1000');
    expect(answer.text).toBe('');
  });

  test('passes a stream of events on as they come', async () => {
    const events = await opened(`${path}/events`);
    expect(events.headers['content-type']).toBe('text/event-stream');
    const read = events.setEncoding('utf8')[Symbol.asyncIterator]();
    for (const text of ['first', 'second']) {
      await engine.http.get(`${path}/event?text=${text}`);
      expect((await read.next()).value).toBe(`data: ${text}\n\n`);
    }
    events.destroy();
  });

  test('has no queue: every operation for jobs is a 400 that says so, and health counts its workers', async () => {
    const operations = ['run', 'runsync', 'cancel/x', 'retry/x', 'purge-queue', 'stream/x', 'status/x'];
    for (const operation of operations) {
      const answer = await engine.http.post(`/v2/${endpointId}/${operation}`, { input: {} });
      expect(answer.status, operation).toBe(400);
      expect(message(answer)).toContain(`/lb/${endpointId}/`);
    }
    await engine.http.get(path);
    expect((await health()).workers).toMatchObject({ initializing: 0, ready: 1, unhealthy: 0 });
  });

  test('scales by REQUEST_COUNT only', async () => {
    const made = await makeBalanced(engine, { endpoint: { workersMax: 0 } });
    expect(made.scalerType).toBe('REQUEST_COUNT');
    const answer = await engine.http.send('PATCH', `/v1/endpoints/${made.id}`, { scalerType: 'QUEUE_DELAY' });
    expect(answer.status).toBe(400);
    expect(message(answer)).toContain('REQUEST_COUNT');
  });

  test('keeps its type: another one is a 400 that says so', async () => {
    const answer = await engine.http.send('PATCH', `/v1/endpoints/${endpointId}`, { type: 'QB' });
    expect(answer.status).toBe(400);
    expect(message(answer)).toContain('type');
    const same = await engine.http.send('PATCH', `/v1/endpoints/${endpointId}`, { type: 'LB' });
    expect(endpointSchema.parse(accepted(same)).type).toBe('LB');
  });
});

test('an endpoint with a queue balances no load, and says so', async () => {
  const { id } = await makeIdleEndpoint(engine);
  for (const answer of [
    await engine.http.get(`/lb/${id}/x`),
    await engine.http.get('/x', { headers: { host: `${id}.localhost` } }),
  ]) {
    expect(answer.status).toBe(400);
    expect(message(answer)).toContain(`/v2/${id}/run`);
  }
  expect((await engine.http.get('/lb/nobody/x')).status).toBe(404);
});

describe('a body', () => {
  /** 30 MB exactly, made as it is sent. */
  async function* most(hash = createHash('sha1')) {
    for (let left = limits.balancing.bodyBytes; left > 0; left -= 65_536) {
      const part = Buffer.alloc(Math.min(left, 65_536), left % 251);
      hash.update(part);
      yield await Promise.resolve(part);
    }
  }
  const rss = (): number => {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${engine.pid}/status`, 'utf8'))?.[1];
    return Number(kilobytes) * 1024;
  };

  test('of 30 MB passes either way', async () => {
    const hash = createHash('sha1');
    const up = await opened(`${path}/x`, most(hash));
    const text = Buffer.concat(await up.toArray()).toString();
    expect(JSON.parse(text)).toMatchObject({ bytes: limits.balancing.bodyBytes, sha1: hash.digest('hex') });
    for (const declared of [true, false]) {
      let bytes = 0;
      const down = await opened(`${path}/bytes?bytes=${limits.balancing.bodyBytes}&declared=${declared}`);
      for await (const part of down) bytes += (part as Buffer).length;
      expect(bytes).toBe(limits.balancing.bodyBytes);
    }
  });

  test.skipIf(process.platform !== 'linux')('that nobody reads waits at the worker, not in memory', async () => {
    const before = rss();
    // Read by nobody, while as much is asked for as the connections of all would hold.
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => opened(`${path}/bytes?bytes=${limits.balancing.bodyBytes}`)),
    );
    await engine.http.get(path);
    expect(rss() - before).toBeLessThan(100 * 1024 * 1024);
    for (const answer of answers) answer.destroy();
  });

  test('above 30 MB is a 413, announced or not', async () => {
    const announced = await opened(`${path}/x`, undefined);
    announced.resume();
    await once(announced, 'end');
    using socket = await openSocket(engine.port);
    const bytes = limits.balancing.bodyBytes + 1;
    socket.send(
      `POST ${path}/x HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${engine.key}\r\nContent-Length: ${bytes}\r\n\r\n`,
    );
    expect(await socket.heard(/413[\s\S]*\}/)).toContain(`${bytes} were announced`);
    const streamed = await opened(
      `${path}/x`,
      (async function* () {
        yield* most();
        yield Buffer.from('one more');
      })(),
    );
    expect(streamed.statusCode).toBe(413);
    streamed.resume();
    await once(streamed, 'end');
  });

  test('of an answer above 30 MB is a 502 where it is announced, and cut where it is not', async () => {
    const bytes = limits.balancing.bodyBytes + 1;
    const announced = await engine.http.get(`${path}/bytes?bytes=${bytes}&declared=true`);
    expect(announced.status).toBe(502);
    expect(message(announced)).toContain(String(limits.balancing.bodyBytes));
    await expect(engine.http.get(`${path}/bytes?bytes=${bytes}`)).rejects.toThrow();
    expect(engine.stderr).toContain('is too large');
  });
});

describe('a request', () => {
  test('whose worker dies is a 502 with the reason, and is not tried again', async () => {
    const { id } = await makeBalanced(engine);
    const answer = await engine.http.get(`/lb/${id}/die`);
    expect(answer.status).toBe(502);
    expect(message(answer)).toMatch(/exit code 7/);
    await expect(engine.http.get(`/lb/${id}/half?die`)).rejects.toThrow();
  });

  test('that its worker breaks off without an answer is a 502', async () => {
    const { id } = await makeBalanced(engine, {
      app: `import { createServer } from 'node:http';
        createServer((request, response) => {
          if (request.url === '/ping') response.end();
          else request.socket.destroy();
        }).listen(process.env.PORT);`,
    });
    const answer = await engine.http.get(`/lb/${id}/x`);
    expect(answer.status).toBe(502);
    expect(message(answer)).toContain('without an answer');
  });

  test('whose caller goes away is taken from the worker', async () => {
    const leaving = new AbortController();
    const asking = engine.http.get(`${path}/gone`, { signal: leaving.signal });
    asking.catch(() => undefined);
    await until('the request to be with the worker', async () => (await health()).jobs.inProgress > 0);
    leaving.abort();
    await expect(asking).rejects.toThrow();
    await until('the worker to see it', async () => (await engine.http.get(`${path}/went-away`)).text === 'true');
  });

  test('goes to the least busy worker, in turn', async () => {
    const { id } = await makeBalanced(engine, { endpoint: { workersMin: 2, workersMax: 2 } });
    await until('both workers to be ready', async () => (await health(id)).workers.ready === 2);
    const answers = await Promise.all(Array.from({ length: 8 }, () => engine.http.get(`/lb/${id}/late?ms=200`)));
    const by = answers.map(({ headers }) => headers['x-runpod-worker-id']);
    expect(new Set(by).size).toBe(2);
    for (const one of new Set(by)) expect(by.filter((other) => other === one)).toHaveLength(4);
    const inTurn = [];
    for (let n = 0; n < 4; n++) inTurn.push((await engine.http.get(`/lb/${id}/x`)).headers['x-runpod-worker-id']);
    expect(inTurn[0]).toBe(inTurn[2]);
    expect(inTurn[0]).not.toBe(inTurn[1]);
  });

  test('is answered with the id of its worker, and goes there again if it names it', async () => {
    const { id } = await makeBalanced(engine, { endpoint: { workersMin: 2, workersMax: 2 } });
    await until('both workers to be ready', async () => (await health(id)).workers.ready === 2);
    const workerId = String((await engine.http.get(`/lb/${id}/x`)).headers['x-runpod-worker-id']);
    for (const wish of [workerId, `strict ${workerId}`, `strict-resume ${workerId}`]) {
      for (let n = 0; n < 3; n++) {
        const headers = { 'x-runpod-worker-id': wish };
        expect(seen(await engine.http.get(`/lb/${id}/x`, { headers })).workerId).toBe(workerId);
      }
    }
    const anybody = await engine.http.get(`/lb/${id}/x`, { headers: { 'x-runpod-worker-id': 'w-gone' } });
    expect(anybody.status).toBe(200);
    for (const wish of ['strict w-gone', 'strict-resume w-gone']) {
      const gone = await engine.http.get(`/lb/${id}/x`, { headers: { 'x-runpod-worker-id': wish } });
      expect(gone.status).toBe(404);
      expect(message(gone)).toContain('affinity_worker_gone');
    }
  });

  test('above what the workers are meant for calls for one more', async () => {
    const { id } = await makeBalanced(engine, { endpoint: { workersMax: 2, scalerValue: 2 } });
    await engine.http.get(`/lb/${id}/x`);
    const leaving = new AbortController();
    const asking = Array.from({ length: 3 }, () => engine.http.get(`/lb/${id}/never`, { signal: leaving.signal }));
    for (const one of asking) one.catch(() => undefined);
    await until('a second worker to be ready', async () => (await health(id)).workers.ready === 2);
    leaving.abort();
  });
});

describe('the health of a worker', () => {
  test('is asked at HEALTH_CHECK_PATH on PORT_HEALTH: 204 is starting, 200 is ready', async () => {
    const env = { PORT: '8000', PORT_HEALTH: '8001', HEALTH_CHECK_PATH: 'alive', STARTS_WITH: '204' };
    const { id } = await makeBalanced(engine, { env, endpoint: { workersMin: 1 } });
    const answering = engine.http.get(`/lb/${id}/x`);
    const worker = await until('the worker to run', async () => {
      const workers = (await engine.http.get('/local/v1/workers')).json as { endpointId: string; pid: number }[];
      return workers.find(({ endpointId: of }) => of === id);
    });
    expect((await health(id)).workers).toMatchObject({ ready: 0, initializing: 1 });
    // It is told through its own server, past the engine.
    const told = readFileSync(`/proc/${worker.pid}/environ`, 'utf8').split('\0');
    const valueOf = (name: string) => told.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1);
    expect(valueOf('PORT')).not.toBe('8000');
    expect(valueOf('PORT_HEALTH')).not.toBe(valueOf('PORT'));
    expect(valueOf('HEALTH_CHECK_PATH')).toBe('/alive');
    await until('its server to listen', () =>
      fetch(`http://127.0.0.1:${valueOf('PORT')}/become?status=200`).then(
        (answer) => answer.arrayBuffer(),
        () => null,
      ),
    );
    expect((await answering).status).toBe(200);
    expect((await health(id)).workers).toMatchObject({ ready: 1, initializing: 0 });
  });

  test('a PORT that is none is told before anything is started', async () => {
    const { id } = await makeBalanced(engine, { env: { PORT: 'eighty' } });
    const listed = (await engine.http.get('/local/v1/endpoints')).json as { id: string; reason: string }[];
    expect(listed.find((one) => one.id === id)).toMatchObject({ available: false, reason: /PORT .*"eighty"/ });
  });

  test('a folder with a handler for jobs and no command is told to have no server', async () => {
    const handler = { 'handler.mjs': 'export default () => 1;' };
    const { endpoint } = await makeEndpoint(engine, handler, { endpoint: { type: 'LB' } });
    const listed = (await engine.http.get('/local/v1/endpoints')).json as { id: string; reason: string }[];
    expect(listed.find((one) => one.id === endpoint.id)?.reason).toContain('dockerStartCmd');
  });
});
