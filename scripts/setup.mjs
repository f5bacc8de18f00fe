/**
 * Makes a clone ready to run: the packages of package-lock.json and, with `--tests` or `--bench`, the system packages
 * that those need. Node's own modules only, readable by Node 20. Speaks on standard error, so that a command's own
 * output stays clean.
 */

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { node24, root } from './run24.mjs';

/** @typedef {{ version?: string, integrity?: string, optional?: boolean }} Locked */

/** What npm builds keytar with, so that they come before it. */
const BUILD_PACKAGES = ['python3', 'libsecret-1-dev', 'g++', 'make'];
const TEST_PACKAGES = [
  'chromium-headless-shell',
  'python3-venv',
  'strace',
  'openssh-server',
  'tmux',
  // Shells, for their completion of our command line.
  'zsh',
  'fish',
  // A keyring.
  'gnome-keyring',
  'dbus',
  // Container engines, what their networks need, and what images are made of.
  'docker.io',
  'podman',
  'netavark',
  'iptables',
  'iproute2',
  'busybox-static',
  // A clean Debian to install our package in.
  'debootstrap',
];
const BENCH_PACKAGES = ['redis-server'];
const OLDEST_NODE = 20;
const onWindows = process.platform === 'win32';

const say = (/** @type {string} */ line) => process.stderr.write(`set-up: ${line}\n`);

/** The packages cannot be installed; its message has been said. */
class SetupError extends Error {}

/** @returns {never} */
function giveUp(/** @type {string[]} */ ...lines) {
  for (const line of lines) say(line);
  throw new SetupError(lines[0]);
}

/** The locked packages, by their place below node_modules. @returns {Record<string, Locked> | undefined} */
function readLock(/** @type {string} */ path) {
  if (!existsSync(path)) return undefined;
  /** @type {{ packages?: Record<string, Locked> }} */
  const lock = JSON.parse(readFileSync(path, 'utf8'));
  return lock.packages;
}

/**
 * Why the packages have to be installed, or undefined. Compares what npm noted down when it installed with what is
 * locked.
 */
function reasonToInstall() {
  const installed = readLock(join(root, 'node_modules', '.package-lock.json'));
  if (installed === undefined) return 'packages are not installed yet';
  const locked = readLock(join(root, 'package-lock.json')) ?? {};
  for (const [path, { version, integrity, optional }] of Object.entries(locked)) {
    if (path === '') continue;
    const there = installed[path];
    // Optional packages are those of other systems: absent is as good as installed.
    if (there === undefined ? !optional : there.version !== version || there.integrity !== integrity) {
      return `${path} is not the one package-lock.json names`;
    }
  }
  return undefined;
}

/**
 * Where keytar is built, with the headers that lie beside this Node: npm would download them otherwise, and where it
 * cannot the keychain would be missing. Any Node's do, since keytar uses its stable interface alone.
 */
function headersOf(/** @type {string} */ node) {
  const folder = dirname(dirname(realpathSync(node)));
  const there = existsSync(join(folder, 'include', 'node', 'node_api.h'));
  return there ? { npm_config_nodedir: folder } : {};
}

/**
 * Lines of npm that are for whoever looks for a fault in npm. Node 20 draws a warning from packages that will run on
 * 24.
 */
const DETAIL = /^npm (?:info|http|notice|warn|verb)/i;
const EACH = 100;

/** Prints what npm has come to, from what it writes at the level `info`; its other lines as they are. */
function createProgress() {
  let downloads = 0;
  return (/** @type {string} */ line) => {
    const script = /^npm info run (\S+)@\S+ \w+ node_modules/.exec(line)?.[1];
    if (script !== undefined) say(`running the install script of ${script}`);
    else if (/^npm http fetch GET 200 .*\.tgz/.test(line) && ++downloads % EACH === 0)
      say(`${downloads} packages are downloaded`);
    else if (!DETAIL.test(line) && line !== '') process.stderr.write(`${line}\n`);
  };
}

/**
 * Runs npm as it was started by, or the one on the path, to its end.
 * @returns {Promise<{ status: number | null, signal: NodeJS.Signals | null, error?: Error }>}
 */
function npm(/** @type {string[]} */ args) {
  const entry = process.env['npm_execpath'];
  // The Node that npm itself runs on: ours lies inside the folder that is about to be replaced.
  const node = process.env['npm_node_execpath'] ?? process.execPath;
  const env = { ...headersOf(node), ...process.env };
  const isScript = entry !== undefined && /\.c?js$/.test(entry);
  const command = isScript ? node : onWindows ? 'npm.cmd' : 'npm';
  const child = spawn(command, isScript ? [entry, ...args] : args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: !isScript && onWindows,
  });
  const onLine = createProgress();
  createInterface({ input: child.stdout }).on('line', onLine);
  createInterface({ input: child.stderr }).on('line', onLine);
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ status: null, signal: null, error }));
    child.once('close', (status, signal) => resolve({ status, signal }));
  });
}

/** True when the npm package `node` has its program, which its install script fetches. */
const hasNode24 = () => (statSync(node24, { throwIfNoEntry: false })?.size ?? 0) > 1_000_000;

/** Whether the part that speaks with the system's keychain was built, or came built. */
const hasKeytar = () => existsSync(join(root, 'node_modules', 'keytar', 'build', 'Release', 'keytar.node'));

