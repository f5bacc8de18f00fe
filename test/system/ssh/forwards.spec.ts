/** Ports of a Pod at ports of this computer, through its sshd. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { until } from '../../support/core/until.ts';
import { podAt, startSshGround } from '../../support/ssh/sshPods.ts';
import { makeKey, startSshd } from '../../support/ssh/sshd.ts';

const accountId = 'a-cloud';
const podId = 'pod-1';

async function says(port: number, bytes: string | Uint8Array): Promise<Buffer> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.end(bytes);
  return buffer(socket).catch(() => Buffer.alloc(0));
}

/** The sshd of a Pod that the person has signed in to before. */
async function startGround(lines: string[] = []) {
  const sshd = await startSshd(lines);
  const mine = await makeKey(sshd.folder, 'mine');
  await sshd.authorize(mine);
  const ground = await startSshGround([podAt(sshd)]);
  const { ssh } = ground;
  await ssh.change({ identity: { from: 'file', path: mine.path } });
  const start = (port: number) => ssh.forwards.start({ accountId, podId, port, localPort: null });
  return {
    sshd,
    ground,
    ssh,
    start,
    trust: () => ssh.trust({ host: '127.0.0.1', port: sshd.port }, sshd.hostKey().fingerprint),
    async [Symbol.asyncDispose]() {
      await ground[Symbol.asyncDispose]();
      await sshd[Symbol.asyncDispose]();
    },
  };
}

test('a port of a Pod is carried by its sshd, and again after the connection was lost', async () => {
  await using it = await startGround();
  const { ssh, sshd, start } = it;
  const server = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await expect(start(port)).rejects.toThrow(/was never connected to from here.* Open a terminal in the Pod/);
  it.trust();
  const { localPort } = await start(port);
  const bytes = Buffer.alloc(3_000_000, 'abcdefg');
  expect((await says(localPort, bytes)).equals(bytes)).toBe(true);
  const facts = () => ssh.forwards.list(accountId, podId)[0];
  expect(facts()).toMatchObject({ port, total: 1, sentBytes: bytes.length, receivedBytes: bytes.length });
  const before = sshd.connections();
  sshd.cut();
  await until(
    'a connection to be made again',
    async () => String(await says(localPort, 'again')),
    (answer) => answer === 'again',
  );
  expect(sshd.connections()).toBe(before + 1);
  server.close();
  await once(server, 'close');
  expect(String(await says(localPort, 'x'))).toBe('');
  expect(facts()).toMatchObject({ problem: `Nothing listens at port ${port} in the Pod. Start its server.` });
  await ssh.leave(accountId);
  expect(facts()).toBeUndefined();
});

test('a Pod whose sshd forwards no ports says so, and so does one that is stopped', async () => {
  await using it = await startGround(['AllowTcpForwarding no']);
  await expect(it.start(80)).rejects.toThrow('never connected');
  it.trust();
  const { localPort } = await it.start(80);
  await says(localPort, 'x');
  expect(it.ssh.forwards.list(accountId, podId)).toMatchObject([
    { problem: expect.stringContaining('AllowTcpForwarding') as string },
  ]);
  it.ground.pods = it.ground.pods.map((pod) => ({ ...pod, desiredStatus: 'EXITED' }));
  await expect(it.start(80)).rejects.toThrow('The Pod is stopped. Start it.');
});
