/** Who can reach an engine. */
import { describe, expect, it } from 'vitest';
import { networkScopeOf } from './address.ts';

describe('an address', () => {
  it.each(['http://127.0.0.1:47800', 'http://localhost:1', 'http://[::1]:47800', 'http://127.8.0.1'])(
    '%s is reached from its own machine alone',
    (address) => expect(networkScopeOf(address)).toBe('loopback'),
  );

  it('of all networks, and of one, is told apart', () => {
    expect(networkScopeOf('http://0.0.0.0:47800')).toBe('all');
    expect(networkScopeOf('http://[::]:47800')).toBe('all');
    expect(networkScopeOf('http://192.168.1.20:47800')).toBe('network');
    expect(networkScopeOf('https://gpu-box.example')).toBe('network');
  });
});