/** `canBuildKeytar`: what it is built with was not there before, so that the last install could not. */
async function installPackages(/** @type {boolean} */ canBuildKeytar) {
  const reason =
    reasonToInstall() ??
    (hasNode24() ? undefined : 'Node 24 is missing from node_modules') ??
    (canBuildKeytar && !hasKeytar() ? 'keytar can be built by now' : undefined);
  if (reason === undefined) return;
  const count = Object.keys(readLock(join(root, 'package-lock.json')) ?? {}).length - 1;
  say(
    `${reason}; npm downloads up to ${count} packages, then runs install scripts (1 to 3 minutes the first time, more on a busy machine)`,
  );
  // Windows cannot delete the program that is running this script, so there the packages are brought up to date in
  // place.
  const ended = await npm([
    onWindows && process.execPath === node24 ? 'install' : 'ci',
    '--no-fund',
    '--no-audit',
    '--loglevel=info',
  ]);
  if (ended.error !== undefined) {
    giveUp(
      `npm could not be started (${ended.error.message}).`,
      'Install Node 20 or newer with its npm, then try again.',
    );
  }
  if (ended.status !== 0) {
    giveUp(
      `npm ended with ${ended.status ?? ended.signal}; its own message stands above.`,
      'Most often the package registry cannot be reached: check the network or the proxy (`npm config get registry`,',
      '`npm ping`), then run the same command again.',
    );
  }
  if (!hasNode24()) {
    giveUp(
      'The packages are installed, but the install script of the package `node` did not bring its program.',
      'If install scripts are switched off (`npm config get ignore-scripts`), allow them: npm config set ignore-scripts false',
      'Then run: npm rebuild node',
    );
  }
  say('packages are installed');
  if (!hasKeytar() && process.platform === 'linux') {
    say('without keytar, which needs g++, make and libsecret-1-dev: keys cannot be kept in the keychain of the system');
  }
}

/** The system's name as it gives it itself; empty where it does not. */
function systemId() {
  if (!existsSync('/etc/os-release')) return '';
  return /^ID="?([^"\n]*)"?$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? '';
}

function missingSystemPackages(/** @type {string[]} */ wanted) {
  const { stdout, error } = spawnSync('dpkg-query', ['-W', '-f', '${db:Status-Status} ${Package}\n', ...wanted], {
    encoding: 'utf8',
  });
  if (error !== undefined) return wanted;
  const there = new Set(stdout.split('\n'));
  return wanted.filter((name) => !there.has(`installed ${name}`));
}

const START_POLICY = '/usr/sbin/policy-rc.d';

/** Runs apt-get to its end; its output goes to standard error. */
function aptGet(/** @type {string[]} */ ...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const child = spawn('apt-get', args, { env, stdio: ['ignore', 2, 2] });
  return new Promise((/** @type {(ended: number | NodeJS.Signals | null) => void} */ resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', (status, signal) => resolve(status ?? signal));
  });
}

/**
 * Debian starts the servers of what is installed, such as sshd, unless this file says no: the tests start their own, on
 * loopback.
 */
async function withoutStarting(/** @type {() => Promise<number | NodeJS.Signals | null>} */ install) {
  if (existsSync(START_POLICY)) return install();
  writeFileSync(START_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return await install();
  } finally {
    rmSync(START_POLICY);
  }
}

/** `user`: what needs them, as it is called in what is said about them. Returns those that are to be installed. */
function systemPackagesToInstall(/** @type {string} */ user, /** @type {string[]} */ wanted) {
  const id = systemId();
  if (id !== 'debian' && id !== 'ubuntu') return [];
  const missing = missingSystemPackages(wanted);
  if (id === 'debian' && process.getuid?.() === 0) return missing;
  sayWhatIsMissing(
    user,
    missing.filter((name) => id === 'debian' || name !== 'chromium-headless-shell'),
  );
  return [];
}

/** Returns whether they are installed. */
async function installSystemPackages(/** @type {string} */ user, /** @type {string[]} */ missing) {
  if (missing.length === 0) return false;
  say(`apt-get installs system packages for ${user}: ${missing.join(' ')}`);
  const ended = await withoutStarting(() => aptGet('install', '-y', '-q', '--no-install-recommends', ...missing));
  if (ended === 0) return true;
  say(`apt-get ended with ${ended}; what needs these packages will be skipped by name`);
  sayWhatIsMissing(user, missing);
  return false;
}

function sayWhatIsMissing(/** @type {string} */ user, /** @type {string[]} */ missing) {
  if (missing.length === 0) return;
  say(`${user}: some of it needs system packages that are not there, and is skipped without them. To install them:`);
  say(`  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${missing.join(' ')}`);
}

/** The packages of npm come beside those of the system that npm does not need. */
async function setUp() {
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
    giveUp(`Hangar needs Node ${OLDEST_NODE} or newer to set itself up; this is ${process.version}.`);
  }
  const isForTests = process.argv.includes('--tests');
  const user = isForTests ? 'the tests' : 'the benchmark';
  const wanted = isForTests
    ? [...BUILD_PACKAGES, ...TEST_PACKAGES]
    : process.argv.includes('--bench')
      ? BENCH_PACKAGES
      : [];
  const missing = wanted.length > 0 ? systemPackagesToInstall(user, wanted) : [];
  if (missing.length > 0) {
    say('apt-get reads the lists of packages');
    // A list that could not be brought up to date is no reason to stop: the packages may be known already.
    await aptGet('update', '-q');
  }
  const first = missing.filter((name) => BUILD_PACKAGES.includes(name));
  const hasBuildPackages = await installSystemPackages(user, first);
  const rest = installSystemPackages(
    user,
    missing.filter((name) => !first.includes(name)),
  );
  try {
    await installPackages(hasBuildPackages && first.includes('libsecret-1-dev'));
  } finally {
    await rest;
  }
}

try {
  await setUp();
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  process.exitCode = 1;
}
