/** The headless host as a child process that runs from source and can be started again. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { env24, node24, root } from '../run24.mjs';
import { readable } from './log.mjs';

/**
 * @typedef {{ api: string, ui: string, apiKey: string, dataDir: string }} Ready What the host prints once it serves.
 * @typedef {{ start(): void, restart(): Promise<void>, stop(): Promise<void>, kill(): void, isReady(): boolean }} Host
 * @typedef {{ args: string[], onReady: (ready: Ready) => void }} HostOptions
 */

const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

/**
 * `restart` stops the running host in order and starts another; calls that come meanwhile make one restart more. A host
 * that ends by itself stays ended until then, so that its message can be read.
 * @returns {Host}
 */
export function createHost(/** @type {HostOptions} */ { args, onReady }) {
  /** @type {import('node:child_process').ChildProcess | null} */
  let child = null;
  let isReady = false;
  let isStopping = false;
  let isStale = false;
  /** @type {Promise<void> | null} */
  let restarting = null;

  function start() {
    const started = spawn(
      node24,
      [
        '--import',
        join(import.meta.dirname, 'endWithParent.mjs'),
        join(root, 'main', 'headless.ts'),
        '--json',
        ...args,
      ],
      {
        // The engine inherits the option; workers get no NODE_OPTIONS.
        env: { ...env24, NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --enable-source-maps`.trim() },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        // A group of its own: Ctrl+C reaches `npm run dev` alone, which then stops the host in order.
        detached: process.platform !== 'win32',
      },
    );
    child = started;
    for (const stream of [started.stdout, started.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        if (stream === started.stdout) {
          /** @type {{ event: string } & Ready} */
          const message = JSON.parse(line);
          isReady ||= message.event === 'ready';
          if (message.event === 'ready') onReady(message);
        } else process.stdout.write(readable(line, started.pid));
      });
    }
    started.once('exit', (code, signal) => {
      if (child !== started) return;
      child = null;
      isReady = false;
      if (!isStopping && restarting === null) {
        say(`Hangar ended (${code ?? signal}). It starts again at the next change of main/, or when you press Enter.`);
      }
    });
  }

  async function end() {
    if (child === null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }

  async function restartUntilFresh() {
    while (isStale && !isStopping) {
      isStale = false;
      await end();
      if (!isStopping) start();
    }
  }

  return {
    start,
    restart() {
      isStale = true;
      restarting ??= restartUntilFresh().finally(() => (restarting = null));
      return restarting;
    },
    async stop() {
      isStopping = true;
      await end();
    },
    kill: () => void child?.kill('SIGTERM'),
    isReady: () => isReady,
  };
}
