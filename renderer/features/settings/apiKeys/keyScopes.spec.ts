import { describe, expect, it } from 'vitest';
import { endpointNames, mayBeOurs } from './keyScopes.ts';

describe('an API key in words', () => {
  it('names the endpoints that it is good for, and says which are not there any more', () => {
    const key = { endpointIds: ['a', 'b'] };
    expect(endpointNames(key, [{ id: 'a', name: 'sdxl' }])).toEqual(['sdxl', 'b (deleted)']);
  });

  it('says no endpoint is gone while the list of them has not come', () => {
    expect(endpointNames({ endpointIds: ['a'] }, undefined)).toEqual(['a']);
  });

  it('may be the one that the account is reached with where it ends the same, unless its end is not known', () => {
    const account = (last4: string | null) => ({
      key: last4 === null ? null : { last4, fingerprint: '', addedAt: 0, keptIn: 'memory' as const },
    });
    expect(mayBeOurs(account('aB3d'), { last4: 'aB3d' })).toBe(true);
    expect(mayBeOurs(account('aB3d'), { last4: 'aB3e' })).toBe(false);
    expect(mayBeOurs(account(''), { last4: '' })).toBe(false);
    expect(mayBeOurs(account(null), { last4: 'aB3d' })).toBe(false);
  });
});
