import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inspect, violationsOf } from './layers.ts';

/** A small tree in which every line that imports something it may not is a fault one of the rules has to find. */
const FAULTY: Record<string, string> = {
  'main/contract/job.ts': `import 'node:crypto'; import '../engine/domain/jobs.ts'; import 'fastify';`,
  'main/engine/domain/jobs.ts': `import 'node:fs'; import 'pino'; import '../store/database.ts';`,
  'main/engine/service/server.ts': `import '../runtime/driver.ts'; import 'dockerode';`,
  'main/engine/runtime/driver.ts': `import '../store/database.ts';`,
  'main/engine/store/database.ts': `import type { Server } from '../service/server.ts'; export type Kept = Server;`,
  'main/engine/compose.ts': `import type { App } from '../app/compose.ts'; export type Both = App;`,
  'main/engine.ts': `import './engine/compose.ts'; import { ask } from './reach.ts'; ask();`,
  'main/reach.ts': `import 'electron'; export const ask = () => 1;`,
  'main/app/compose.ts': `import '../engine/compose.ts'; export interface App { a: 1 }`,
  'main/app/ledger/ledger.ts': `import '../streams/reader.ts'; import 'electron';`,
  'main/app/streams/reader.ts': `export const reader = 1;`,
  'main/hosts/headless/cli.ts': `import '../electron/window.ts'; import 'electron'; import 'nowhere-to-be-found';`,
  'main/hosts/electron/window.ts': `import '../../engine/domain/jobs.ts'; import 'ws';`,
  'main/headless.ts': `import './hosts/headless/cli.ts';`,
  'preload/index.ts': `import 'node:path'; import '../main/app/compose.ts';`,
  'renderer/main.tsx': `import './features/run/run.ts';`,
  'renderer/features/run/run.ts': `import '../jobs/jobs.ts'; import '../../../main/app/compose.ts'; import 'electron';`,
  'renderer/features/jobs/jobs.ts': `import 'node:path'; import '#contract/job.ts';`,
  'renderer/ui/button.ts': `import '../features/jobs/jobs.ts'; import '../../test/support/fake.ts';`,
  'renderer/ui/button.spec.ts': `import '../client/machine.ts';`,
  'renderer/client/machine.ts': `import './transport/connection.ts';`,
  'renderer/client/transport/connection.ts': `export interface Connection { a: 1 }`,
  'test/support/fake.ts': `export const fake = 1;`,
};

const SOUND: Record<string, string> = {
  'main/contract/job.ts': `import 'zod';`,
  'main/engine/domain/jobs.ts': `import '#contract/job.ts';`,
  'main/engine/domain/jobs.spec.ts': `import 'node:fs'; import './jobs.ts';`,
  'main/engine/store/database.ts': `import 'node:fs'; import type {} from '../domain/jobs.ts';`,
  'main/engine/compose.ts': `import './store/database.ts';`,
  'main/engine.ts': `import './engine/compose.ts';`,
  'main/app/bridge/router.ts': `import '../ledger/ledger.ts'; import '#contract/job.ts';`,
  'main/app/ledger/ledger.ts': `import '../platform/clock.ts'; import 'pino';`,
  'main/app/platform/clock.ts': `export const clock = 1;`,
  'main/hosts/electron/window.ts': `import 'electron'; import '../../app/platform/clock.ts';`,
  'renderer/features/run/run.ts': `import '../../ui/button.ts'; import '#contract/job.ts'; import 'react';`,
  'renderer/ui/button.ts': `import 'react';`,
  'renderer/ui/button.spec.ts': `import type { Connection } from '../client/transport/connection.ts'; import './button.ts';`,
  'renderer/client/transport/connection.ts': `export interface Connection { a: 1 }`,
};

const PACKAGES = ['dockerode', 'electron', 'fastify', 'pino', 'react', 'ws', 'zod'];

function plant(files: Record<string, string>): string {
  // The temporary folder may be a link, and imports are compared by their real place.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hangar-layers-')));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write('package.json', JSON.stringify({ type: 'module', imports: { '#contract/*': './main/contract/*' } }));
  for (const name of PACKAGES) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'index.js' }));
    write(`node_modules/${name}/index.js`, '');
  }
  for (const [path, text] of Object.entries(files)) write(path, text);
  return folder;
}

