/**
 * A folder of the shape of Electron's program for Linux, so that everything but Electron itself can be packed without
 * it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const { devDependencies } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8')) as {
  devDependencies: { electron: string };
};

/** Marks the place of Electron's fuses in its program; `@electron/fuses` looks for it. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
/** Version 1, and nine fuses that are off, each to be set by the packer. */
const WIRE = Buffer.concat([Buffer.from([1, 9]), Buffer.from('0'.repeat(9), 'ascii')]);
const LOCALES = ['de', 'en-GB', 'en-US', 'fr'];

/** Writes it into `folder`. Its program cannot run. */
export function writeFakeElectron(folder: string): void {
  for (const name of ['locales', 'resources']) mkdirSync(join(folder, name), { recursive: true });
  const program = Buffer.concat([
    Buffer.from('#!/bin/false\n'),
    Buffer.from(SENTINEL, 'ascii'),
    WIRE,
    Buffer.alloc(64),
  ]);
  writeFileSync(join(folder, 'electron'), program, { mode: 0o755 });
  writeFileSync(join(folder, 'chrome-sandbox'), '#!/bin/false\n', { mode: 0o755 });
  writeFileSync(join(folder, 'chrome_crashpad_handler'), '#!/bin/false\n', { mode: 0o755 });
  writeFileSync(join(folder, 'version'), devDependencies.electron);
  writeFileSync(join(folder, 'LICENSE'), 'The licence of Electron.\n');
  writeFileSync(join(folder, 'LICENSES.chromium.html'), '<p>The licences of Chromium.</p>\n');
  for (const name of LOCALES) writeFileSync(join(folder, 'locales', `${name}.pak`), name);
}
