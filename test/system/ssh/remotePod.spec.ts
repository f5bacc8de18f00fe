/**
 * From the page to a Pod of a remote account: the whole program, with the account's service and the Pod's sshd on
 * loopback.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { limits } from '#contract/core/limits.ts';
import type { TerminalEvent } from '#contract/bridge/terminal.ts';
import { startRemote } from '../../support/remote/remote.ts';
import { makeKey, startSshd } from '../../support/ssh/sshd.ts';
import { connect, newDataDir, pair, startHost } from '../headless/headlessHost.ts';
import { needsRoot } from '../../support/core/skip.ts';

const PIECE = limits.page.pieceBytes;
/** A file that was not on its way before. */
const anew = { modifiedAt: 1, replaces: false, startsOver: false };
const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

// The service tells of root alone, whom only root's own sshd lets in.
it('a page opens a terminal into a Pod of a remote account, and carries files up and down', needsRoot, async () => {
  await using sshd = await startSshd();
  const mine = await makeKey(sshd.folder, 'mine');
  await sshd.authorize(mine);
  await using remote = await startRemote();
  const port = { host: '127.0.0.1', port: sshd.port };
  const pod = remote.addPod({ name: 'trainer', ports: ['22/tcp'], ssh: port });
  await using dataDir = await newDataDir();
  await using host = startHost(['--json', '--port', '0', '--ui-port', '0', '--data-dir', dataDir.path]);
  const { ui } = await host.ready();
  await using page = await connect(ui!, await pair(ui!));
  const { client } = page;

  const draft = { preset: 'addresses', name: 'cloud', addresses: remote.v1, key: remote.key } as const;
  const { id: accountId } = await client.accounts.add({ draft });
  expect(await client.ssh.ways({ accountId, podId: pod.id })).toEqual({
    direct: { ...port, username: 'root', command: `ssh root@127.0.0.1 -p ${sshd.port}` },
    proxy: null,
    problem: null,
  });
  // The newer API tells the ways by itself, the proxy's among them.
  const newer = await client.accounts.add({
    draft: { preset: 'runpod', name: 'newer', addresses: remote.v2, key: remote.key },
  });
  expect(await client.ssh.ways({ accountId: newer.id, podId: pod.id })).toMatchObject({
    direct: { ...port, username: 'root' },
    proxy: { port: 22, username: expect.stringContaining(pod.id) as string },
    problem: null,
  });
  await client.ssh.change({ identity: { from: 'file', path: mine.path }, keepsShells: false });

  // The page asks, is asked, answers, and types.
  const viewer = crypto.randomUUID();
  const request = { accountId, viewer, kind: 'pod', targetId: pod.id, columns: 80, rows: 24 } as const;
  const events: TerminalEvent[] = [];
  let text = '';
  for await (const event of await client.terminals.attach(request)) {
    if (event.type !== 'output') events.push(event);
    if (event.type === 'link' && event.question?.kind === 'new-host') {
      expect(event.question.fingerprint).toBe(sshd.hostKey().fingerprint);
      await client.ssh.trust({ ...port, fingerprint: event.question.fingerprint });
      await client.terminals.retry({ viewer });
    }
    if (event.type === 'link' && event.state === 'up') {
      await client.terminals.input({ viewer, data: 'echo $((6 * 7)); exit 5\r' });
    }
    if (event.type === 'output') text += Buffer.from(event.bytes, 'base64').toString();
    if (event.type === 'attached') {
      expect(await client.terminals.list({ accountId })).toMatchObject([{ kind: 'pod', targetId: pod.id, viewers: 1 }]);
    }
  }
  expect(text).toContain('42');
  expect(events.at(-1)).toMatchObject({ type: 'ended', exitCode: 5 });
  expect(await client.terminals.list({ accountId })).toEqual([]);

  // Files go as those of volumes do.
  const folder = await mkdtemp(join(tmpdir(), 'hangar-pod-'));
  try {
    const bytes = randomBytes(2 * PIECE + 777);
    const holder = { in: 'pod', id: pod.id } as const;
    const at = { accountId, holder, path: `${folder.slice(1)}/model.bin` };
    const { uploadId } = await client.files.beginUpload({ ...at, sizeBytes: bytes.length, ...anew });
    for (let from = 0; from < bytes.length; from += PIECE) {
      await client.files.putPiece({ uploadId, from, bytes: new Blob([bytes.subarray(from, from + PIECE)]) });
    }
    await client.files.endUpload({ uploadId });
    await writeFile(join(folder, 'other'), 'x');
    const { entries } = await client.files.list({ accountId, holder, path: folder.slice(1) });
    expect(entries.map(({ name, sizeBytes }) => ({ name, sizeBytes }))).toEqual([
      { name: 'model.bin', sizeBytes: bytes.length },
      { name: 'other', sizeBytes: 1 },
    ]);
    const pieces: Buffer[] = [];
    for (let from = 0; from < bytes.length; from += PIECE) {
      const read = await client.files.read({ ...at, from, sizeBytes: bytes.length });
      pieces.push(Buffer.from(await read.bytes.arrayBuffer()));
    }
    expect(sha(Buffer.concat(pieces))).toBe(sha(bytes));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
