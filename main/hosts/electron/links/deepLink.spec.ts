import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostMessageSchema } from '#contract/app/hostMessage.ts';
import { limits } from '#contract/core/limits.ts';
import { linkForPeople, linksIn, readLink } from './deepLink.ts';

const addressOf = (text: string): string | undefined => {
  const link = readLink(text);
  return link.isKnown && link.message.type === 'open' ? link.message.address : undefined;
};
const problemOf = (text: string): string | undefined => {
  const link = readLink(text);
  return link.isKnown ? undefined : link.problem;
};

describe('readLink', () => {
  it.each([
    ['hangar://page/jobs', '#/jobs'],
    ['HANGAR://Page/jobs/', '#/jobs'],
    ['hangar://endpoint/ab12cd', '#/endpoints/ab12cd'],
    ['hangar://job/3f2c8f0e-0000-4000-8000-000000000000', '#/jobs/3f2c8f0e-0000-4000-8000-000000000000'],
    ['hangar://pod/xyz', '#/pods/xyz'],
  ])('%s opens %s without a question', (text, address) => {
    expect(addressOf(text)).toBe(address);
    expect(readLink(text)).toMatchObject({ confirm: null });
  });

  it('a terminal is confirmed first', () => {
    expect(readLink('hangar://terminal/xyz')).toMatchObject({
      message: { address: '#/terminals/xyz' },
      confirm: { detail: expect.stringContaining('Pod: xyz') as string },
    });
  });

  it('the form of an account is filled in without a key, and the question names every address', () => {
    const link = readLink('hangar://account?preset=engine&name=The%20rack&jobs=https%3A%2F%2Frack.example%3A47800');
    expect(link).toMatchObject({
      message: {
        type: 'new-account',
        start: {
          preset: 'engine',
          name: 'The rack',
          addresses: { jobs: 'https://rack.example:47800', management: null, graphql: null },
        },
      },
      confirm: { detail: expect.stringContaining('https://rack.example:47800') as string },
    });
  });

  it.each([
    'hangar://account?key=abc',
    'hangar://account?name=a&apiToken=abc',
    `hangar://account?name=rpa_${'a'.repeat(30)}`,
  ])('%s is refused because it carries a key', (text) => {
    expect(problemOf(text)).toMatch(/contains a key/);
  });

  it.each([
    '',
    'hangar:',
    'hangar://',
    'hangar://page',
    'hangar://page/',
    'hangar://page/../settings',
    'hangar://page/__proto__',
    'hangar://page/constructor',
    'hangar://page/jobs/extra',
    'hangar://page/jobs#x',
    'hangar://page/jobs?x=1',
    'hangar://page/jobs\n--inspect',
    'hangar://page/%6aobs',
    'hangar://job/..',
    'hangar://job/a%2Fb',
    `hangar://job/${'a'.repeat(129)}`,
    `hangar://job/${'a'.repeat(3000)}`,
    'hangar://user:word@page/jobs',
    'hangar://page:80/jobs',
    'hangar:page/jobs',
    'https://page/jobs',
    'javascript:alert(1)',
    'hangar://delete/endpoint',
    'hangar://toString/x',
    'hangar://account/new',
    'hangar://account?preset=none',
    'hangar://account?preset=runpod&jobs=https://evil.example',
    'hangar://account?name=a&name=b',
    'hangar://account?color=red',
    'hangar://account?name=%E2%80%AEdoprnur',
    `hangar://account?name=${'a'.repeat(limits.accounts.nameLength + 1)}`,
    'hangar://account?jobs=javascript:alert(1)',
    'hangar://account?jobs=file:///etc/passwd',
    'hangar://account?jobs=https://name:word@evil.example',
    'hangar://account?jobs=https://evil.example?x=1',
    'hangar://account?jobs=',
  ])('%j is refused with a sentence', (text) => {
    expect(problemOf(text)).toMatch(/^[A-Z].*[.]$/);
  });

  it('any text is either refused or becomes a message that the page takes', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webPath().map((path) => `hangar:/${path}`),
      fc.webQueryParameters().map((query) => `hangar://account?${query}`),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const link = readLink(text);
        return !link.isKnown || hostMessageSchema.safeParse(link.message).success;
      }),
    );
  });
});

it('only arguments that are links are taken', () => {
  const args = ['hangar', '.', '--port=0', 'hangar://page/jobs', 'x=hangar://page/run', 'Hangar://page/run'];
  expect(linksIn(args)).toEqual(['hangar://page/jobs', 'Hangar://page/run']);
});

it('a dialog shows a link short, without keys and control characters', () => {
  expect(linkForPeople(`hangar://x/\u0007\u202erpa_${'k'.repeat(30)}`)).toBe('hangar://x/��•••');
  expect(linkForPeople(`hangar://${'x'.repeat(500)}`)).toHaveLength(200);
});
