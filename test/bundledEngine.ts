/**
 * Vitest's global setup: bundles the engines of the tests with all their packages. Hundreds of engines are started, and
 * one that is a handful of files starts in half the time of one that is a thousand. What a run that was killed has left
 * is removed by the next one.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { httpWithoutFetch } from '../scripts/plugins/bundlePlugins.mjs';
import { BUNDLED_ENGINES } from './support/engine/engine.ts';

const repository = resolve(import.meta.dirname, '..');
/** Inside, so that the packages are found by what is not bundled: programs for one kind of machine. */
const place = join(repository, 'node_modules/.cache/test-engines');
const from = (path: string): string => join(repository, path);

function removeLeft(): void {
  for (const name of readdirSync(place)) {
    if (!existsSync(`/proc/${name.split('-')[0]}`)) rmSync(join(place, name), { recursive: true, force: true });
  }
}

export default async function bundleEngines(): Promise<(() => void) | undefined> {
  // Each project that needs them asks.
  if (process.env[BUNDLED_ENGINES] !== undefined) return undefined;
  mkdirSync(place, { recursive: true });
  removeLeft();
  const folder = mkdtempSync(join(place, `${process.pid}-`));
  // Without it, each start parses the largest file twice to find out which kind of module it is.
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await build({
    configFile: false,
    root: repository,
    logLevel: 'error',
    plugins: [httpWithoutFetch()],
    resolve: { alias: [{ find: /^#contract\//, replacement: `${from('main/contract')}/` }] },
    // What only containers need is loaded with the first of them, and in part looks for what lies beside it.
    ssr: {
      noExternal: true,
      external: ['dockerode', 'ssh2', '@xterm/headless', '@xterm/addon-serialize', '@xterm/addon-unicode11'],
    },
    build: {
      ssr: true,
      target: 'node24',
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        input: {
          engine: from('main/engine.ts'),
          bodyThread: from('main/bodyThread.ts'),
          clockedEntry: from('test/support/engine/clockedEntry.ts'),
          dyingEntry: from('test/support/engine/dyingEntry.ts'),
          patientEntry: from('test/support/engine/patientEntry.ts'),
          engineVariant: from('test/bench/programs/engineVariant.ts'),
        },
        external: /\.node$/,
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  process.env[BUNDLED_ENGINES] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
