/** The npm package of Hangar without a window, as it installs and runs on a machine that has nothing but Node. */
import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobsAt, makeEndpoint, serve } from './installed.ts';
import { OLDER, madePackages } from './made.ts';

const folder = mkdtempSync(join(tmpdir(), 'hangar-npm-'));
const project = join(folder, 'project');
const home = join(folder, 'home');
const bin = join(project, 'node_modules/.bin/hangar');
/** Nothing of this machine's person: no cache, no settings, no packages; of its programs, Node and npm alone. */
const env = { PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(':'), HOME: home, HANGAR_KEYS: 'memory' };

function npm(args: string[]): { status: number | null; output: string } {
  const entry = process.env['npm_execpath'];
  const [command, ...first]: [string, ...string[]] = entry === undefined ? ['npm'] : [process.execPath, entry];
  const { status, stdout, stderr } = spawnSync(command, [...first, ...args], { cwd: project, env, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

/** As if an older Node had started the command. */
const ON_NODE_20 = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })`;
const runOnNode20 = (...args: string[]): ReturnType<typeof spawnSync> =>
  spawnSync(process.execPath, ['--import', ON_NODE_20, bin, ...args], { env, encoding: 'utf8' });

beforeAll(() => {
  for (const made of [project, home]) mkdirSync(made);
  // Offline: with an empty cache, nothing but the package itself can be installed.
  const { status, output } = npm(['install', '--offline', '--no-audit', '--no-fund', madePackages().npm]);
  expect(status, output).toBe(0);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('it installs in an empty folder without a registry, and needs no other package', () => {
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['hangar']);
});

test('its command answers its version', () => {
  const { stdout } = spawnSync(process.execPath, [bin, '--version'], { env, encoding: 'utf8' });
  expect(stdout).toBe(`${OLDER}\n`);
});

test('it runs a job, serves its page, and stops', async () => {
  const handler = join(folder, 'handler');
  mkdirSync(handler);
  writeFileSync(join(handler, 'handler.mjs'), 'export default (job) => job.input.n * 2;\n');
  await using hangar = await serve([process.execPath, bin], env, join(folder, 'data'));
  const jobs = jobsAt(hangar.http, await makeEndpoint(hangar.http, handler));
  expect(await jobs.finished(await jobs.run({ n: 21 }))).toMatchObject({ status: 'COMPLETED', output: 42 });
  const page = await fetch(hangar.ready.ui.replace(/\/\/[^/]+?:(\d+)/, '//127.0.0.1:$1'), { redirect: 'manual' });
  expect([200, 303, 421]).toContain(page.status);
  expect(await hangar.stop()).toBe(0);
});

test('an old Node without the optional package is told what to install', () => {
  const { status, stderr } = runOnNode20('--version');
  expect(status).toBe(1);
  expect(stderr).toMatch(/^hangar: this needs Node 24 or newer; .* Install Node 24, or install Hangar again/);
});

test('an old Node runs the command on the Node of the optional package', () => {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const optional = join(project, 'node_modules', `node-${platform}-${process.arch}`);
  mkdirSync(join(optional, 'bin'), { recursive: true });
  writeFileSync(join(optional, 'package.json'), JSON.stringify({ name: 'node', bin: { node: 'bin/node' } }));
  try {
    linkSync(process.execPath, join(optional, 'bin/node'));
  } catch {
    // Another file system: a copy does as well.
    writeFileSync(join(optional, 'bin/node'), readFileSync(process.execPath), { mode: 0o755 });
  }
  expect(runOnNode20('--version')).toMatchObject({ status: 0, stdout: `${OLDER}\n` });
  expect(runOnNode20('no-such-command').status, 'the exit code is that of the program').not.toBe(0);
});
