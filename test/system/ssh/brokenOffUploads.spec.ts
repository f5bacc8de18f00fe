/** Uploads into a Pod that end before all is there: what goes on later, what is refused, and that no half of a file is taken for it. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { UploadAborted } from '../../../main/app/services/uploads.ts';
import { startRemote } from '../../support/remote/remote.ts';
import { podAt, startSshGround, type SshGround } from '../../support/ssh/sshPods.ts';
import { makeKey, startSshd, type TestKey, type TestSshd } from '../../support/ssh/sshd.ts';
import { connect, newDataDir, pair, startHost } from '../headless/headlessHost.ts';
import { needsRoot } from '../../support/core/skip.ts';

const ACCOUNT = 'a-cloud';
const PIECE = limits.page.pieceBytes;
const CHANGED = Date.UTC(2026, 0, 2, 3, 4, 5);
const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const isPart = (name: string): boolean => name.startsWith('.hangar-part-');

interface Giving {
  modifiedAt?: number;
  replaces?: boolean;
  startsOver?: boolean;
  /** Before the piece at this byte, Hangar is stopped. */
  stopsAt?: number;
}

describe('uploads that were broken off', () => {
  let sshd: TestSshd;
  let mine: TestKey;
  let ground: SshGround;
  let folder: string;
  let place: string;
  const files = () => ground.ssh.files.of(ACCOUNT, 'pod-1');
  const parts = async (): Promise<string[]> => (await readdir(folder)).filter(isPart);

  function give(name: string, bytes: Buffer, { modifiedAt, replaces, startsOver, stopsAt }: Giving = {}) {
    const abort = new AbortController();
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += PIECE) {
        if (at === stopsAt) abort.abort(new Error('Hangar is stopping.'));
        yield bytes.subarray(at, at + PIECE);
      }
    }
    return files().write(`${place}/${name}`, {
      body: pieces(),
      lengthBytes: bytes.length,
      modifiedAt: modifiedAt ?? CHANGED,
      replaces: replaces ?? false,
      startsOver: startsOver ?? false,
      signal: abort.signal,
    });
  }
  /** Three of its pieces come there, then Hangar ends and begins anew. */
  async function breakOff(name: string, bytes: Buffer, more: Giving = {}): Promise<string> {
    await expect(give(name, bytes, { ...more, stopsAt: 3 * PIECE })).rejects.toThrow();
    await ground.restart();
    const [part, ...others] = await parts();
    expect(others).toEqual([]);
    return join(folder, part!);
  }

  beforeAll(async () => {
    sshd = await startSshd();
    mine = await makeKey(sshd.folder, 'mine');
    await sshd.authorize(mine);
    ground = await startSshGround([podAt(sshd)]);
    await ground.ssh.change({ identity: { from: 'file', path: mine.path }, keepsShells: false });
    folder = await mkdtemp(join(tmpdir(), "hangar-pod's uploads-"));
    place = folder.slice(1);
    await files()
      .list(place)
      .catch(() => ground.ssh.trust({ host: '127.0.0.1', port: sshd.port }, sshd.hostKey().fingerprint));
  });
  beforeEach(async () => {
    for (const name of await readdir(folder)) await rm(join(folder, name));
    for (const { path } of await files().unfinished()) await files().discard(path);
  });
  afterEach(() => ground.restart());
  afterAll(async () => {
    await ground[Symbol.asyncDispose]();
    await sshd[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it('go on where they were after a restart, with the same file', async () => {
    const bytes = randomBytes(5 * PIECE + 77);
    const part = await breakOff('model.bin', bytes);
    expect(existsSync(join(folder, 'model.bin'))).toBe(false);
    // A connection breaks in the middle of a piece: what is behind the last whole one is not believed.
    await truncate(part, 2 * PIECE + 500);
    const { ino } = await stat(part);
    expect(await files().unfinished()).toMatchObject([
      { path: `${place}/model.bin`, sizeBytes: bytes.length, modifiedAt: CHANGED, doneBytes: PIECE + 500 },
    ]);
    await give('model.bin', bytes);
    expect(sha(await readFile(join(folder, 'model.bin')))).toBe(sha(bytes));
    expect((await stat(join(folder, 'model.bin'))).ino).toBe(ino);
    expect(await parts()).toEqual([]);
    await ground.restart();
    expect(await files().unfinished()).toEqual([]);
  });

  it('are refused with a file that is another one, and start over with it if that is wanted', async () => {
    const bytes = randomBytes(4 * PIECE);
    const part = await breakOff('model.bin', bytes);
    const otherwise = Buffer.from(bytes);
    otherwise[PIECE] = ~otherwise[PIECE]! & 255;
    for (const [why, another, more] of [
      ['its size', Buffer.concat([bytes, bytes.subarray(0, 1)]), {}],
      ['the time of its last change', bytes, { modifiedAt: CHANGED + 1 }],
      ['what it begins with', otherwise, {}],
    ] as const) {
      const refusal = { code: 'CONFLICT', details: { startsOver: true } };
      await expect(give('model.bin', another, more), why).rejects.toMatchObject(refusal);
    }
    // Nothing of it was touched: the right file still goes on.
    expect(sha(await readFile(part))).toBe(sha(bytes.subarray(0, 3 * PIECE)));
    expect(await files().unfinished()).toHaveLength(1);
    await give('model.bin', otherwise, { startsOver: true });
    expect(sha(await readFile(join(folder, 'model.bin')))).toBe(sha(otherwise));
    expect(await parts()).toEqual([]);
  });

  it('are read in the Pod where that has no shell to work out a digest', async () => {
    await using bare = await startSshd(['ForceCommand internal-sftp']);
    await bare.authorize(mine);
    ground.pods = [podAt(bare)];
    await files()
      .list(place)
      .catch(() => ground.ssh.trust({ host: '127.0.0.1', port: bare.port }, bare.hostKey().fingerprint));
    const bytes = randomBytes(4 * PIECE);
    const { ino } = await stat(await breakOff('model.bin', bytes));
    const otherwise = Buffer.from(bytes);
    otherwise[0] = ~otherwise[0]! & 255;
    await expect(give('model.bin', otherwise)).rejects.toThrow('not the beginning of this file');
    await give('model.bin', bytes);
    expect(sha(await readFile(join(folder, 'model.bin')))).toBe(sha(bytes));
    expect((await stat(join(folder, 'model.bin'))).ino).toBe(ino);
    await ground.restart();
    ground.pods = [podAt(sshd)];
  });

  it('are refused where what is in the Pod was changed meanwhile', async () => {
    const bytes = randomBytes(4 * PIECE);
    const part = await breakOff('model.bin', bytes);
    await writeFile(part, Buffer.alloc(3 * PIECE));
    await expect(give('model.bin', bytes)).rejects.toThrow('not the beginning of this file');
    expect(existsSync(join(folder, 'model.bin'))).toBe(false);
  });

  it('begin at the first byte where nothing of them is in the Pod any more', async () => {
    const bytes = randomBytes(4 * PIECE);
    await rm(await breakOff('model.bin', bytes));
    expect(await files().unfinished()).toMatchObject([{ doneBytes: 0 }]);
    await give('model.bin', bytes);
    expect(sha(await readFile(join(folder, 'model.bin')))).toBe(sha(bytes));
  });

  it('wait for an answer where something has their name by then, and keep its replacing across a restart', async () => {
    const bytes = randomBytes(4 * PIECE);
    await breakOff('model.bin', bytes);
    await writeFile(join(folder, 'model.bin'), 'another one');
    await expect(give('model.bin', bytes)).rejects.toThrow('already');
    expect(await files().unfinished()).toHaveLength(1);
    expect(await readFile(join(folder, 'model.bin'), 'utf8')).toBe('another one');
    await expect(give('model.bin', bytes, { replaces: true, stopsAt: 3 * PIECE })).rejects.toThrow();
    await ground.restart();
    await give('model.bin', bytes);
    expect(sha(await readFile(join(folder, 'model.bin')))).toBe(sha(bytes));
  });

  it('leave nothing when they are discarded', async () => {
    const bytes = randomBytes(4 * PIECE);
    await breakOff('model.bin', bytes);
    await files().discard(`${place}/model.bin`);
    expect(await readdir(folder)).toEqual([]);
    expect(await files().unfinished()).toEqual([]);
    // Of an account that was removed there is nothing to go on with.
    await breakOff('model.bin', bytes);
    await ground.ssh.leave(ACCOUNT);
    expect(await readFile(join(ground.dataDir, 'uploads.json'), 'utf8')).toBe('[]');
  });

  it('are given up between two pieces, too, and are told as broken off by nobody while they are under way', async () => {
    const abort = new AbortController();
    const came = Promise.withResolvers<void>();
    async function* body() {
      yield randomBytes(PIECE);
      came.resolve();
      await new Promise(() => undefined);
    }
    const written = files().write(`${place}/model.bin`, {
      body: body(),
      lengthBytes: 2 * PIECE,
      modifiedAt: CHANGED,
      replaces: false,
      startsOver: false,
      signal: abort.signal,
    });
    await came.promise;
    expect(await parts()).toHaveLength(1);
    expect(await files().unfinished()).toEqual([]);
    abort.abort(new UploadAborted());
    await expect(written).rejects.toThrow('cancelled');
    expect(await readdir(folder)).toEqual([]);
  });

  it('are gone on with by whoever sends the same file last', async () => {
    const bytes = randomBytes(3 * PIECE);
    const came = Promise.withResolvers<void>();
    async function* body() {
      yield bytes.subarray(0, PIECE);
      yield bytes.subarray(PIECE, 2 * PIECE);
      came.resolve();
      await new Promise(() => undefined);
    }
    const former = files().write(`${place}/model.bin`, {
      body: body(),
      lengthBytes: bytes.length,
      modifiedAt: CHANGED,
      replaces: false,
      startsOver: false,
      signal: new AbortController().signal,
    });
    const refused = expect(former).rejects.toThrow('is being uploaded again');
    await came.promise;
    await give('model.bin', bytes);
    await refused;
    expect(sha(await readFile(join(folder, 'model.bin')))).toBe(sha(bytes));
    expect(await parts()).toEqual([]);
  });
});

// The service tells of root alone, whom only root's own sshd lets in.
it('an upload goes on after all of Hangar was killed in the middle of it', needsRoot, async () => {
  await using sshd = await startSshd();
  const mine = await makeKey(sshd.folder, 'mine');
  await sshd.authorize(mine);
  await using remote = await startRemote();
  const port = { host: '127.0.0.1', port: sshd.port };
  const pod = remote.addPod({ name: 'trainer', ports: ['22/tcp'], ssh: port });
  await using dataDir = await newDataDir();
  const start = async () => {
    const host = startHost(['--json', '--port', '0', '--ui-port', '0', '--data-dir', dataDir.path], {
      HANGAR_KEYS: 'file',
      HANGAR_PASSPHRASE: 'as long as it takes',
    });
    const { ui } = await host.ready();
    return { host, page: await connect(ui!, await pair(ui!)) };
  };
  const folder = await mkdtemp(join(tmpdir(), 'hangar-pod-'));
  try {
    const bytes = randomBytes(4 * PIECE + 5);
    const holder = { in: 'pod', id: pod.id } as const;
    const path = `${folder.slice(1)}/model.bin`;
    const whole = { sizeBytes: bytes.length, modifiedAt: CHANGED, replaces: false, startsOver: false };
    let accountId = '';
    {
      const { host, page } = await start();
      const { accounts, ssh, files } = page.client;
      const draft = { preset: 'addresses', name: 'cloud', addresses: remote.v1, key: remote.key } as const;
      accountId = (await accounts.add({ draft })).id;
      await ssh.change({ identity: { from: 'file', path: mine.path } });
      await expect(files.list({ accountId, holder, path: '' })).rejects.toThrow();
      await ssh.trust({ ...port, fingerprint: sshd.hostKey().fingerprint });
      const { uploadId } = await files.beginUpload({ accountId, holder, path, ...whole });
      for (const from of [0, PIECE, 2 * PIECE]) {
        await files.putPiece({ uploadId, from, bytes: new Blob([bytes.subarray(from, from + PIECE)]) });
      }
      host.child.kill('SIGKILL');
      await host.exited();
      await page[Symbol.asyncDispose]();
    }
    expect((await readdir(folder)).filter((name) => !isPart(name))).toEqual([]);
    const { host, page } = await start();
    await using _host = host;
    await using _page = page;
    const { files } = page.client;
    expect(await files.unfinished({ accountId, holder })).toEqual([
      {
        path,
        sizeBytes: bytes.length,
        modifiedAt: CHANGED,
        begunAt: expect.any(Number) as number,
        doneBytes: 2 * PIECE,
      },
    ]);
    const { uploadId } = await files.beginUpload({ accountId, holder, path, ...whole });
    for (let from = 0; from < bytes.length; from += PIECE) {
      await files.putPiece({ uploadId, from, bytes: new Blob([bytes.subarray(from, from + PIECE)]) });
    }
    await files.endUpload({ uploadId });
    expect(sha(await readFile(join(folder, 'model.bin')))).toBe(sha(bytes));
    expect(await readdir(folder)).toEqual(['model.bin']);
    expect(await files.unfinished({ accountId, holder })).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
