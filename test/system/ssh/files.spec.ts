/** Files of a Pod over SFTP, against a real OpenSSH server: up and down by their checksum, and never halfway. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import { UploadAborted } from '../../../main/app/services/uploads.ts';
import { openViewer, podAt, startSshGround, type SshGround } from '../../support/ssh/sshPods.ts';
import { makeKey, startSshd, type TestKey, type TestSshd } from '../../support/ssh/sshd.ts';

const ACCOUNT = 'a-cloud';
const PIECE = limits.page.pieceBytes;
const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function* piecesOf(bytes: Buffer, before: (at: number) => void = () => undefined) {
  for (let at = 0; at < bytes.length; at += PIECE) {
    before(at);
    yield bytes.subarray(at, at + PIECE);
  }
}

interface Giving {
  replaces?: boolean;
  startsOver?: boolean;
  before?: (at: number) => void;
  signal?: AbortSignal;
}

describe('files of a Pod over SSH', () => {
  let sshd: TestSshd;
  let ground: SshGround;
  let mine: TestKey;
  let folder: string;
  /** As the page asks for it. */
  let place: string;
  const files = () => ground.ssh.files.of(ACCOUNT, 'pod-1');
  const give = (name: string, bytes: Buffer, more: Giving = {}) =>
    files().write(`${place}/${name}`, {
      body: piecesOf(bytes, more.before),
      lengthBytes: bytes.length,
      modifiedAt: 1,
      replaces: more.replaces ?? false,
      startsOver: more.startsOver ?? false,
      signal: more.signal ?? new AbortController().signal,
    });
  async function take(name: string): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    for (let from = 0; ;) {
      const piece = await files().read(`${place}/${name}`, from, PIECE);
      if (piece.length === 0) return Buffer.concat(pieces);
      pieces.push(piece);
      from += piece.length;
    }
  }

  beforeAll(async () => {
    sshd = await startSshd();
    mine = await makeKey(sshd.folder, 'mine');
    await sshd.authorize(mine);
    ground = await startSshGround([podAt(sshd)]);
    await ground.ssh.change({ identity: { from: 'file', path: mine.path }, keepsShells: false });
    folder = await mkdtemp(join(tmpdir(), 'hangar-pod-files-'));
    place = folder.slice(1);
  });
  afterAll(async () => {
    await ground[Symbol.asyncDispose]();
    await sshd[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it('are reached once the host is trusted, by the question that a terminal asks', async () => {
    await expect(files().list(place)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { question: { kind: 'new-host', fingerprint: sshd.hostKey().fingerprint } },
    });
    ground.ssh.trust({ host: '127.0.0.1', port: sshd.port }, sshd.hostKey().fingerprint);
    expect(await files().list(place)).toEqual({ path: place, entries: [], truncated: false });
    await ground.restart();
  });

  it('go up and come down the same, byte by byte', async () => {
    const bytes = randomBytes(5 * PIECE + 12_345);
    await give('up.bin', bytes);
    expect(sha(await readFile(join(folder, 'up.bin')))).toBe(sha(bytes));
    expect(sha(await take('up.bin'))).toBe(sha(bytes));
    // From anywhere on.
    expect(sha(await files().read(`${place}/up.bin`, 3 * PIECE + 1, 100))).toBe(
      sha(bytes.subarray(3 * PIECE + 1, 3 * PIECE + 101)),
    );
    await ground.restart();
  });

  it('go on where they were when the connection breaks on the way up', async () => {
    const bytes = randomBytes(4 * PIECE);
    await give('cut.bin', bytes, { before: (at) => at === 2 * PIECE && sshd.cut() });
    expect(sha(await readFile(join(folder, 'cut.bin')))).toBe(sha(bytes));
    await ground.restart();
  });

  it('replace what is there only where that is wanted, and keep its permissions', async () => {
    await writeFile(join(folder, 'tool'), 'old', { mode: 0o751 });
    await expect(give('tool', Buffer.from('new'))).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await readFile(join(folder, 'tool'), 'utf8')).toBe('old');
    await give('tool', Buffer.from('new'), { replaces: true });
    expect(await readFile(join(folder, 'tool'), 'utf8')).toBe('new');
    expect((await stat(join(folder, 'tool'))).mode & 0o777).toBe(0o751);
    await ground.restart();
  });

  it('leave nothing behind when a person gives them up halfway', async () => {
    const abort = new AbortController();
    const before = await readdir(folder);
    const stopped = give('half.bin', randomBytes(3 * PIECE), {
      before: (at) => at === 2 * PIECE && abort.abort(new UploadAborted()),
      signal: abort.signal,
    });
    await expect(stopped).rejects.toThrow('cancelled');
    expect(await readdir(folder)).toEqual(before);
    expect(await files().unfinished()).toEqual([]);
    await ground.restart();
  });

  it('are listed, moved and deleted; a link is deleted without what it leads to', async () => {
    await mkdir(join(folder, 'models/deep'), { recursive: true });
    await writeFile(join(folder, 'models/deep/a.txt'), 'abc');
    await mkdir(join(folder, 'kept'));
    await writeFile(join(folder, 'kept/precious'), '1');
    await symlink(join(folder, 'kept'), join(folder, 'models/link'));
    await symlink(join(folder, 'nowhere'), join(folder, 'models/broken'));
    const { entries } = await files().list(`${place}/models`);
    expect(entries.map(({ name, kind }) => `${kind} ${name}`)).toEqual(['folder deep', 'folder link', 'other broken']);
    expect(entries.map(({ isLink }) => isLink === true)).toEqual([false, true, true]);
    expect((await files().list(`${place}/models/deep`)).entries).toMatchObject([{ name: 'a.txt', sizeBytes: 3 }]);

    await files().makeFolder(`${place}/new`);
    await expect(files().makeFolder(`${place}/new`)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(files().move(`${place}/new`, `${place}/kept`)).rejects.toMatchObject({ code: 'CONFLICT' });
    await files().move(`${place}/new`, `${place}/newer`);
    expect((await lstat(join(folder, 'newer'))).isDirectory()).toBe(true);

    await expect(files().remove(`${place}/models`, true)).rejects.toThrow();
    expect(existsSync(join(folder, 'models/deep/a.txt'))).toBe(true);
    await files().remove(`${place}/newer`, true);
    expect(existsSync(join(folder, 'newer'))).toBe(false);

    await files().remove(`${place}/models`);
    expect(existsSync(join(folder, 'models'))).toBe(false);
    expect(await readFile(join(folder, 'kept/precious'), 'utf8')).toBe('1');
    await expect(files().list(`${place}/models`)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await ground.restart();
  });

  it.each(['../etc', 'a/../b', './a', 'a//b', '/etc', 'a\0b', 'x/.hangar-part-0123456789abcdef'])(
    'are not asked for by the path %j',
    async (path) => {
      await expect(files().read(path, 0, 1)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    },
  );

  it('are not to be had through the proxy alone, which is said', async () => {
    const { ssh } = podAt(sshd);
    ground.pods = [{ ...podAt(sshd), ssh: { direct: null, proxy: (ssh as { direct: unknown }).direct } }];
    await expect(files().list(place)).rejects.toThrow(/proxy, which does not transfer files/);
    // A terminal is.
    const viewer = await openViewer(ground.ssh, 'pod-1');
    await viewer.link('up');
    viewer.type('echo $((6 * 7)) $TERM\r');
    await viewer.sees('42 xterm-256color');
    viewer.say({ type: 'close' });
    await viewer.hears('ended');
    ground.pods = [podAt(sshd)];
  });
});
