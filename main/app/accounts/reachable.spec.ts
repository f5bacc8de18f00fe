import { describe, expect, it } from 'vitest';
import type { networkInterfaces } from 'node:os';
import { reachableEngine } from './reachable.ts';

const card = (address: string, internal = false) => ({
  address,
  internal,
  netmask: '',
  mac: '',
  cidr: null,
  ...(address.includes(':') ? { family: 'IPv6' as const, scopeid: 0 } : { family: 'IPv4' as const }),
});
const interfaces: ReturnType<typeof networkInterfaces> = {
  lo: [card('127.0.0.1', true)],
  eth0: [card('2001:db8::7'), card('203.0.113.7'), card('fe80::1')],
  eth1: [card('192.168.1.7')],
};
const here = 'http://127.0.0.1:47800';

describe('the addresses of the engine for other computers', () => {
  it('are those of all networks, a private one first', () => {
    expect(reachableEngine(here, '0.0.0.0', interfaces)).toEqual({
      addresses: ['http://192.168.1.7:47800', 'http://203.0.113.7:47800', 'http://[2001:db8::7]:47800'],
      isOpen: true,
    });
  });

  it('are the one that the engine listens on', () => {
    expect(reachableEngine(here, 'gpu-box', interfaces)).toEqual({ addresses: ['http://gpu-box:47800'], isOpen: true });
    expect(reachableEngine(here, '127.example.com', interfaces).isOpen).toBe(true);
  });

  it.each(['127.0.0.1', 'localhost', '::1'])('are not open while the engine listens on %s', (host) => {
    expect(reachableEngine(here, host, interfaces).isOpen).toBe(false);
  });

  it('are not open on a computer without a network', () => {
    expect(reachableEngine(here, '::', { lo: interfaces['lo'] })).toEqual({ addresses: [here], isOpen: false });
  });
});
