/** The stand-in's start: Chromium, then the module `electron`, then the app's entry, then `ready`. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from './app.ts';
import { startChromium } from './chromium/chromium.ts';
import { preventable } from './chromium/represented.ts';
import { watchProcesses } from './chromium/processes.ts';
import { provideElectron } from './electronModule.ts';
import { record } from './record.ts';
import { runtime } from './chromium/runtime.ts';

const [, , executable = '', ...args] = process.argv;
const root = args.find((argument) => !argument.startsWith('-'));

if (args.includes('--version')) {
  console.log(`v${electronVersion()}`);
  process.exit(0);
}
if (!root) {
  console.error('the stand-in needs the folder of an app');
  process.exit(1);
}

function electronVersion(): string {
  const manifest = join(dirname(createRequire(import.meta.url).resolve('electron/package.json')), 'package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

// Electron warns of a rejection and shows an exception in a dialog; it ends for neither.
process.on('unhandledRejection', (reason) => {
  record('rejection', reason instanceof Error ? (reason.stack ?? reason.message) : String(reason));
  console.error('(unhandled rejection)', reason);
});
process.on('uncaughtException', (error) => {
  record('exception', error.stack ?? error.message);
  console.error('(uncaught exception)', error);
});

const chromium = await startChromium(args.includes('--no-sandbox') ? ['--no-sandbox'] : []);
runtime.chromium = chromium;
runtime.processes = watchProcesses(chromium.connection, () => {
  record('gpu-process-gone', 'killed');
  app.emit('child-process-gone', preventable({}), { type: 'GPU', name: 'GPU', reason: 'killed', exitCode: 9 });
});
Object.assign(runtime.versions, { electron: electronVersion(), chrome: chromium.version });
process.on('exit', () => chromium.kill());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());

process.argv = [executable, ...args];
process.execPath = executable;
Object.assign(process.versions, runtime.versions);
Object.assign(process, {
  type: 'browser',
  resourcesPath: process.env['HANGAR_STANDIN_RESOURCES'] ?? join(import.meta.dirname, 'resources'),
});
provideElectron();

try {
  const entry = app.open(resolve(root));
  console.error(`\nDevTools listening on ${chromium.devToolsAddress}`);
  // Electron waits for the entry before it says ready: an entry that waits for ready itself hangs there, and so here.
  await import(pathToFileURL(entry).href);
  app.becomeReady();
} catch (error) {
  // Electron shows this in a dialog and waits; nobody is here to close it.
  record('exception', `the app's entry: ${String(error)}`);
  console.error(error);
  app.exit(1);
}
