/** Who can reach an engine. */
import { describe, expect, it } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { networkScopeOf, networkScopeWords } from './address.ts';

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

  it('of another computer is not said to be of this one', () => {
    expect(networkScopeWords(THIS_MACHINE, 'http://127.0.0.1:1')).toBe('This computer only');
    for (const address of ['http://127.0.0.1:1', 'http://0.0.0.0:1', 'http://10.0.0.1:1'])
      expect(networkScopeWords('lab', address)).not.toMatch(/this computer/i);
  });
});
