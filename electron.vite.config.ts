import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { bundleRecord, httpWithoutFetch, withoutOptionalParts } from './scripts/plugins/bundlePlugins.mjs';
import { chunkGroups, viewsLoadedEarly } from './scripts/plugins/pageChunks.mjs';
import { compressedTwins, mantineStyles, smallerFont } from './scripts/plugins/pagePlugins.mjs';

const at = (path: string): string => resolve(import.meta.dirname, path);
const alias = [{ find: /^#contract\//, replacement: `${at('main/contract')}/` }];

/** A build says what is wrong, and nothing about its own speed or the size of its parts, which tests limit. */
const checks = { bundlerTimings: false };
const chunkSizeWarningLimit = 5000;
const pageRecord = bundleRecord();

export default defineConfig({
  main: {
    resolve: { alias },
    plugins: [withoutOptionalParts(), httpWithoutFetch(), bundleRecord().write],
    build: {
      outDir: 'out/main',
      // A few files start in half the time of a thousand, and a package of them depends on nothing.
      externalizeDeps: false,
      rolldownOptions: {
        checks,
        // Compiled for one kind of machine, and loaded by name.
        external: ['keytar', '@lydell/node-pty'],
        input: {
          electron: at('main/electron.ts'),
          headless: at('main/headless.ts'),
          cli: at('main/cli.ts'),
          engine: at('main/engine.ts'),
          keychain: at('main/keychain.ts'),
          bodyThread: at('main/bodyThread.ts'),
        },
        output: { format: 'es', entryFileNames: '[name].js' },
      },
    },
  },
  preload: {
    resolve: { alias },
    plugins: [bundleRecord().write],
    build: {
      outDir: 'out/preload',
      // A sandboxed window loads one CommonJS file and no packages.
      externalizeDeps: false,
      rolldownOptions: {
        checks,
        input: { index: at('preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'renderer',
    resolve: { alias },
    plugins: [react(), smallerFont(), mantineStyles(), viewsLoadedEarly(), compressedTwins(), pageRecord.write],
    worker: { format: 'es', plugins: () => [pageRecord.noteWorkers()] },
    build: {
      outDir: 'out/renderer',
      // The default is the Chromium of Electron alone. The headless host sends the page to other browsers, too.
      target: 'es2023',
      cssTarget: ['chrome125', 'firefox128', 'safari18'],
      // Off by default here; the page is read and compiled at every start.
      minify: true,
      chunkSizeWarningLimit,
      rolldownOptions: {
        checks,
        input: at('renderer/index.html'),
        output: {
          codeSplitting: { groups: chunkGroups },
        },
      },
    },
  },
});
