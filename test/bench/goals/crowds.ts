/** CROWD: how soon others are answered beside thousands of connections that ask for nothing, or asked once. */
import type { Bench, Group, Running } from '../bench.ts';
import { cutAll, HEALTH_REQUEST, openMany } from '../../support/http/manyConnections.ts';
import { makeIdleEndpoint } from '../../support/resources/resources.ts';
import { atMost } from '../report.ts';
import { interleave } from '../measuring/rounds.ts';

const CONNECTIONS = 10_000;
const REQUESTS = 100;

async function run({ board, rounds }: Bench, running: Running): Promise<void> {
  const { engine } = await running.engine();
  const { id } = await makeIdleEndpoint(engine);
  async function requestsMs(): Promise<number> {
    const startedAt = performance.now();
    for (let n = 0; n < REQUESTS; n++) {
      const { status, text } = await engine.http.get(`/v2/${id}/health`);
      if (status !== 200) throw new Error(`HTTP ${status}: ${text.slice(0, 300)}`);
    }
    return performance.now() - startedAt;
  }
  async function among(first: string): Promise<number> {
    const sockets = await openMany(engine.port, CONNECTIONS, first);
    try {
      return await requestsMs();
    } finally {
      await cutAll(sockets);
    }
  }
  const values = await interleave('CROWD', rounds, {
    alone: requestsMs,
    silent: () => among(''),
    askedOnce: () => among(HEALTH_REQUEST),
  });
  const what = `${REQUESTS} requests beside ${CONNECTIONS} connections`;
  const common = { goal: 'CROWD', unit: 'ms', peer: { name: 'alone', values: values.alone }, floor: atMost(3) };
  board.add({ ...common, what: `${what} that never asked`, engine: values.silent });
  board.add({ ...common, what: `${what} that asked once`, engine: values.askedOnce });
}

export const crowdGoals: Group = { goals: ['CROWD'], run };
