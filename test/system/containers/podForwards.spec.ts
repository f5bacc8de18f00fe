/** Ports of Pods of another Hangar at ports of this computer: real containers, two programs, plain TCP. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createForwards, type Forwards } from '../../../main/app/terminals/forwards/forwards.ts';
import { startAccountApp, type AccountApp } from '../../support/accounts/accountApp.ts';
import { makeKey } from '../../support/access/world.ts';
import { whyNoContainers } from '../../support/containers/engine.ts';
import { makePythonImage } from '../../support/containers/images.ts';
import { skipFor } from '../../support/core/skip.ts';
import { until } from '../../support/core/until.ts';
import { freePort } from '../../support/http/freePort.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import { startPodEngine, type PodEngine } from '../../support/pods/podEngine.ts';
import type { PodsOf } from '../../support/pods/pods.ts';
import { refusal } from '../../support/terminals/viewer.ts';

const IMAGE = 'hangar-python:1';
const none = whyNoContainers();

/** Speaks first, says everything back, and listens at an address that only the container itself reaches. */
const ECHO = `
import signal, socket, sys, threading
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
s = socket.create_server(('127.0.0.1', 7000))
def serve(c):
    c.sendall(b'hello ')
    while True:
        part = c.recv(65536)
        if not part: break
        c.sendall(part)
    c.sendall(b' over')
    c.close()
while True:
    c, _ = s.accept()
    threading.Thread(target=serve, args=(c,), daemon=True).start()
`;

