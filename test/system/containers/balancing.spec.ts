/** Load-balancing workers in containers: HTTP and WebSockets come to the ports that they listen on inside. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { healthAt } from '../../support/loadBalancing/endpoint.ts';
import { connectSocket } from '../../support/loadBalancing/webSocket.ts';
import { whyNoContainers } from '../../support/containers/engine.ts';
import { until } from '../../support/core/until.ts';
import { makeContainerEndpoint, PYTHON_IMAGE, useContainers } from './containerWorkers.ts';
import { skipFor } from '../../support/core/skip.ts';

const none = whyNoContainers();
/** Until a container with Python answers. */

/** A server as somebody would write it for the cloud: nothing in it knows of this engine. */
const SERVER = `
import base64, hashlib, json, os, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

class Health(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.path == "/alive" else 404)
        self.end_headers()

class Server(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        told = {"path": self.path, "sha1": hashlib.sha1(body).hexdigest(), "port": os.environ["PORT"]}
        answer = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def do_GET(self):
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        self.send_response(101)
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key.encode()).digest()).decode())
        self.end_headers()
        while True:
            first, length = self.rfile.read(2)
            mask = self.rfile.read(4)
            data = bytes(byte ^ mask[n % 4] for n, byte in enumerate(self.rfile.read(length & 127)))
            self.wfile.write(bytes([first, len(data)]) + data)
            if first & 15 == 8:
                self.close_connection = True
                return

listen = lambda name, handler: ThreadingHTTPServer(("0.0.0.0", int(os.environ[name])), handler)
# It says that it is well only once it listens: a request may come right after.
server = listen("PORT", Server)
threading.Thread(target=listen("PORT_HEALTH", Health).serve_forever).start()
server.serve_forever()
`;

describe('containers: load balancing', skipFor(none), () => {
  const { containers, start } = useContainers(['python']);

  test('requests and WebSockets reach the container, and a killed one is followed by another', async () => {
    await using engine = await start();
    const template = {
      imageName: PYTHON_IMAGE,
      env: { PORT: '8000', PORT_HEALTH: '8001', HEALTH_CHECK_PATH: '/alive', PYTHONUNBUFFERED: '1' },
      dockerStartCmd: ['/bin/python3', '-c', SERVER],
    };
    const { endpoint } = await makeContainerEndpoint(engine, template, { type: 'LB', workersMin: 1, workersMax: 1 });
    const path = `/lb/${endpoint.id}`;
    const ready = async () => (await healthAt(engine, endpoint.id)).workers.ready === 1;
    await until('the container to be ready', ready);

    const body = Buffer.alloc(1024 * 1024, 'x');
    const answer = await engine.http.send('POST', `${path}/a?b=c`, body);
    expect(answer.status).toBe(200);
    // Its port is its own: the one of this machine is another.
    expect(answer.json).toEqual({ path: '/a?b=c', sha1: createHash('sha1').update(body).digest('hex'), port: '8000' });
    const workerId = answer.headers['x-runpod-worker-id'];
    const names = (await containers().ours()).flatMap(({ Names }) => Names);
    expect(names).toEqual([`/hangar-${String(workerId)}`]);

    using one = await connectSocket(engine, endpoint.id, '/socket');
    for (let n = 0; n < 100; n++) one.socket.send(`message ${n}`);
    for (let n = 0; n < 100; n++) expect((await one.next()).data.toString()).toBe(`message ${n}`);

    const { docker, ours } = containers();
    const killed = (await ours())[0]!.Id;
    await docker.getContainer(killed).kill();
    expect((await one.closed).code).toBe(1006);
    // Its connections end before it has: a request that comes in between is lost with it, and not tried again.
    await until(
      'it to be gone',
      () => ours(),
      (list) => list.every(({ Id }) => Id !== killed),
    );
    const next = await engine.http.send('POST', `${path}/again`, 'x');
    expect(next.status).toBe(200);
    expect(next.headers['x-runpod-worker-id']).not.toBe(workerId);
  });
});
