/**
 * Receivers of webhooks that are of no use, each at an address of its own: most never answer, some answer 500, some are
 * not there. Forked by the benchmark.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const count = Number(process.argv[2]);
let port = 0;
let called = 0;
const addresses: string[] = [];

for (let at = 0; at < count; at++) {
  const host = `127.1.${at >> 8}.${at & 255}`;
  const kind = at % 5;
  // Nobody listens at every fifth.
  if (kind !== 0 || port === 0) {
    const server = createServer((_request, response) => {
      called++;
      if (kind === 1) response.writeHead(500).end();
    });
    server.listen(port, host);
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  }
  addresses.push(`http://${host}:${port}/dead`);
}
process.on('message', () => process.send?.({ called }));
process.on('disconnect', () => process.exit(0));
process.send?.({ addresses });
