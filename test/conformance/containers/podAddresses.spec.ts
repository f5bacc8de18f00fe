/** The http ports of Pods, reached through the engine at names of their own. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pino } from 'pino';
import { apiKeyCreatedSchema } from '#contract/local/engine.ts';
import { podPortCheckSchema } from '#contract/local/podMetrics.ts';
import { createPodTunnel } from '../../../main/app/tunnel/podTunnel.ts';
import { bridgeAddressOf, whyNoContainers } from '../../support/containers/engine.ts';
import { makePythonImage } from '../../support/containers/images.ts';
import { startAccountApp } from '../../support/accounts/accountApp.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import { startPodEngine, type PodEngine } from '../../support/pods/podEngine.ts';
import { volumeOf, wrote, type PodsOf } from '../../support/pods/pods.ts';
import { openSocket, type RawSocket } from '../../support/http/rawSocket.ts';
import { accepted } from '../../support/resources/resources.ts';
import { until } from '../../support/core/until.ts';
import { skipFor } from '../../support/core/skip.ts';

const IMAGE = 'hangar-python:1';
const none = whyNoContainers();

/** Answers what it was asked; changes to a protocol that says everything twice; begins once it may. */
const SERVER = `
import base64, hashlib, http.server, json, os, signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
class Asked(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def log_message(self, *_): pass
    def do_GET(self):
        if self.headers.get('Upgrade'):
            key = self.headers['Sec-WebSocket-Key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
            self.send_response(101)
            self.send_header('Upgrade', 'websocket')
            self.send_header('Connection', 'Upgrade')
            self.send_header('X-Asked', ' '.join(self.headers.keys()))
            self.send_header('Sec-WebSocket-Accept', base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
            self.end_headers()
            self.wfile.flush()
            said = os.read(self.connection.fileno(), 1000)
            self.connection.sendall(said + said)
            self.close_connection = True
            return
        length = int(self.headers.get('Content-Length') or 0)
        body = self.rfile.read(length)
        told = json.dumps({'method': self.command, 'path': self.path, 'headers': dict(self.headers.items()), 'bytes': len(body)}).encode()
        self.send_response(203)
        self.send_header('Content-Length', str(len(told)))
        self.send_header('X-Own', 'yes')
        self.end_headers()
        self.wfile.write(told)
    do_POST = do_PUT = do_GET
open('/workspace/up', 'w').close()
while not os.path.exists('/workspace/go'): time.sleep(0.05)
http.server.ThreadingHTTPServer(('0.0.0.0', 8888), Asked).serve_forever()
`;
import { messageOf } from '../../support/http/client.ts';

