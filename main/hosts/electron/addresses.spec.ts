import { describe, expect, test } from 'vitest';
import { isOurs, isPage, mayOpenOutside } from './addresses.ts';

describe('addresses', () => {
  test.each(['app://bundle/', 'app://bundle/index.html', 'app://bundle/index.html#/jobs', 'app://bundle/?x=1'])(
    '%s is the page',
    (address) => expect(isPage(address)).toBe(true),
  );

  test.each([
    'app://bundle/assets/page.js',
    'app://bundle.example.com/',
    'app://other/',
    'app://name@bundle/',
    'app://bundle:1/',
    'https://bundle/',
    'data:text/html,app://bundle/',
    'file:///app://bundle/',
    'about:blank',
    '',
  ])('%s is not the page', (address) => expect(isPage(address)).toBe(false));

  test('a file of the page is ours without being the page', () => {
    expect(isOurs('app://bundle/assets/page.js')).toBe(true);
  });

  test('only https without credentials may open outside', () => {
    expect(mayOpenOutside('https://example.com/a?b=c')).toBe(true);
    const refused = [
      'http://example.com/',
      'https://a:b@example.com/',
      'file:///etc/passwd',
      'mailto:a@b.c',
      'nonsense',
    ];
    expect(refused.filter(mayOpenOutside)).toEqual([]);
  });
});
