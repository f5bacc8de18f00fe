// A page that pairs another browser, over real sockets: one of this computer may, one that came from the network may not.
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { NOT_PAIRED_CODE } from '#contract/app/pageSession.ts';
import { skipFor } from '../../support/core/skip.ts';
import { ask, connect, newDataDir, pair, startHost } from './headlessHost.ts';

const hasNetwork = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ internal, family, address }) => !internal && family === 'IPv4' && !address.startsWith('169.254.')),
);

/** The link on the page that shows it. */
const linkIn = (text: string): string => /http:[^<\s]+\?pair=[\w-]+/.exec(text)?.[0] ?? expect.fail(text);

test(
  'a page of this computer pairs another browser by a link that it never sees; that browser lets nobody in',
  skipFor(hasNetwork ? null : 'this machine has no address in a network'),
  async () => {
    await using dataDir = await newDataDir();
    const flags = ['--json', '--data-dir', dataDir.path, '--port', '0', '--ui-port', '0', '--host', '0.0.0.0'];
    await using host = startHost([...flags, '--allow-lan']);
    const ui = (await host.ready()).ui ?? '';
    const session = await pair(ui);
    await using here = await connect(ui, session);
    const invite = await here.client.host.inviteBrowser();
    expect(invite.isOpen).toBe(true);
    expect(JSON.stringify(invite)).not.toContain('pair=');
    if (invite.shown.how !== 'link') return expect.fail('the host has no clipboard');

    // Its tab needs the session, and shows the link once.
    const shownAt = new URL(invite.shown.path, ui).href;
    expect((await ask(shownAt)).status).toBe(401);
    const shown = await ask(shownAt, { cookie: session.cookie });
    expect(shown.text).toContain('<svg');
    expect((await ask(shownAt, { cookie: session.cookie })).status).toBe(410);

    const link = linkIn(shown.text);
    expect(new URL(link).origin).toBe(invite.address);
    await using far = await connect(link, await pair(link));
    await expect(far.client.host.info()).resolves.toMatchObject({ kind: 'headless' });
    await expect(far.client.host.inviteBrowser()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    await expect(pair(link)).rejects.toThrow('Not paired');
    // Each sees the other one, and which it is itself.
    const [newest, oldest] = await far.client.host.browsers();
    expect([newest, oldest]).toMatchObject([
      { isThis: true, isOpen: true },
      { isThis: false, isOpen: true },
    ]);
    // Nor does the name of the other page help.
    const asLocal = { host: new URL(ui).host, origin: new URL(ui).origin };
    await using named = await connect(link, await pairedAgain(here, ui, session.cookie), asLocal);
    await expect(named.client.host.inviteBrowser()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    // A browser that was removed has neither its connection nor its page.
    await here.client.host.removeBrowser({ id: newest?.id ?? '' });
    await expect(far.client.host.info()).rejects.toThrow();
    expect(await here.client.host.browsers()).not.toContainEqual(expect.objectContaining({ id: newest?.id }));
  },
);

test('a browser that follows a second link stays one browser in the list, and its open page stays connected', async () => {
  await using dataDir = await newDataDir();
  await using host = startHost(['--json', '--data-dir', dataDir.path, '--port', '0', '--ui-port', '0']);
  const ui = (await host.ready()).ui ?? '';
  const first = await pair(ui);
  await using open = await connect(ui, first);
  const { shown } = await open.client.host.inviteBrowser();
  if (shown.how !== 'link') return expect.fail('the host has no clipboard');
  const link = linkIn((await ask(new URL(shown.path, ui).href, { cookie: first.cookie })).text);
  const again = await pair(link, first);
  await using page = await connect(ui, again);
  expect(await page.client.host.browsers()).toMatchObject([{ isThis: true, isOpen: true }]);
  expect(await open.client.host.browsers()).toMatchObject([{ isThis: true, isOpen: true }]);
  // What the earlier link gave opens no further page.
  await using refused = await connect(ui, first);
  expect(await refused.closed).toBe(NOT_PAIRED_CODE);
});

async function pairedAgain(page: Awaited<ReturnType<typeof connect>>, ui: string, cookie: string) {
  const { shown } = await page.client.host.inviteBrowser();
  if (shown.how !== 'link') return expect.fail('the host has no clipboard');
  return pair(linkIn((await ask(new URL(shown.path, ui).href, { cookie })).text));
}
