/** Rules of the addresses that a person types for an account. */
import { describe, expect, it } from 'vitest';
import { readAddress } from './address.ts';
import { readDraft } from './formParser.ts';

const draft = { preset: 'runpod', name: 'Work', key: 'rpa_0123456789' } as const;

describe('an address that a person types', () => {
  it.each([
    ['https://api.runpod.ai/v2', 'jobs', 'https://api.runpod.ai'],
    ['https://api.runpod.ai/v2/', 'jobs', 'https://api.runpod.ai'],
    [' https://api.runpod.ai ', 'jobs', 'https://api.runpod.ai'],
    ['https://rest.runpod.io/v1', 'management', 'https://rest.runpod.io'],
    ['https://api.runpod.io/graphql', 'graphql', 'https://api.runpod.io'],
    ['https://HOST.example:8443/behind/a/proxy/v2//', 'jobs', 'https://host.example:8443/behind/a/proxy'],
    ['gpu.example.com', 'jobs', 'https://gpu.example.com'],
    ['127.0.0.1:47800', 'engine', 'http://127.0.0.1:47800'],
    ['gpubox:47800', 'engine', 'http://gpubox:47800'],
    ['http://localhost:47800/local/v1', 'engine', 'http://localhost:47800'],
    ['http://[::1]:47800/v1/', 'engine', 'http://[::1]:47800'],
    ['http://127.0.0.1:47800/rest/v2', 'engine', 'http://127.0.0.1:47800'],
    ['http://127.0.0.1:47800/rest/v2', 'management', 'http://127.0.0.1:47800/rest'],
  ] as const)('%s means, for %s, %s', (typed, area, base) => {
    expect(readAddress(typed, area, 'Jobs')).toBe(base);
  });

  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.7',
    '100.64.0.9',
    'nas.local',
    '[fd00::1]',
    'x.localhost',
  ])('may be http:// on a network of one’s own: %s', (host) =>
    expect(readAddress(`http://${host}:1234`, 'engine', 'Address')).toBe(`http://${host}:1234`),
  );

  it.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', 'example.com', 'localhost.example.com', '[2001:db8::1]'])(
    'is refused as http:// anywhere else, because the key would be readable on its way: %s',
    (host) => {
      expect(() => readAddress(`http://${host}/v2`, 'jobs', 'Jobs')).toThrow(
        /^Jobs: http:\/\/ would send the key unencrypted/,
      );
    },
  );

  it.each([
    ['not an address', /is not an address/],
    ['https://', /is not an address/],
    ['ftp://host.example', /begins with https/],
    ['https://me:secret@host.example', /a name or a password/],
    ['https://host.example/v2?api_key=rpa_secret', /leave out what follows the \?/],
    ['http://127.0.0.1:47801/?pair=abc', /address of Hangar's page/],
    ['https://host.example/#jobs', /leave out what follows the #/],
  ])('is refused with the reason, which does not repeat what may be secret in it: %s', (typed, reason) => {
    const read = () => readAddress(typed, 'jobs', 'Jobs');
    expect(read).toThrow(reason);
    expect(read).not.toThrow(/secret|abc/);
  });
});

describe('what was typed about an account', () => {
  it('speaks the dialect that the end of its REST address names, else that of its preset', () => {
    const at = (management: string) =>
      readDraft({ ...draft, addresses: { jobs: 'https://a.example', management, graphql: null } }).dialect;
    expect(at('https://a.example')).toBe('v2');
    expect(at('https://a.example/v1/')).toBe('v1');
    expect(at('https://a.example/v2')).toBe('v2');
  });

  it('has all of an engine at its one address', () => {
    const jobs = 'http://127.0.0.1:47800/';
    const base = 'http://127.0.0.1:47800';
    expect(
      readDraft({ ...draft, preset: 'engine', addresses: { jobs, management: null, graphql: null } }),
    ).toMatchObject({
      kind: 'engine',
      dialect: 'v1',
      addresses: { jobs: base, management: base, graphql: base },
    });
  });

  it('is refused without an address that is needed', () => {
    const addresses = { jobs: ' ', management: 'https://a.example', graphql: null };
    expect(() => readDraft({ ...draft, addresses })).toThrow('Jobs: an address is needed.');
  });
});
