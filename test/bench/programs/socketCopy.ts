/**
 * `cp` over a socket, as plainly as it can be: `socketCopy.ts receive FILE` prints its port, writes the first
 * connection into the file and answers it with one byte; `socketCopy.ts send FILE PORT` sends the file and ends after
 * that byte.
 */
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';

const [, , role, file = '', port] = process.argv;

if (role === 'receive') {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
  const [socket] = (await once(server, 'connection')) as [Socket];
  await pipeline(socket, createWriteStream(file), { end: true });
  socket.end('.');
  server.close();
} else {
  const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  const answered = once(socket, 'data');
  createReadStream(file).pipe(socket);
  await answered;
  socket.destroy();
}
