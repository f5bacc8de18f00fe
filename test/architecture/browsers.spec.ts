// The headless host sends the page to every browser, so no style sheet depends on what Chromium alone knows.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import config from '../../electron.vite.config.ts';
import { root } from './documents.ts';

const sheets = readdirSync(join(root, 'renderer'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.css'))
  .map((path) => ({ path, css: readFileSync(join(root, 'renderer', path), 'utf8') }));

/**
 * What Firefox or Safari does not know. A declaration with an unknown value is dropped as a whole, so such a value stands
 * within `@supports`, or the same property before it has a value that all know.
 */
const ONLY_CHROMIUM =
  /scroll-state|anchor-name|position-anchor|anchor\(|interpolate-size|calc-size\(|base-select|reading-flow|corner-shape|::-webkit-scrollbar/;

/** The declarations outside of `@supports`, whose blocks are taken out with all that is in them. */
function outsideSupports(css: string): string[] {
  const lines: string[] = [];
  let depth = 0;
  let supportsAt: number | null = null;
  for (const line of css.replaceAll(/\/\*[^]*?\*\//g, '').split('\n')) {
    if (supportsAt === null && line.includes('@supports')) supportsAt = depth;
    if (supportsAt === null) lines.push(line.trim());
    depth += line.split('{').length - line.split('}').length;
    if (supportsAt !== null && depth <= supportsAt) supportsAt = null;
  }
  return lines.filter((line) => /^[\w-]+:/.test(line));
}

it('a declaration that Chromium alone knows stands within @supports', () => {
  expect(sheets.length).toBeGreaterThan(50);
  const wrong = sheets.flatMap(({ path, css }) =>
    outsideSupports(css)
      .filter((line) => ONLY_CHROMIUM.test(line))
      .map((line) => `${path}: ${line}`),
  );
  expect(wrong).toEqual([]);
});

it('the bundler writes style sheets for Firefox and Safari, too', () => {
  expect(config.renderer?.build?.cssTarget).toEqual(
    expect.arrayContaining([expect.stringMatching(/^firefox/), expect.stringMatching(/^safari/)]),
  );
});
