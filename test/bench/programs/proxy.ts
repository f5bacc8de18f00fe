/** A bare node:http proxy: no keys, no checks, no limits, one upstream. Forked by the benchmark. */
import { Agent, createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UPSTREAM } from '../balancing.ts';

const { hostname, port } = new URL(process.env[UPSTREAM] ?? '');
const agent = new Agent({ keepAlive: true });

const server = createServer((request, response) => {
  const { method, url, headers } = request;
  const outgoing = httpRequest({ agent, host: hostname, port, method, path: url, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  request.pipe(outgoing);
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
