/**
 * The desktop program as it is packed, with everything but Electron itself: what is in it, and what its Electron may
 * do.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { extractFile, getRawHeader, listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { RECORD, type BundleRecord } from '../../scripts/plugins/bundlePlugins.mjs';
import { fetchProblem, makeDesktop } from '../../scripts/packages/desktop.mjs';
import { desktopConfig, FUSES } from '../../scripts/packages/desktopConfig.mjs';
import { LINUX_SIZES, MAC_KINDS, WINDOWS_SIZES, writeIcons } from '../../scripts/packages/icons.mjs';
import { copyFor, processorOf } from '../../scripts/packages/nativePackage.mjs';
import { desktopSizes, sizeReport } from '../../scripts/packages/sizes.mjs';
import { FORBIDDEN, PROGRAM_FILES, SOURCE_MAP } from './contents.ts';
import { writeFakeElectron } from './fakeElectron.ts';
import { skipFor } from '../support/core/skip.ts';

const repository = resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'hangar-desktop-'));
const program = join(folder, 'dist/linux-unpacked');
const asar = join(program, 'resources/app.asar');
const whyNot = process.platform === 'linux' ? null : 'the fake Electron of the tests is one for Linux';
const noKeytar = existsSync(join(repository, 'node_modules/keytar/build/Release/keytar.node'))
  ? null
  : 'keytar is not installed: it needs g++, make and libsecret-1-dev when npm installs it';
const folders = { app: folder, icons: folder, output: folder, electronDist: undefined };
const config = desktopConfig(folders, {});

beforeAll(async () => {
  if (whyNot !== null) return;
  const electronDist = join(folder, 'electron');
  mkdirSync(electronDist);
  writeFakeElectron(electronDist);
  await makeDesktop({ target: join(folder, 'dist'), work: join(folder, 'work'), folderOnly: true, electronDist });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The files of the archive, those that lie beside it among them. */
const files = (): string[] =>
  listPackage(asar, { isPack: false })
    .map((path) => path.replaceAll('\\', '/').slice(1))
    .filter((path) => /\.\w+$|LICENSE$/.test(path) && !/\/(?:chunks|assets|keytar|node-pty[\w-]*)$/.test(path))
    .sort();
const textOf = (path: string): string => extractFile(asar, path).toString('utf8');

test('the archive holds the program and nothing else', skipFor(whyNot), () => {
  const own = [
    /^out\/main\/electron\.js$/,
    /^out\/preload\/index\.cjs$/,
    /^node_modules\/@lydell\/node-pty(?:-[a-z\d]+-[a-z\d]+)?\/(?:package\.json|LICENSE|[\w/-]+\.(?:js|node))$/,
    /^node_modules\/keytar\/(?:package\.json|LICENSE\.md|lib\/keytar\.js|build\/Release\/keytar\.node)$/,
  ];
  const absent = ['bin/hangar.mjs', 'out/main/cli.js', 'out/main/headless.js'];
  const all = files();
  const stray = all.filter(
    (path) => FORBIDDEN.test(path) || path.endsWith('.gz') || ![...PROGRAM_FILES, ...own].some((one) => one.test(path)),
  );
  expect(stray).toEqual([]);
  expect(all.filter((path) => absent.includes(path))).toEqual([]);
  for (const needed of [
    'out/main/electron.js',
    'out/main/engine.js',
    'out/main/bodyThread.js',
    'out/preload/index.cjs',
  ]) {
    expect(all).toContain(needed);
  }
  const code = all.filter((path) => /^out\/.*\.(?:c?js|css)$/.test(path));
  expect(code.filter((path) => SOURCE_MAP.test(textOf(path)))).toEqual([]);
});

