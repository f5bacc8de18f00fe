/**
 * What requests are passed on to: an HTTP server that does as little as it can. Started by the engine, or forked by the
 * benchmark.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const small = Buffer.alloc(200, 'x');
const part = Buffer.alloc(64 * 1024, 'x');

const server = createServer((request, response) => {
  const bytes = Number(/^\/bytes\/(\d+)$/.exec(request.url ?? '')?.[1] ?? 0);
  if (bytes > 0) {
    response.writeHead(200, { 'content-length': bytes });
    let left = bytes;
    const more = (): void => {
      while (left > 0) {
        const next = left < part.length ? part.subarray(0, left) : part;
        left -= next.length;
        if (!response.write(next) && left > 0) {
          response.once('drain', more);
          return;
        }
      }
      response.end();
    };
    more();
    return;
  }
  request.resume();
  request.once('end', () => {
    response.writeHead(200, { 'content-length': small.length });
    response.end(small);
  });
});
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  process.send?.({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
