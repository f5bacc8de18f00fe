/**
 * What `npm run dev` runs: Vite's server for the page, the host behind it, and the watch that starts the host again.
 */

import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { root } from '../run24.mjs';
import { createHost } from './host.mjs';
import { servePage } from './page.mjs';

const HELP = `Serves the page with hot reload, and runs app and engine from source: each change of main/ starts them again.

  --data-dir DIR   folder for everything that Hangar writes (default .cache/dev/data of the repository)
  --port N         port of the API (default 47810; 0 = any free one)
  --ui-port N      port of the page (default 47811; 0 = any free one); the host behind it takes the next one

HANGAR_LOG_LEVEL says how much is logged: debug, info (the default), warn, or error.
`;
/** An editor that saves several files makes one restart. */
const GATHER_MS = 100;

const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolvePort, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolvePort(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

function readFlags() {
  try {
    return parseArgs({
      options: {
        'data-dir': { type: 'string', default: join(root, '.cache', 'dev', 'data') },
        port: { type: 'string', default: '47810' },
        'ui-port': { type: 'string', default: '47811' },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (thrown) {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n${HELP}`);
    return process.exit(2);
  }
}

const flags = readFlags();
if (flags.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
// A restart keeps the ports: the page and clients find what they spoke to at the same address.
const uiPort = Number(flags['ui-port']) || (await freePort());
const hostPort = flags['ui-port'] === '0' ? await freePort() : uiPort + 1;
const apiPort = Number(flags.port) || (await freePort());
const dataDir = resolve(flags['data-dir']);
mkdirSync(dataDir, { recursive: true });

const host = createHost({
  args: ['--data-dir', dataDir, '--port', String(apiPort), '--ui-port', String(hostPort)],
  onReady({ api, ui, apiKey }) {
    const link = new URL(ui);
    link.port = String(uiPort);
    say(`\n  Open it    ${link.href}`);
    say('             the link works once; a browser that is paired stays paired');
    say(`  API        ${api}`);
    say(`  API key    ${apiKey}`);
    say(`  Data       ${dataDir}`);
    say('\n  Enter starts app and engine again, with a new link. Ctrl+C stops everything.\n');
  },
});
const vite = await servePage({ port: uiPort, hostPort, isHostReady: host.isReady });

/** @type {NodeJS.Timeout | undefined} */
let gathering;
const main = join(root, 'main');
vite.watcher.add(main);
vite.watcher.on('all', (event, path) => {
  const file = relative(main, path);
  if (file.startsWith('..') || !file.endsWith('.ts') || file.endsWith('.spec.ts')) return;
  if (!['add', 'change', 'unlink'].includes(event)) return;
  clearTimeout(gathering);
  gathering = setTimeout(() => {
    say(`main/${file}: starting app and engine again`);
    void host.restart();
  }, GATHER_MS);
});

let isStopping = false;
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    clearTimeout(gathering);
    // To the host a second signal means that it must end at once.
    if (isStopping) return host.kill();
    isStopping = true;
    say('Stopping…');
    void Promise.all([host.stop(), vite.close()]).finally(() => process.exit(0));
  });
}
if (process.stdin.isTTY) createInterface({ input: process.stdin }).on('line', () => void host.restart());
host.start();
