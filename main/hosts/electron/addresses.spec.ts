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

  test('only https, a port of a Pod and its folder in VS Code may open outside, without credentials', () => {
    expect(mayOpenOutside('https://example.com/a?b=c')).toBe(true);
    expect(mayOpenOutside('http://abc123-8888.localhost:47800/lab')).toBe(true);
    expect(mayOpenOutside('vscode://vscode-remote/ssh-remote+root@203.0.113.7:22022/workspace')).toBe(true);
    const refused = [
      'http://example.com/',
      'https://a:b@example.com/',
      'file:///etc/passwd',
      'mailto:a@b.c',
      'nonsense',
      'http://localhost:47800/',
      'http://abc123-8888.localhost.example.com/',
      'http://a:b@abc123-8888.localhost/',
      'vscode://vscode-remote/wsl+Debian/root',
      'vscode://vscode-remote/ssh-remote+root@a%20b/x',
      'vscode://file/etc/passwd',
    ];
    expect(refused.filter(mayOpenOutside)).toEqual([]);
  });
});
