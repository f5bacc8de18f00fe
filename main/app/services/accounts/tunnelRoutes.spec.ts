/** With which key to which engine http ports of Pods are opened. */
import { expect, it } from 'vitest';
import type { Account, EngineStatus } from '#contract/app/account.ts';
import { engineStatusOf } from '../../../../test/support/accounts/engineStatus.ts';
import type { TunnelRoute } from '../../tunnel/podTunnel.ts';
import { thisMachine } from '../localAccount.ts';
import { tunnelHere, tunnelTo } from './tunnelRoutes.ts';

const port = { podId: 'p', port: 8888, address: 'http://p-8888.localhost:47800/', asksForKey: true };
const status = (address: string | null): EngineStatus => engineStatusOf({ address });

function recorder() {
  const routes: TunnelRoute[] = [];
  return {
    routes,
    async address(route: TunnelRoute) {
      routes.push(route);
      return 'http://p-8888.localhost:1/';
    },
  };
}

it.each(['http://127.0.0.1:47800', 'http://localhost:47800', 'http://[::1]:47800'])(
  'an engine of this machine at %s needs no tunnel',
  async (address) => {
    const tunnel = recorder();
    expect(await tunnelHere(tunnel, { status: status(address) }, 'run-key')(port)).toBe(port.address);
    expect(tunnel.routes).toEqual([]);
  },
);

it('an engine of this machine that listens in a network only gets the key of this run, until it moves', async () => {
  const tunnel = recorder();
  const engine = { status: status('http://192.168.1.5:47800') };
  expect(await tunnelHere(tunnel, engine, 'run-key')(port)).toBe('http://p-8888.localhost:1/');
  const [route] = tunnel.routes;
  expect(await route?.key()).toBe('run-key');
  expect(route).toMatchObject({ name: 'This computer', engine: 'http://192.168.1.5:47800' });
  expect(route?.isCurrent()).toBe(true);
  engine.status = status('http://192.168.1.6:47800');
  expect(route?.isCurrent()).toBe(false);
});

it('the key of an account goes to the engine of that account only', async () => {
  const at = (management: string | null): Account => ({
    ...thisMachine(status(null)),
    id: 'a',
    name: 'box',
    addresses: { jobs: null, management, graphql: null },
  });
  const tunnel = recorder();
  let account: Account | null = at('https://one.example');
  await tunnelTo(tunnel, account, { find: () => account }, async () => 'own')?.(port);
  const [route] = tunnel.routes;
  expect(await route?.key()).toBe('own');
  expect(route).toMatchObject({ name: 'box', engine: 'https://one.example' });
  expect(route?.isCurrent()).toBe(true);
  account = at('https://two.example');
  expect(route?.isCurrent()).toBe(false);
  account = null;
  expect(route?.isCurrent()).toBe(false);
  expect(tunnelTo(tunnel, at(null), { find: () => null }, async () => 'own')).toBeNull();
});
