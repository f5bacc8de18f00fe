import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { licensesText, packageLicense } from './licenses.mjs';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'hangar-license-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function packageWith(manifest: object, files: Record<string, string> = {}): string {
  const made = mkdtempSync(join(folder, 'package-'));
  writeFileSync(join(made, 'package.json'), JSON.stringify({ name: 'one', version: '1.0.0', ...manifest }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(made, name), text);
  return made;
}

test.each([
  ['a licence that is not accepted', { license: 'AGPL-3.0' }, /one 1\.0\.0 is under AGPL-3\.0\. Read its licence/],
  ['no licence', {}, /one 1\.0\.0 is under no licence that it names/],
  ['a choice of licences', { license: '(MIT OR GPL-2.0)' }, /is under \(MIT OR GPL-2\.0\)/],
])('a package under %s cannot be shipped', (_, manifest, fault) => {
  expect(() => packageLicense(packageWith(manifest, { LICENSE: 'text' }))).toThrow(fault);
});

test('the text of a licence is its file, followed by the notices of the package', () => {
  const made = packageWith({ license: 'Apache-2.0' }, { 'NOTICE.txt': 'made by us\n', 'LICENSE-APACHE': 'Apache\n' });
  expect(packageLicense(made).text).toBe('Apache\n\nmade by us');
});

test('a package that contains software of others has the text of that, too', () => {
  const { text } = packageLicense(packageWith({ name: 'zxing-wasm', license: 'MIT' }, { LICENSE: 'MIT' }));
  expect(text).toMatch(/^MIT\n\n.*contains zxing-cpp, [\s\S]*Apache License/);
});

test('a package that ships no text has the standard one, with its author', () => {
  const made = packageWith({ licenses: [{ type: 'MIT' }], author: { name: 'Ann' } });
  expect(packageLicense(made)).toMatchObject({ license: 'MIT', text: expect.stringContaining('Copyright (c) Ann') });
});

test('a licence without a text here or there cannot be shipped', () => {
  expect(() => packageLicense(packageWith({ license: '0BSD' }))).toThrow('packaging/licenses has no 0BSD.txt');
});

test('components stand by name, each with its version and licence', () => {
  const component = (name: string): Parameters<typeof licensesText>[0][0] => ({
    name,
    version: '1.0.0',
    license: 'MIT',
    text: 'words',
  });
  const text = licensesText([component('b'), component('a')]);
  expect(text.match(/^\w 1\.0\.0\nLicense: MIT$/gm)).toEqual(['a 1.0.0\nLicense: MIT', 'b 1.0.0\nLicense: MIT']);
});
