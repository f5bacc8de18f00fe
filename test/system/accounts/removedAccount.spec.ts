/** An account that is removed in a whole program: what is open of it is said before, and ends with it. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { startRemote } from '../../support/remote/remote.ts';
import { makeKey, startSshd } from '../../support/ssh/sshd.ts';
import { until } from '../../support/core/until.ts';
import { connect, newDataDir, pair, startHost } from '../headless/headlessHost.ts';
import { needsRoot } from '../../support/core/skip.ts';

// The service tells of root alone, whom only root's own sshd lets in.
it(
  'with an account that is removed, its terminals and the readers of its jobs end at once, which is said before',
  needsRoot,
  async () => {
    await using sshd = await startSshd();
    const mine = await makeKey(sshd.folder, 'mine');
    await sshd.authorize(mine);
    await using remote = await startRemote();
    const port = { host: '127.0.0.1', port: sshd.port };
    const pod = remote.addPod({ name: 'trainer', ports: ['22/tcp'], ssh: port });
    const { id: endpointId } = remote.addEndpoint({ name: 'slow' }, async ({ chunk, signal }) => {
      chunk('so far');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    await using dataDir = await newDataDir();
    await using host = startHost(['--json', '--port', '0', '--ui-port', '0', '--data-dir', dataDir.path]);
    const { ui } = await host.ready();
    await using page = await connect(ui!, await pair(ui!));
    const { client } = page;
    const draft = { preset: 'addresses', name: 'cloud', addresses: remote.v1, key: remote.key } as const;
    const { id: accountId } = await client.accounts.add({ draft });
    expect(await client.accounts.open({ accountId })).toEqual({ jobs: 0, terminals: 0 });

    const { entryId } = await client.jobs.submit({
      entryId: randomUUID(),
      endpointName: 'x',
      accountId,
      endpointId,
      mode: 'run',
      body: '{"input":{}}',
    });
    const entryNow = async () => (await client.jobs.get({ entryId })).entry;
    await until('it streams', async () => (await entryNow()).chunkCount, 1);

    await client.ssh.change({ identity: { from: 'file', path: mine.path }, keepsShells: false });
    const viewer = crypto.randomUUID();
    const size = { columns: 80, rows: 24 };
    let reason: string | null = null;
    for await (const event of await client.terminals.attach({
      accountId,
      viewer,
      kind: 'pod',
      targetId: pod.id,
      ...size,
    })) {
      if (event.type === 'link' && event.question?.kind === 'new-host') {
        await client.ssh.trust({ ...port, fingerprint: event.question.fingerprint });
        await client.terminals.retry({ viewer });
      }
      if (event.type === 'link' && event.state === 'up') {
        expect(await client.accounts.open({ accountId })).toEqual({ jobs: 1, terminals: 1 });
        await client.accounts.remove({ accountId });
        // Nobody had to wait for the reader's next request.
        expect(await entryNow()).toMatchObject({ status: 'GONE', chunkCount: 1 });
        expect((await entryNow()).error).toMatch(/^Its account was removed/);
      }
      if (event.type === 'ended') ({ reason } = event);
    }
    expect(reason).toBe('Its account was removed.');
    // What was begun there goes on: only Hangar has turned away.
    expect(remote.jobs.all()).toMatchObject([{ status: 'IN_PROGRESS' }]);
  },
);
