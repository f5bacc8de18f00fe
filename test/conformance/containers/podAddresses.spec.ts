/** The http ports of Pods, reached through the engine at names of their own. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { podPortCheckSchema } from '#contract/local/podMetrics.ts';
import { whyNoContainers } from '../../support/containers/engine.ts';
import { makePythonImage } from '../../support/containers/images.ts';
import { startAccountApp } from '../../support/accounts/accountApp.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import { startPodEngine, type PodEngine } from '../../support/pods/podEngine.ts';
import { volumeOf, wrote, type PodsOf } from '../../support/pods/pods.ts';
import { openSocket } from '../../support/http/rawSocket.ts';
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

describe('an http port of a Pod', skipFor(none), () => {
  let started: PodEngine;
  let engine: TestEngine;
  let pods: PodsOf;
  beforeAll(async () => {
    started = await startPodEngine({ makeImage: (docker) => makePythonImage(docker, IMAGE) });
    ({ engine, pods } = started);
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
  });

  test('is ready once its server answers, and says what is missing until then', async () => {
    const id = await serving();
    const check = async (port = 8888) => engine.http.get(`/local/v1/pods/${id}/ports/${port}/check?path=/api`);
    expect(podPortCheckSchema.parse(accepted(await check()))).toMatchObject({
      ready: false,
      problem: expect.stringMatching(/^GET \/api on port 8888: /) as string,
    });
    await listens(id);
    expect(podPortCheckSchema.parse(accepted(await check()))).toEqual({ ready: true, status: 203, problem: null });
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
      return [status, (json as { message: string }).message];
    };
    expect(await at(id, 22)).toEqual([404, expect.stringContaining('its http ports: 8888')]);
    await pods.act(id, 'stop');
    expect(await at(id)).toEqual([502, expect.stringContaining('It is stopped')]);
    await pods.delete(id);
    expect(await at(id)).toEqual([404, expect.stringContaining('was deleted')]);
    expect(await at('nobody')).toEqual([404, expect.stringContaining('There is no Pod "nobody"')]);
  });
});