test('what other programs read lies beside the archive, and nothing else does', skipFor(whyNot), () => {
  const unpacked = readdirSync(`${asar}.unpacked`, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => statSync(join(`${asar}.unpacked`, path)).isFile());
  expect(unpacked).toContain('resources/worker-kit/python/harness.py');
  expect(unpacked).toContain('resources/examples/stream-words/handler.mjs');
  expect(unpacked.filter((path) => !/^(?:resources|node_modules\/(?:keytar|@lydell))\//.test(path))).toEqual([]);
});

test('its manifest starts the desktop entry and asks for no package', skipFor(whyNot), () => {
  const manifest = JSON.parse(textOf('package.json')) as Record<string, unknown>;
  expect(manifest).toMatchObject({ name: 'hangar', productName: 'Hangar', main: './out/main/electron.js' });
  for (const field of ['dependencies', 'devDependencies', 'scripts']) expect(manifest).not.toHaveProperty(field);
});

test('the native module is for the processor of the package', skipFor(whyNot ?? noKeytar), () => {
  const module = readFileSync(join(`${asar}.unpacked`, 'node_modules/keytar/build/Release/keytar.node'));
  expect(processorOf(module)).toBe(process.arch);
  expect(copyFor(join(repository, 'node_modules/keytar'), join(folder, 'other'), 'another')).toBe(false);
  expect(existsSync(join(folder, 'other'))).toBe(false);
});

test("Electron's fuses are set, and only run-as-node is open, for Node handlers", skipFor(whyNot), async () => {
  const wire = await getCurrentFuseWire(join(program, 'hangar-desktop'));
  const state = (fuse: FuseV1Options): unknown => wire[fuse];
  expect(state(FuseV1Options.RunAsNode)).toBe(FuseState.ENABLE);
  expect(state(FuseV1Options.EnableCookieEncryption)).toBe(FuseState.ENABLE);
  expect(state(FuseV1Options.EnableNodeOptionsEnvironmentVariable)).toBe(FuseState.DISABLE);
  expect(state(FuseV1Options.EnableNodeCliInspectArguments)).toBe(FuseState.DISABLE);
  expect(state(FuseV1Options.EnableEmbeddedAsarIntegrityValidation)).toBe(FuseState.ENABLE);
  expect(state(FuseV1Options.OnlyLoadAppFromAsar)).toBe(FuseState.ENABLE);
  expect(state(FuseV1Options.GrantFileProtocolExtraPrivileges)).toBe(FuseState.DISABLE);
  expect(state(FuseV1Options.LoadBrowserProcessSpecificV8Snapshot)).toBe(FuseState.DISABLE);
});

test('every fuse of Electron has a decision', () => {
  const names = Object.keys(FuseV1Options).filter((name) => Number.isNaN(Number(name)));
  const decided = Object.keys(FUSES).map((name) => name.toLowerCase());
  const open = names.filter((name) => !decided.some((one) => one === name.toLowerCase()));
  // How Chromium compiles WebAssembly, of which the page has none: Electron's own choice is right.
  expect(open).toEqual(['WasmTrapHandlers']);
});

test('every licence lies in the archive and beside the program, with those of Electron', skipFor(whyNot), () => {
  const licenses = textOf('LICENSES.txt');
  expect(readFileSync(join(program, 'LICENSES.hangar.txt'), 'utf8')).toBe(licenses);
  for (const name of ['LICENSE.electron.txt', 'LICENSES.chromium.html'])
    expect(existsSync(join(program, name))).toBe(true);
  const present = new Set(files());
  const packages = ['main', 'renderer'].flatMap((part) => {
    const record = JSON.parse(readFileSync(join(repository, 'out', part, RECORD), 'utf8')) as BundleRecord;
    return Object.entries(record).flatMap(([file, one]) => (present.has(`out/${part}/${file}`) ? one.packages : []));
  });
  expect(packages.length).toBeGreaterThan(100);
  const missing = [...new Set(packages)].filter((path) => {
    const { name, version } = JSON.parse(readFileSync(join(repository, path, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
    };
    return !licenses.includes(`\n${name} ${version}\nLicense: `);
  });
  expect(missing).toEqual([]);
});

test('languages are those of the page, and updates have a feed', skipFor(whyNot), () => {
  expect(readdirSync(join(program, 'locales')).filter((name) => !name.startsWith('en'))).toEqual([]);
  expect(readFileSync(join(program, 'resources/app-update.yml'), 'utf8')).toMatch(/^provider: /m);
});

test(
  'the program and its archive are listed with their sizes, and weigh no more than their caps',
  skipFor(whyNot),
  () => {
    const { lines, problems } = sizeReport(desktopSizes(join(folder, 'dist')), folder);
    expect(lines.map((line) => line.replace(/ .*/, ''))).toEqual([
      'dist/linux-unpacked',
      'dist/linux-unpacked/resources/app.asar',
    ]);
    expect(problems).toEqual([]);
  },
);

test('the archive has checksums of its files', skipFor(whyNot), () => {
  expect(JSON.stringify(getRawHeader(asar).header)).toContain('"algorithm":"SHA256"');
});

test('the configuration names every system, the link scheme, and a hardened runtime with two entitlements', () => {
  expect(config).toMatchObject({
    appId: 'dev.hangar.desktop',
    protocols: [{ schemes: ['hangar'] }],
    mac: {
      hardenedRuntime: true,
      target: [{ target: 'dmg', arch: ['arm64', 'x64'] }, { target: 'zip' }],
      // Without it, macOS ends a program that asks for the camera.
      extendInfo: { NSCameraUsageDescription: expect.stringContaining('pairing code') as string },
    },
    win: { target: [{ target: 'nsis' }] },
    linux: { target: ['AppImage', 'deb', 'rpm'] },
    nsis: { deleteAppDataOnUninstall: false },
  });
  const entitlements = readFileSync(String(config.mac?.entitlements), 'utf8');
  expect(entitlements.match(/<key>[^<]*<\/key>\s*<true\/>/g)).toEqual([
    expect.stringContaining('com.apple.security.cs.allow-jit'),
    expect.stringContaining('com.apple.security.device.camera'),
  ]);
});

test('a build of the release workflow gets its updates from the releases of that repository', () => {
  expect(desktopConfig(folders, { GITHUB_REPOSITORY: 'someone/hangar' }).publish).toMatchObject({
    provider: 'github',
    owner: 'someone',
    repo: 'hangar',
  });
});

/** The width and height that a PNG names in its head. */
const sizeOf = (png: Buffer): [number, number] => {
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
};

test('icons are made at every size from one drawing', () => {
  const icons = join(folder, 'icons-alone');
  writeIcons(icons);
  for (const size of LINUX_SIZES) {
    expect(sizeOf(readFileSync(join(icons, `icons/${size}x${size}.png`)))).toEqual([size, size]);
  }
  const ico = readFileSync(join(icons, 'icon.ico'));
  const widths = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
    const at = ico.readUInt32LE(6 + 16 * index + 12);
    return sizeOf(ico.subarray(at, at + ico.readUInt32LE(6 + 16 * index + 8)))[0];
  });
  expect(widths).toEqual(WINDOWS_SIZES);
  const icns = readFileSync(join(icons, 'icon.icns'));
  expect(icns.readUInt32BE(4)).toBe(icns.length);
  const kinds: [string, number][] = [];
  for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4)) {
    kinds.push([icns.toString('ascii', at, at + 4), sizeOf(icns.subarray(at + 8))[0]]);
  }
  expect(kinds).toEqual(MAC_KINDS);
});

test('`npm run dist` names what it takes when it is called otherwise', skipFor(whyNot), () => {
  const { status, stderr } = spawnSync(process.execPath, [join(repository, 'scripts/packages/dist.mjs'), 'everything']);
  expect(status).toBe(2);
  expect(String(stderr)).toContain('npm run dist -- --dir');
});

test('an Electron that cannot be fetched is reported with what to do', skipFor(whyNot), async () => {
  // Nothing answers on this port, and the cache of whoever runs the tests is not used.
  vi.stubEnv('ELECTRON_MIRROR', 'http://127.0.0.1:9/');
  vi.stubEnv('electron_config_cache', join(folder, 'cache'));
  const failed = makeDesktop({ target: join(folder, 'none'), work: join(folder, 'no-work'), folderOnly: true });
  const thrown = await failed.then(
    () => null,
    (reason: unknown) => reason,
  );
  vi.unstubAllEnvs();
  expect(fetchProblem(thrown)).toMatch(/could not be fetched: .*ECONNREFUSED.*HANGAR_ELECTRON_DIST/s);
  expect(fetchProblem(new Error('another'))).toBeNull();
});
