/** Rules of the sizes that `npm run dist` lists. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { desktopSizes, SIZE_CAPS, sizeReport } from './sizes.mjs';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hangar-sizes-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, bytes: number): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), Buffer.alloc(bytes));
}

test('every desktop package is listed, with the unpacked programs and their archives, and nothing else', () => {
  for (const name of ['dmg', 'zip', 'exe', 'AppImage', 'deb', 'rpm', 'zip.blockmap'])
    write(`Hangar-1.2.3.${name}`, 1000);
  write('latest.yml', 10);
  write('icons/icon.png', 10);
  write('linux-unpacked/hangar-desktop', 3_000_000);
  write('linux-unpacked/resources/app.asar', 2_000_000);
  write('mac/Hangar.app/Contents/Resources/app.asar', 1_000_000);
  expect(sizeReport(desktopSizes(folder), folder)).toEqual({
    lines: [
      'Hangar-1.2.3.AppImage  0.0 MB',
      'Hangar-1.2.3.deb  0.0 MB',
      'Hangar-1.2.3.dmg  0.0 MB',
      'Hangar-1.2.3.exe  0.0 MB',
      'Hangar-1.2.3.rpm  0.0 MB',
      'Hangar-1.2.3.zip  0.0 MB',
      'linux-unpacked  5.0 MB',
      'linux-unpacked/resources/app.asar  2.0 MB',
      'mac  1.0 MB',
      'mac/Hangar.app/Contents/Resources/app.asar  1.0 MB',
    ],
    problems: [],
  });
});

test('a package above its cap is named with both sizes', () => {
  const path = join(folder, 'Hangar-1.2.3.deb');
  const { problems } = sizeReport(
    [{ path, bytes: SIZE_CAPS.desktopPacked + 1_000_000, cap: SIZE_CAPS.desktopPacked }],
    folder,
  );
  expect(problems).toEqual(['Hangar-1.2.3.deb weighs 201.0 MB, and may weigh 200.0 MB (scripts/packages/sizes.mjs).']);
});
