/**
 * Asks the registry for known vulnerabilities of the packages that ship, and fails where one is serious. `npm audit` alone does not
 * do: Electron ships with the desktop program, and npm knows it as a package of development.
 *
 *   node scripts/packages/audit.mjs
 */

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run24.mjs';

/** Packages of development whose program ships. */
const SHIPPED = new Set(['electron']);
const SERIOUS = new Set(['high', 'critical']);

/**
 * @typedef {{ name: string, severity: string, nodes: string[] }} Vulnerability
 * @typedef {Record<string, { dev?: boolean, devOptional?: boolean }>} LockedPackages By their folder.
 */

/**
 * The serious vulnerabilities of packages that ship, one line for each, in the order of their names.
 * @param {{ vulnerabilities: Record<string, Vulnerability> }} report Of `npm audit --json`.
 * @param {LockedPackages} packages Of package-lock.json.
 */
export function seriousFaults({ vulnerabilities }, packages) {
  const ships = (/** @type {Vulnerability} */ { name, nodes }) =>
    SHIPPED.has(name) || nodes.some((node) => packages[node]?.dev !== true);
  return Object.values(vulnerabilities)
    .filter((one) => SERIOUS.has(one.severity) && ships(one))
    .map(({ name, severity }) => `${name}: ${severity}`)
    .sort();
}

function main() {
  const { stdout, stderr } = spawnSync('npm', ['audit', '--json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    shell: process.platform === 'win32',
  });
  /** @type {{ vulnerabilities?: Record<string, Vulnerability>, message?: string }} */
  const report = JSON.parse(stdout || '{}');
  const { vulnerabilities, message = stderr } = report;
  if (vulnerabilities === undefined) {
    process.stderr.write(`audit: the registry did not answer.\n${message}\n`);
    return 2;
  }
  /** @type {{ packages: LockedPackages }} */
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const faults = seriousFaults({ vulnerabilities }, lock.packages);
  for (const fault of faults) process.stderr.write(`audit: ${fault}\n`);
  if (faults.length === 0) process.stdout.write('audit: no serious vulnerability is known of what ships.\n');
  return faults.length === 0 ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) process.exitCode = main();
