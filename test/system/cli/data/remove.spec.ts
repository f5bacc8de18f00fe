/**
 * `hangar data paths` and `data remove` as whole programs: every place is listed, and goes, and what stays is named.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { until } from '../../../support/core/until.ts';
import { systemClock } from '../../../../main/app/platform/clock.ts';
import { createKeychain } from '../../../../main/app/secrets/keychain.ts';
import { forkKeychain, reasonForNoKeyring, startKeyring } from '../../secrets/keyring.ts';
import { hangar, json, serveHangar, serveOn, start } from '../commandLine.ts';
import { newFolder, personOf } from './folders.ts';
import { skipFor } from '../../../support/core/skip.ts';

const noKeyring = reasonForNoKeyring();
const placesSchema = z.looseObject({
  places: z.array(
    z.looseObject({ kind: z.string(), path: z.string(), bytes: z.number().nullable(), names: z.array(z.string()) }),
  ),
});
const paths = async (env: Record<string, string | undefined>) =>
  placesSchema.parse(await json('', ['data', 'paths'], { env })).places;

/** The files that a desktop program and its updater make. */
async function makeDesktop(home: string): Promise<string[]> {
  const files = [
    join(home, '.config', 'hangar', 'window.json'),
    join(home, '.cache', 'hangar', 'Cache', 'data_0'),
    join(home, '.cache', 'hangar-updater', 'pending', 'hangar.AppImage'),
    join(home, '.config', 'autostart', 'hangar.desktop'),
  ];
  for (const file of files) {
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, 'x'.repeat(5000));
  }
  return files;
}

const remainingFiles = async (home: string): Promise<string[]> =>
  (await readdir(home, { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));

describe('everything of a person', () => {
  it('is listed and removed, with the running Hangar, and nothing is left', async () => {
    await using home = await newFolder();
    const env = personOf(home.path);
    const files = await makeDesktop(home.path);
    const notOurs = join(home.path, '.config', 'autostart', 'other.desktop');
    await writeFile(notOurs, '');
    await using served = await serveOn('', env);
    const listed = await paths(env);
    for (const [kind, path] of [
      ['engine', join(served.dataDir, 'engine.db')],
      ['desktop', join(home.path, '.config', 'hangar')],
      ['cache', join(home.path, '.cache', 'hangar')],
      ['updates', join(home.path, '.cache', 'hangar-updater')],
      ['login', files[3]],
    ]) {
      expect(listed).toContainEqual(expect.objectContaining({ kind, path }));
    }
    expect(listed.find(({ kind }) => kind === 'updates')?.bytes).toBe(5000);
    const unasked = await hangar('', ['data', 'remove'], { env });
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('add --yes') as string });
    const { left } = (await json('', ['data', 'remove', '--yes'], { env })) as { left: string[] };
    expect(left).toEqual([]);
    expect(await remainingFiles(home.path)).toEqual([notOurs]);
    expect(await json('', ['data', 'remove', '--yes'], { env })).toEqual({ removed: [], left: [] });
  });

  it('stays while a job runs, unless that is forced; what Hangar did not make stays and is named', async () => {
    await using served = await serveHangar();
    const { dataDir } = served;
    const waits = join(dataDir, 'waits');
    await mkdir(waits);
    await writeFile(join(waits, 'handler.mjs'), 'export default () => new Promise(() => undefined);');
    await json(dataDir, ['deploy', waits]);
    const running = start(dataDir, ['run', 'waits', '--input', '{}']);
    await until(
      'the job to run',
      () => json(dataDir, ['jobs']),
      (jobs) => JSON.stringify(jobs).includes('IN_PROGRESS'),
    );
    expect(await hangar(dataDir, ['data', 'remove', '--yes'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('This would end 1 job') as string,
    });
    expect(await readdir(dataDir)).toContain('engine.db');
    const { left } = z
      .object({ left: z.array(z.string()) })
      .parse(JSON.parse((await hangar(dataDir, ['data', 'remove', '--yes', '--force'])).stdout));
    expect(left).toEqual([expect.stringContaining(`${waits}: Hangar did not make it`)]);
    expect(await readdir(dataDir)).toEqual(['waits']);
    expect((await running.ended()).code).not.toBe(0);
  });

  it('of a named folder leaves the places of the default one alone', async () => {
    await using home = await newFolder();
    const env = personOf(home.path);
    const files = await makeDesktop(home.path);
    const named = join(home.path, 'named');
    {
      await using served = await serveOn('', { ...env, HANGAR_HOME: named });
      await served.stop();
    }
    await json('', ['--data-dir', named, 'data', 'remove', '--yes'], { env });
    expect(existsSync(named)).toBe(false);
    expect((await remainingFiles(home.path)).toSorted()).toEqual(files.toSorted());
  });
});

const keychainEntry = async (env: Record<string, string | undefined>) =>
  (await paths(env)).find(({ kind }) => kind === 'keychain');

it('entries in the keychain are listed by name without values, and removed', skipFor(noKeyring), async () => {
  await using keyring = await startKeyring();
  await using home = await newFolder();
  const env = { ...keyring.env, ...personOf(home.path), HANGAR_KEYS: 'keychain' };
  {
    await using served = await serveOn('', env);
    // A start waits only a few seconds for the keychain. A slow host is ready before its key is there.
    await until('the key of the engine in the keychain', async () => (await keychainEntry(env))?.names[0]);
    await served.stop();
  }
  const entry = await keychainEntry(env);
  expect(entry?.names).toEqual([expect.stringMatching(/^engine\/data-key@[0-9a-f]{8}$/)]);
  const { removed } = (await json('', ['data', 'remove', '--yes'], { env })) as { removed: string[] };
  expect(removed[0]).toBe(`${entry?.names[0]} from the keychain`);
  const keychain = createKeychain({ fork: () => forkKeychain(keyring.env), clock: systemClock });
  expect(await keychain.get(entry?.names[0] ?? '')).toBeNull();
  await keychain.stop();
});
