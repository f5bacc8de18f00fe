/** Rules of what is taken for `hangar serve`. */
import { expect, it } from 'vitest';
import { serveFlags } from './serve.ts';

it.each([
  [
    ['serve', '--port', '0'],
    ['--port', '0'],
  ],
  [
    ['--data-dir', 'serve', 'serve', '--json'],
    ['--data-dir', 'serve', '--json'],
  ],
  [['--json', 'serve'], ['--json']],
  [['run', 'serve'], null],
  [['--data-dir', 'serve'], null],
  [[], null],
])('%j', (args, flags) => expect(serveFlags(args)).toEqual(flags));