describe('a planted fault is found:', () => {
  let violations: string[];
  let folder: string;
  beforeAll(async () => {
    folder = plant(FAULTY);
    violations = violationsOf(await inspect(folder, ['main', 'preload', 'renderer']));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    ["main/contract: Node's own modules", 'main/contract/job.ts', 'crypto'],
    ['main/contract: folders', 'main/contract/job.ts', 'main/engine/domain/jobs.ts'],
    ['main/contract: packages', 'main/contract/job.ts', 'node_modules/fastify/index.js'],
    ["main/engine/domain: Node's own modules", 'main/engine/domain/jobs.ts', 'fs'],
    ['main/engine/domain: packages', 'main/engine/domain/jobs.ts', 'node_modules/pino/index.js'],
    ['main/engine/domain: folders', 'main/engine/domain/jobs.ts', 'main/engine/store/database.ts'],
    ['main/engine/service: folders', 'main/engine/service/server.ts', 'main/engine/runtime/driver.ts'],
    ['main/engine/service: packages', 'main/engine/service/server.ts', 'node_modules/dockerode/index.js'],
    ['main/engine/runtime: folders', 'main/engine/runtime/driver.ts', 'main/engine/store/database.ts'],
    ['main/engine/store: folders', 'main/engine/store/database.ts', 'main/engine/service/server.ts'],
    ['no cycles', 'main/engine/runtime/driver.ts', 'main/engine/store/database.ts'],
    ['main/engine, its own files: folders', 'main/engine/compose.ts', 'main/app/compose.ts'],
    ['engine and app meet over HTTP', 'main/engine.ts', 'main/app/compose.ts'],
    ['app and engine meet over HTTP', 'main/app/compose.ts', 'main/engine/compose.ts'],
    ['headless and engine run without electron', 'main/engine.ts', 'node_modules/electron/index.js'],
    ['headless and engine run without electron', 'main/headless.ts', 'node_modules/electron/index.js'],
    ['main/app/ledger: folders', 'main/app/ledger/ledger.ts', 'main/app/streams/reader.ts'],
    ['main/app: packages', 'main/app/ledger/ledger.ts', 'node_modules/electron/index.js'],
    ['main/hosts/headless: folders', 'main/hosts/headless/cli.ts', 'main/hosts/electron/window.ts'],
    ['no import that leads nowhere', 'main/hosts/headless/cli.ts', 'nowhere-to-be-found'],
    ['main/hosts/electron: folders', 'main/hosts/electron/window.ts', 'main/engine/domain/jobs.ts'],
    ['main/hosts/electron: packages', 'main/hosts/electron/window.ts', 'node_modules/ws/index.js'],
    ["preload: Node's own modules", 'preload/index.ts', 'path'],
    ['preload: folders', 'preload/index.ts', 'main/app/compose.ts'],
    ['renderer/features/*: folders', 'renderer/features/run/run.ts', 'renderer/features/jobs/jobs.ts'],
    ['renderer/features/*: packages', 'renderer/features/run/run.ts', 'node_modules/electron/index.js'],
    ['the page runs without Node', 'renderer/main.tsx', 'main/app/compose.ts'],
    ['the page reaches no module of Node', 'renderer/main.tsx', 'path'],
    ['renderer/{client,state,ui,language}: folders', 'renderer/ui/button.ts', 'renderer/features/jobs/jobs.ts'],
    [
      'specs of rules make no connection to the app',
      'renderer/ui/button.spec.ts',
      'renderer/client/transport/connection.ts',
    ],
    ['nothing that ships imports a test', 'renderer/ui/button.ts', 'test/support/fake.ts'],
  ])('%s (%s → %s)', (rule, from, to) => {
    expect(violations).toContain(`${rule}: ${from} → ${to}`);
  });
});

test('a sound tree breaks no rule', async () => {
  const folder = plant(SOUND);
  try {
    const result = await inspect(folder, ['main', 'renderer']);
    expect(result.modules.length).toBeGreaterThan(Object.keys(SOUND).length);
    expect(violationsOf(result)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
