/**
 * `npm start`: opens Hangar on the desktop; where Electron's program or a display cannot be had, says so in one line
 * and serves the same interface on this machine. Readable by Node 20.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfStale } from './bundles.mjs';
import { becomes, printHelp, runProgram } from './program.mjs';
import { node24, root } from './run24.mjs';

/** Electron fetches its program on first use; on a closed network that must not hold up the start. */
const DOWNLOAD_LIMIT_MS = 40_000;
const packageDir = join(root, 'node_modules', 'electron');

const hasDisplay = () =>
  process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);

/** Where Electron's own package says its program is; undefined while it is not there. */
function electronProgram() {
  const named = join(packageDir, 'path.txt');
  if (!existsSync(named)) return undefined;
  const program = join(packageDir, 'dist', readFileSync(named, 'utf8').trim());
  return existsSync(program) ? program : undefined;
}

/** Fetches the program with Electron's own installer. What goes wrong shows in the program still not being there. */
function fetchElectron() {
  const installer = join(packageDir, 'install.js');
  if (!existsSync(installer)) return;
  process.stderr.write('Fetching the desktop shell (once)…\n');
  spawnSync(node24, [installer], { cwd: root, stdio: 'ignore', timeout: DOWNLOAD_LIMIT_MS, killSignal: 'SIGKILL' });
}

/** Why there will be no window, or undefined. */
function reasonForNoWindow() {
  if (!hasDisplay()) return 'there is no display';
  // Chromium's sandbox refuses to run as root on Linux, and Hangar does not run without the sandbox.
  if (process.platform === 'linux' && process.getuid?.() === 0) return 'the desktop window does not run as root';
  if (electronProgram() === undefined) fetchElectron();
  if (electronProgram() === undefined) return "Electron's program could not be downloaded";
  return undefined;
}

await printHelp('main/headless.ts', process.argv.slice(2));
await buildIfStale();
const reason = reasonForNoWindow();
const program = electronProgram();
if (reason === undefined && program !== undefined) {
  await becomes(program, [root, ...process.argv.slice(2)]);
} else {
  process.stderr.write(`No window: ${reason}. Serving the same interface to your browser instead.\n`);
  await runProgram('out/main/headless.js', process.argv.slice(2));
}
