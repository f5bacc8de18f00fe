import { describe, expect, it } from 'vitest';
import { LONGEST_DESTINATION, readSshDestination } from './sshDestination.ts';

describe('a destination of ssh', () => {
  it.each([
    ['web', 'web', null],
    ['deploy@web', 'deploy@web', null],
    ['deploy@10.0.0.5:2222', 'deploy@10.0.0.5', 2222],
    ['web:1', 'web', 1],
    ['name@realm@web', 'name@realm@web', null],
    [String.raw`DOMAIN\me@web`, String.raw`DOMAIN\me@web`, null],
    ['fe80::1%eth0', 'fe80::1%eth0', null],
    ['me@[::1]:22', 'me@::1', 22],
    ['[::1]', '::1', null],
  ])('%s has its target and its port', (text, target, port) => {
    expect(readSshDestination(text)).toEqual({ target, port });
  });

  it.each(['-oProxyCommand=id', '-l', 'me@-x', '-x@web', '[-x]:22'])('%s would be read as an option', (text) => {
    expect(readSshDestination(text)).toBeNull();
  });

  it.each([
    '$(id)',
    'web;id',
    '`id`@web',
    'a|b@web',
    'web web',
    'web\n',
    '"web"',
    'me\\@web',
    'ssh://web',
    'web/x',
    '*',
  ])('%j has what a shell or the program reads otherwise', (text) => {
    expect(readSshDestination(text)).toBeNull();
  });

  it.each(['', '@web', 'me@', 'web:', 'web:0', 'web:65536', 'web:22x', ':22', '[]:22', '[::1]22', '[::1'])(
    '%j lacks a part, or has a port that is none',
    (text) => {
      expect(readSshDestination(text)).toBeNull();
    },
  );

  it('has a longest length', () => {
    expect(readSshDestination('a'.repeat(LONGEST_DESTINATION))).not.toBeNull();
    expect(readSshDestination('a'.repeat(LONGEST_DESTINATION + 1))).toBeNull();
  });
});