describe('a port of a Pod on another Hangar', skipFor(none), () => {
  let started: PodEngine;
  let engine: TestEngine;
  let pods: PodsOf;
  let app: AccountApp;
  let forwards: Forwards;
  let accountId: string;
  beforeAll(async () => {
    started = await startPodEngine({ makeImage: (docker) => makePythonImage(docker, IMAGE) });
    ({ engine, pods } = started);
    app = startAccountApp();
    ({ id: accountId } = await app.changes.add({
      preset: 'engine',
      name: 'GPU box',
      key: engine.key,
      addresses: { jobs: engine.address, management: null, graphql: null },
    }));
    // Its key is remembered for a while from the first request on.
    await app.directory.compute(accountId).pods.list();
    const unused = () => Promise.reject(new Error('An engine of Hangar needs no SSH.'));
    forwards = createForwards({ directory: app.directory, ways: { of: unused }, connector: { connect: unused } });
  });
  afterEach(async () => {
    await forwards.leave(accountId);
    await pods.deleteAll();
  });
  afterAll(async () => {
    await forwards.stop();
    await app[Symbol.asyncDispose]();
    await started.close();
  });

  async function echoing(): Promise<string> {
    const { id } = await pods.make({ imageName: IMAGE, dockerStartCmd: ['/bin/python3', '-c', ECHO] });
    await pods.running(id);
    return id;
  }
  const open = (port: number): Socket => connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  async function says(port: number, bytes: string | Uint8Array): Promise<Buffer> {
    const socket = open(port);
    socket.on('error', () => undefined);
    socket.end(bytes);
    return buffer(socket).catch(() => Buffer.alloc(0));
  }
  const listens = (port: number) =>
    until(
      'the server in the Pod to listen',
      async () => String(await says(port, 'x')),
      (answer) => answer === 'hello x over',
    );

  test('carries every byte both ways, also of a server that speaks first, and counts them', async () => {
    const podId = await echoing();
    // At its end, no other program may have this port.
    const { id, localPort } = await forwards.start({ accountId, podId, port: 7000, localPort: await freePort() });
    await listens(localPort);
    const [before] = forwards.list(accountId, podId);
    const bytes = Buffer.alloc(8_000_000, 'abcdefg');
    const answers = await Promise.all([says(localPort, bytes), says(localPort, 'a'), says(localPort, '')]);
    expect(answers[0].equals(Buffer.concat([Buffer.from('hello '), bytes, Buffer.from(' over')]))).toBe(true);
    expect(answers.slice(1).map(String)).toEqual(['hello a over', 'hello  over']);
    await until('all to be closed', () => forwards.list(accountId, podId)[0]?.open, 0);
    const [after] = forwards.list(accountId, podId);
    expect(after).toMatchObject({ id, port: 7000, localPort, problem: null, total: before!.total + 3 });
    expect(after!.sentBytes - before!.sentBytes).toBe(bytes.length + 1);
    expect(after!.receivedBytes - before!.receivedBytes).toBe(bytes.length + 1 + 3 * 11);
    await forwards.end(id);
    expect(forwards.list(accountId, podId)).toEqual([]);
    await expect(once(open(localPort), 'connect')).rejects.toThrow('ECONNREFUSED');
  });

  test('says in words what is wrong, and works again once that is over', async () => {
    const podId = await echoing();
    const { localPort } = await forwards.start({ accountId, podId, port: 7000, localPort: null });
    const nothing = await forwards.start({ accountId, podId, port: 7001, localPort: null });
    await listens(localPort);
    expect(String(await says(nothing.localPort, 'x'))).toBe('');
    const problems = () => forwards.list(accountId, podId).map(({ problem }) => problem);
    expect(problems()).toEqual([null, expect.stringContaining('Nothing listens at port 7001 in the Pod')]);
    await pods.act(podId, 'stop');
    await pods.untilFacts(podId, 'the Pod to stop', ({ runtime }) => runtime === null);
    expect(String(await says(localPort, 'x'))).toBe('');
    expect(problems()[0]).toBe('The Pod is stopped. Start it.');
    await pods.act(podId, 'start');
    await pods.running(podId);
    await listens(localPort);
    expect(problems()[0]).toBeNull();
  });

  test('ends with the Pod, and a taken port of this computer is refused', async () => {
    const podId = await echoing();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    await expect(forwards.start({ accountId, podId, port: 7000, localPort: port })).rejects.toThrow(
      `Port ${port} of this computer is taken by another program`,
    );
    // Without a wish, another port will do.
    const other = await forwards.start({ accountId, podId, port, localPort: null });
    expect(other.localPort).not.toBe(port);
    await expect(forwards.start({ accountId, podId, port: 7000, localPort: other.localPort })).rejects.toThrow(
      `Port ${other.localPort} of this computer is forwarded to a Pod already`,
    );
    taken.close();
    await pods.delete(podId);
    await says(other.localPort, 'x');
    await until('the port to be closed', () => forwards.list(accountId, podId).length, 0);
    await expect(forwards.start({ accountId, podId, port: 7000, localPort: null })).rejects.toThrow(
      'not there any more',
    );
  });

  test('takes a key of the scope all, and a number that is a port', async () => {
    const podId = await echoing();
    const at = (port: string) => `/local/v1/pods/${podId}/ports/${port}/connect`;
    const { key } = await makeKey(engine, { scope: 'read' });
    expect(await refusal(engine, at('7000'), { authorization: '' })).toMatchObject({ status: 401 });
    expect(await refusal(engine, at('7000'), { authorization: `Bearer ${key}` })).toMatchObject({ status: 403 });
    for (const port of ['0', '65536', '7e3', '']) {
      expect(await refusal(engine, at(port))).toMatchObject({
        status: 400,
        text: expect.stringContaining('1 to 65535'),
      });
    }
    expect(await refusal(engine, '/local/v1/pods/nobody/ports/7000/connect')).toMatchObject({ status: 404 });
    const plain = await engine.http.get(at('7000'));
    expect(plain).toMatchObject({ status: 400, text: expect.stringContaining('WebSocket') });
  });

  test('ends when its client does, and the program in the Pod that carried it as well', async () => {
    const podId = await echoing();
    const { localPort } = await forwards.start({ accountId, podId, port: 7000, localPort: null });
    await listens(localPort);
    const carriers = async () => {
      const [container] = await started.containers.docker.listContainers({
        filters: { name: [`hangar-pod-${podId}`] },
      });
      const { Processes } = await started.containers.docker.getContainer(container!.Id).top();
      return Processes.filter((line: string[]) => line.join(' ').includes('create_connection')).length;
    };
    const socket = open(localPort);
    await once(socket, 'data');
    // Those of earlier connections end a little after these.
    await until('one carrier', carriers, 1);
    socket.resetAndDestroy();
    await until('the carrier to end', carriers, 0);
  });
});