describe('an http port of a Pod', skipFor(none), () => {
  let started: PodEngine;
  let engine: TestEngine;
  let pods: PodsOf;
  /** An address of this machine that is not loopback. What comes there counts as from another machine. */
  let ownAddress: string;
  beforeAll(async () => {
    started = await startPodEngine({ host: '0.0.0.0', makeImage: (docker) => makePythonImage(docker, IMAGE) });
    ({ engine, pods } = started);
    ownAddress = await bridgeAddressOf(started.containers);
  });
  afterEach(() => pods.deleteAll());
  afterAll(() => started.close());

  const hostOf = (id: string, port = 8888): string => `${id}-${port}.localhost:${engine.port}`;
  const ask = (id: string, method = 'GET', path = '/', body?: Uint8Array, headers: Record<string, string> = {}) =>
    engine.http.send(method, path, body, { authorization: null, headers: { host: hostOf(id), ...headers } });
  async function serving(): Promise<string> {
    const { id } = await pods.make({
      imageName: IMAGE,
      ports: ['8888/http', '22/tcp'],
      dockerStartCmd: ['/bin/python3', '-c', SERVER],
    });
    await pods.running(id);
    // Until it has begun to listen to signals, a stop would take its grace time.
    await wrote(engine, id, 'up', '');
    return id;
  }
  const listens = async (id: string): Promise<void> => {
    writeFileSync(volumeOf(engine, id, 'go'), '');
    await until('it to listen', async () => (await ask(id)).status, 203);
  };

  test('is reached at {podId}-{port}.localhost of the engine without a key, and is told what it was asked, keys of its own included', async () => {
    const id = await serving();
    const early = await ask(id);
    expect(early.status).toBe(502);
    expect(early.json).toMatchObject({
      message: expect.stringMatching(/Port 8888 of the Pod "my pod".*nothing listens there yet/) as string,
    });
    expect((await pods.facts(id)).httpAddresses).toEqual({ '8888': `http://${hostOf(id)}/` });
    await listens(id);
    const answer = await ask(id, 'POST', '/v1/pods?a=1', Buffer.alloc(100_000, 'x'), {
      authorization: 'token own',
      'x-runpod-worker-id': 'kept',
    });
    expect(answer.status).toBe(203);
    expect(answer.headers['x-own']).toBe('yes');
    expect(answer.headers['x-runpod-worker-id']).toBeUndefined();
    expect(answer.json).toMatchObject({
      method: 'POST',
      path: '/v1/pods?a=1',
      bytes: 100_000,
      headers: {
        host: hostOf(id),
        authorization: 'token own',
        'X-Forwarded-Proto': 'http',
        'X-Forwarded-Host': hostOf(id),
      },
    });
  });

  /** As another machine asks. */
  const askElsewhere = (id: string, headers: Record<string, string> = {}, authorization: string | null = null) =>
    engine.http.send('GET', `http://${ownAddress}:${engine.port}/lab`, undefined, {
      authorization,
      headers: { host: hostOf(id), ...headers },
    });
  const makeKey = async (scope: string) =>
    apiKeyCreatedSchema.parse(accepted(await engine.http.post('/local/v1/api-keys', { name: scope, scope })));

  test('asks another machine for a key that allows everything, and keeps it from the Pod', async () => {
    const id = await serving();
    await listens(id);
    const refused = async (headers: Record<string, string>, authorization: string | null = null) => {
      const { status, json, headers: answered } = await askElsewhere(id, headers, authorization);
      expect(answered['x-own']).toBeUndefined();
      expect(answered['x-hangar-key-refused']).toBe('yes');
      return [status, messageOf({ json })];
    };
    const needed = [401, expect.stringContaining('send it in the header "x-hangar-key"')];
    expect(await refused({})).toEqual(needed);
    expect(await refused({ 'x-hangar-key': '' })).toEqual(needed);
    // The program's own authorization is no key of Hangar, and what a caller says about itself counts for nothing.
    expect(await refused({}, `Bearer ${engine.key}`)).toEqual(needed);
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded']) {
      expect(await refused({ [name]: name === 'forwarded' ? 'for=127.0.0.1' : '127.0.0.1' })).toEqual(needed);
    }
    expect(await refused({ 'x-hangar-key': 'rpa_wrong' })).toEqual([
      401,
      expect.stringContaining('refuses the API key'),
    ]);
    const { key: jobsKey } = await makeKey('jobs');
    expect(await refused({ 'x-hangar-key': jobsKey })).toEqual([403, expect.stringContaining('the scope "jobs"')]);
    // Without a key nobody learns which Pods there are.
    expect((await askElsewhere('nobody')).status).toBe(401);

    const { key } = await makeKey('all');
    const answer = await askElsewhere(id, { 'X-Hangar-Key': key, authorization: 'token own' });
    expect(answer.status).toBe(203);
    expect(answer.headers['x-hangar-key-refused']).toBeUndefined();
    expect(answer.json).toMatchObject({ path: '/lab', headers: { authorization: 'token own' } });
    expect(answer.text).not.toContain(key);
    // Over loopback no key is needed, and one that is sent stays here, too.
    const near = await ask(id, 'GET', '/lab', undefined, { 'X-Hangar-Key': key });
    expect(near.status).toBe(203);
    expect(near.text).not.toContain(key);
    expect(near.text).not.toMatch(/x-hangar-key/i);
  });

  test('asks another machine for a key for WebSockets, too, and ends them with the key', async () => {
    const id = await serving();
    await listens(id);
    const { id: keyId, key } = await makeKey('all');
    const upgrade = async (more: string) => {
      const socket = await openSocket(engine.port, ownAddress);
      socket.send(
        `GET /ws HTTP/1.1\r\nHost: ${hostOf(id)}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${more}` +
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n',
      );
      await socket.heard(/\r\n\r\n/);
      return socket;
    };
    using without = await upgrade('');
    expect(await without.closed()).toMatch(/^HTTP\/1.1 401 [^]*x-hangar-key-refused: yes[^]*send it in the header/);
    using wrong = await upgrade('X-Hangar-Key: rpa_wrong\r\n');
    expect(await wrong.closed()).toMatch(/^HTTP\/1.1 401 [^]*refuses the API key/);
    using right = await upgrade(`X-Hangar-Key: ${key}\r\n`);
    expect(right.received).toMatch(/^HTTP\/1.1 101 [^]*\r\nX-Asked: Host /);
    expect(right.received).not.toMatch(/x-hangar-key/i);
    right.send('again ');
    await right.heard(/again again $/);

    using open = await upgrade(`X-Hangar-Key: ${key}\r\n`);
    expect(open.received).toMatch(/^HTTP\/1.1 101 /);
    expect((await engine.http.send('DELETE', `/local/v1/api-keys/${keyId}`)).status).toBe(204);
    await open.closed();
  });

  test('of an account on another machine is opened at a name of this machine', async () => {
    const id = await serving();
    await listens(id);
    await using app = startAccountApp();
    const { id: accountId } = await app.changes.add({
      preset: 'engine',
      name: 'GPU box',
      key: engine.key,
      addresses: { jobs: engine.address, management: null, graphql: null },
    });
    const { rows } = await app.directory.compute(accountId).pods.rows();
    const address = new URL(rows.find(({ pod }) => pod.id === id)?.facts?.httpAddresses['8888'] ?? 'http://none');
    expect(address.hostname).toBe(`${id}-8888.localhost`);
    expect(address.port).not.toBe(String(engine.port));
    using socket = await openSocket(Number(address.port));
    socket.send(`GET /lab HTTP/1.1\r\nHost: ${address.host}\r\nConnection: close\r\n\r\n`);
    await socket.heard(/"path": "\/lab"/);
    expect(socket.received).toMatch(/^HTTP\/1.1 203 /);
    expect(socket.received).toContain(`"X-Forwarded-Host": "${address.host}"`);
    expect(socket.received).not.toContain(engine.key);
  });

  test('on another machine gets requests and WebSockets with the key of the account, which it does not see', async () => {
    const id = await serving();
    await listens(id);
    const { id: keyId, key } = await makeKey('all');
    const tunnel = createPodTunnel(pino({ level: 'silent' }));
    await using _ = { [Symbol.asyncDispose]: tunnel.stop };
    const route = {
      name: 'GPU box',
      engine: `http://${ownAddress}:${engine.port}`,
      key: async () => key,
      isCurrent: () => true,
    };
    const { asksForKey = false } = await pods.facts(id);
    const { host, port } = new URL(await tunnel.address(route, { podId: id, port: 8888, asksForKey }));
    const open = async (path: string, more: string): Promise<RawSocket> => {
      const socket = await openSocket(Number(port));
      socket.send(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`);
      await socket.heard(/\r\n\r\n/);
      return socket;
    };
    const whole = async (path: string, more = 'Connection: close\r\n'): Promise<string> => {
      using socket = await open(path, more);
      return await socket.closed();
    };
    const page = await whole('/lab');
    expect(page).toMatch(/^HTTP\/1.1 203 [^]*"path": "\/lab"/);
    expect(page).not.toContain(key);
    const upgrade =
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      'Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n';
    using socket = await open('/ws', upgrade);
    expect(socket.received).toMatch(/^HTTP\/1.1 101 [^]*\r\nX-Asked: Host /i);
    expect(socket.received).not.toMatch(/x-hangar-key/i);
    socket.send('again ');
    await socket.heard(/again again $/);

    accepted(await engine.http.send('PATCH', `/local/v1/api-keys/${keyId}`, { scope: 'jobs' }));
    expect(await whole('/lab')).toMatch(/^HTTP\/1.1 403 [^]*refuses the key[^]*that takes a key of the scope/);
    expect(await whole('/ws', upgrade)).toMatch(/^HTTP\/1.1 403 /);
    expect((await engine.http.send('DELETE', `/local/v1/api-keys/${keyId}`)).status).toBe(204);
    expect(await whole('/lab')).toMatch(/^HTTP\/1.1 401 [^]*does not know the key of the account/);
  });

  test('is ready once its server answers, and says what is missing until then', async () => {
    const id = await serving();
    const check = async (port = 8888) => engine.http.get(`/local/v1/pods/${id}/ports/${port}/check?path=/api`);
    expect(podPortCheckSchema.parse(accepted(await check()))).toMatchObject({
      ready: false,
      problem: expect.stringMatching(/^GET \/api on port 8888: /) as string,
    });
    await listens(id);
    // A server on a busy machine may take longer to answer than a check waits.
    const answered = await until(
      'its server to be ready',
      async () => podPortCheckSchema.parse(accepted(await check())),
      ({ ready }) => ready,
    );
    expect(answered).toEqual({ ready: true, status: 203, problem: null });
    expect((await check(22)).status).toBe(404);
    await pods.act(id, 'stop');
    expect(podPortCheckSchema.parse(accepted(await check()))).toMatchObject({
      ready: false,
      problem: expect.stringContaining('It is stopped') as string,
    });
  });

  test('takes more than a load-balancing endpoint may', async () => {
    const id = await serving();
    await listens(id);
    const answer = await ask(id, 'PUT', '/big', Buffer.alloc(32 * 1024 * 1024));
    expect(answer.json).toMatchObject({ bytes: 32 * 1024 * 1024 });
  });

  test('passes WebSockets through', async () => {
    const id = await serving();
    await listens(id);
    using socket = await openSocket(engine.port);
    const key = Buffer.from('0123456789abcdef').toString('base64');
    socket.send(
      `GET /ws HTTP/1.1\r\nHost: ${hostOf(id)}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    );
    const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    await socket.heard(/\r\n\r\n/);
    expect(socket.received).toMatch(/^HTTP\/1.1 101 /);
    expect(socket.received).toContain(accept);
    socket.send('again ');
    await socket.heard(/again again $/);
    await socket.closed();
  });

  test('that cannot be reached says why: no such port, stopped, deleted, unknown', async () => {
    const id = await serving();
    const at = async (pod: string, port = 8888): Promise<[number, string]> => {
      const { status, json } = await engine.http.get('/', {
        authorization: null,
        headers: { host: hostOf(pod, port) },
      });
      return [status, messageOf({ json })];
    };
    expect(await at(id, 22)).toEqual([404, expect.stringContaining('its http ports: 8888')]);
    await pods.act(id, 'stop');
    expect(await at(id)).toEqual([502, expect.stringContaining('It is stopped')]);
    await pods.delete(id);
    expect(await at(id)).toEqual([404, expect.stringContaining('was deleted')]);
    expect(await at('nobody')).toEqual([404, expect.stringContaining('There is no Pod "nobody"')]);
  });
});
