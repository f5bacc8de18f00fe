#!/usr/bin/env node
/**
 * The command `hangar`. It runs on the Node that starts it where that is new enough, and on the Node of an optional package
 * otherwise. Readable by Node 18.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const NODE_MAJOR = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const platform = process.platform === 'win32' ? 'win' : process.platform;
/** Node as packages that need no install script; the one for Macs with Apple's processors has a name of its own. */
const NODE_PACKAGES = [`node-${platform}-${process.arch}`, `node-bin-${platform}-${process.arch}`];

/** The program of an optional package, or undefined where it is not installed. */
function installedNode() {
  const require = createRequire(import.meta.url);
  for (const name of NODE_PACKAGES) {
    try {
      const manifest = require.resolve(`${name}/package.json`);
      const program = join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.node);
      if (existsSync(program)) return program;
    } catch {
      // Not installed: the next name, or none.
    }
  }
  return undefined;
}

/** Ends this process as the program ends that runs in its place. */
function runOn(node) {
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // Ctrl+C has reached it already: the terminal sends it to the whole group.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.once('error', (error) => {
    process.stderr.write(`hangar: ${node} could not be started (${error.message}).\n`);
    process.exit(1);
  });
  child.once('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) {
  await import(pathToFileURL(join(root, 'out', 'main', 'cli.js')).href);
} else {
  const node = installedNode();
  if (node === undefined) {
    process.stderr.write(
      `hangar: this needs Node ${NODE_MAJOR} or newer; it was started by ${process.version}, and the optional package ` +
        `${NODE_PACKAGES[0]} is not installed. Install Node ${NODE_MAJOR}, or install Hangar again without --omit=optional.\n`,
    );
    process.exitCode = 1;
  } else {
    runOn(node);
  }
}
