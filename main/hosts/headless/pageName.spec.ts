/** The host name of the page, and which requests are sent on to it. */
import { describe, expect, test } from 'vitest';
import { belongsElsewhere, pageNameOf } from './pageName.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:152.0) Gecko/20100101 Firefox/152.0';
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15';

describe('the name of the page', () => {
  test('is the same for one data folder, however its path is written, and another for another folder', () => {
    expect(pageNameOf('/data/hangar')).toMatch(/^hangar-[0-9a-f]{8}\.localhost$/);
    expect(pageNameOf('/data/../data/hangar/')).toBe(pageNameOf('/data/hangar'));
    expect(pageNameOf('/data/other')).not.toBe(pageNameOf('/data/hangar'));
  });

  test.each([
    ['127.0.0.1', CHROME, true],
    ['localhost', FIREFOX, true],
    ['::1', CHROME, true],
    ['127.0.0.1', SAFARI, false],
    ['127.0.0.1', undefined, false],
    ['hangar-01234567.localhost', CHROME, false],
    ['192.168.1.5', CHROME, false],
    ['127.example.com', CHROME, false],
    [null, CHROME, false],
  ])('takes over from %s where the browser is known to find it', (name, userAgent, expected) => {
    expect(belongsElsewhere(name, userAgent)).toBe(expected);
  });
});
