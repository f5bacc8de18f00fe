import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const at = (path: string): string => resolve(import.meta.dirname, path);
const alias = [{ find: /^#contract\//, replacement: `${at('main/contract')}/` }];

export default defineConfig({
  main: {
    resolve: { alias },
    build: {
      outDir: 'out/main',
      // An optional dependency is not external by itself, and what is native cannot be bundled.
      externalizeDeps: { include: ['keytar'] },
      rolldownOptions: {
        input: {
          electron: at('main/electron.ts'),
          headless: at('main/headless.ts'),
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
    build: {
      outDir: 'out/preload',
      // A sandboxed window loads one CommonJS file and no packages.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: at('preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'renderer',
    resolve: { alias },
    plugins: [react()],
    build: {
      outDir: 'out/renderer',
      // Off by default here; the page is read and compiled at every start.
      minify: true,
      rolldownOptions: { input: at('renderer/index.html') },
    },
  },
});
