/** A translation in a built page: its file is a part of the build, the page reads it at its start and shows its texts. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { build } from 'vite';
import { compressedTwins } from './pagePlugins.mjs';

const LANGUAGE = resolve(import.meta.dirname, '../../renderer/language');

/** As long as a real one, for what the build does with files of some size. */
const rest = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`Text ${at}`, `Text Nummer ${at}`]));
const german = {
  'Delete {0}?': '{0} löschen?',
  '{0} jobs': { one: '{0} Auftrag', other: '{0} Aufträge' },
  Settings: 'Einstellungen',
  ...rest,
};
const page = `import { counted, t, translated } from './text.ts';
const title = t\`Delete \${'a'}?\`;
export default [title, t\`Rename \${'a'}\`, counted(1, '{0} job', '{0} jobs'), counted(2, '{0} job', '{0} jobs'), translated('Settings')];
`;

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hangar-translation-'));
  const source = join(folder, 'source');
  mkdirSync(source);
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  for (const name of ['text.ts', 'translation.ts', 'en.json']) cpSync(join(LANGUAGE, name), join(source, name));
  writeFileSync(join(source, 'de.json'), JSON.stringify(german));
  writeFileSync(join(source, 'page.ts'), page);
  await build({
    root: source,
    configFile: false,
    logLevel: 'error',
    plugins: [compressedTwins()],
    resolve: { alias: [{ find: /^#contract\//, replacement: `${resolve('main/contract')}/` }] },
    build: {
      outDir: join(folder, 'built'),
      modulePreload: false,
      rolldownOptions: {
        input: join(source, 'page.ts'),
        output: { entryFileNames: 'page.js' },
        preserveEntrySignatures: 'strict',
      },
    },
  });
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => void vi.unstubAllGlobals());

const built = (name: string): string => join(folder, 'built/assets', name);

/** Starts the built page in a browser that asks for these languages, and answers its texts and the files that it read. */
async function start(languages: readonly string[]): Promise<{ texts: unknown; read: string[] }> {
  const read: string[] = [];
  vi.stubGlobal('navigator', { languages });
  vi.stubGlobal(
    'XMLHttpRequest',
    class {
      status = 0;
      responseText = '';
      #address = '';
      open(_method: string, address: string): void {
        this.#address = address;
      }
      send(): void {
        read.push(basename(this.#address));
        this.responseText = readFileSync(built(basename(this.#address)), 'utf8');
        this.status = 200;
      }
    },
  );
  const module: unknown = await import(`${pathToFileURL(join(folder, 'built/page.js')).href}?${languages.join()}`);
  return { texts: Reflect.get(Object(module), 'default'), read };
}

it('is shown to a person whose language has one, and only what it lacks is English', async () => {
  const { texts, read } = await start(['de-AT', 'en']);
  expect(texts).toEqual(['a löschen?', 'Rename a', '1 Auftrag', '2 Aufträge', 'Einstellungen']);
  expect(read).toEqual([expect.stringMatching(/^de-.*\.json$/)]);
});

it('is not read for anybody else', async () => {
  const { texts, read } = await start(['fr', 'en']);
  expect(texts).toEqual(['Delete a?', 'Rename a', '1 job', '2 jobs', 'Settings']);
  expect(read).toEqual([]);
});

it('lies compressed beside itself, for the host without a window', () => {
  const twin = readdirSync(join(folder, 'built/assets')).find((name) => /^de-.*\.json\.gz$/.test(name)) ?? '';
  expect(JSON.parse(gunzipSync(readFileSync(built(twin))).toString('utf8'))).toEqual(german);
});
