/**
 * Accounts in a whole program: added in the page, kept over a restart of it, and their keys nowhere but where keys are
 * kept.
 */
import { expect, it } from 'vitest';
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';
import type { AccountDraft } from '#contract/app/accountDraft.ts';
import { filesWith } from '../../support/disk/secretsInFiles.ts';
import { startEngine } from '../../support/engine/engine.ts';
import { connect, newDataDir, pair, startHost } from '../headless/headlessHost.ts';

const keys = { HANGAR_KEYS: 'file', HANGAR_PASSPHRASE: 'correct horse battery staple' };

it('an account that was added in the page is there after a restart with its key, which no file has and no answer tells', async () => {
  await using engine = await startEngine();
  await using dataDir = await newDataDir();
  const args = ['--data-dir', dataDir.path, '--port', '0', '--ui-port', '0', '--json'];
  const draft: AccountDraft = {
    preset: 'engine',
    name: 'GPU box',
    key: engine.key,
    addresses: { jobs: engine.address, management: null, graphql: null },
  };
  const states: unknown[] = [];
  let added: Account;
  {
    await using host = startHost(args, keys);
    const { ui } = await host.ready();
    await using page = await connect(ui!, await pair(ui!));
    const { accounts } = page.client;
    const changes = await accounts.changes();
    expect((await changes.next()).value).toMatchObject([{ id: THIS_MACHINE }]);
    states.push(await accounts.presets(), await accounts.probe({ draft }));
    const wrong = { ...draft, key: `${engine.key}x` };
    const refused: unknown = await accounts.add({ draft: wrong }).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
    added = await accounts.add({ draft });
    expect(added).toMatchObject({ key: { keptIn: 'file' }, state: 'ok' });
    let listed: readonly Account[] = [];
    for await (listed of changes) if (listed.length > 1) break;
    expect(listed).toMatchObject([{ id: THIS_MACHINE }, { id: added.id }]);
    states.push(refused, added, listed, await accounts.list());
    states.push(await page.client.endpoints.list({ accountId: added.id }));
  }
  expect(JSON.stringify(states)).not.toContain(engine.key);
  expect(await filesWith(dataDir.path, engine.key)).toEqual([]);
  expect(await filesWith(dataDir.path, added.id)).not.toEqual([]);
  {
    await using host = startHost(args, keys);
    const { ui } = await host.ready();
    await using page = await connect(ui!, await pair(ui!));
    const { accounts, machine } = page.client;
    expect((await accounts.list())[1]).toMatchObject({ id: added.id, state: 'unknown', key: added.key });
    expect(await machine.workers({ accountId: added.id })).toEqual([]);
    expect((await accounts.list())[1]).toMatchObject({ state: 'ok' });
    await accounts.remove({ accountId: added.id });
    expect(await accounts.list()).toHaveLength(1);
  }
  expect(await filesWith(dataDir.path, engine.key)).toEqual([]);
});
