/** In the language of testers, the page puts every text that a translation replaces in brackets. */
import type { Page } from '@playwright/test';
import { pageAddresses } from './support/addresses.ts';
import { expect, startHost, test } from './support/host.ts';

test.use({ locale: 'en-XA', ownContext: true });

/** What the person or a program wrote. */
const VERBATIM = 'script, style, pre, code, kbd, .cm-editor, [role=log], .xterm';
/** Names and samples, and sentences of the engine and the app, which answer scripts, too. */
const OF_OTHERS =
  /^(Streams (a|the) |Answers chats |Draws a |endpoint [\w-]+|First key|This computer|AMD |Intel|Apple |ARM |\d+th Gen |[\d.]+ .B free|Neither nvidia-smi |No container engine was found|Install Docker on|Then allow yourself|Or, where Podman|(Docker|Podman) is installed on|Start it now and at|Or, on a system without|--data-dir names |There is no key to sign in with)/;

/** Texts of more than one word that are not in brackets. */
const bareTexts = (page: Page): Promise<string[]> =>
  page.evaluate((verbatim) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const bare: string[] = [];
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      const text = textContent ?? '';
      if (parentElement?.closest(verbatim) !== null || text.includes('⟦')) continue;
      if (/[A-Za-z]{2,} [A-Za-z]{2,}/.test(text)) bare.push(text.trim());
    }
    return bare;
  }, VERBATIM);

// Other tests leave names, inputs and errors on theirs.
let host: Awaited<ReturnType<typeof startHost>>;
test.beforeAll(async () => {
  host = await startHost();
});
test.afterAll(() => host.stop());

test('every text of each page reaches a translation', async ({ page }) => {
  await page.goto(host.link);
  for (const address of [...pageAddresses, '#/settings/desktop']) {
    await page.goto(`${host.page}/${address}`);
    await expect(page.getByRole('main').getByText('⟦').first()).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en-XA');
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    const bare = async () => (await bareTexts(page)).filter((text) => !OF_OTHERS.test(text));
    await expect.poll(bare, address).toEqual([]);
  }
});
