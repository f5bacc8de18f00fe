/** Opens a terminal of this computer, and finds text on the screen of a terminal, for the pointer. */
import { expect, type Locator, type Page } from '@playwright/test';
import type { Shell } from '../pages/shell.ts';
import { makePlainHome } from '../../support/terminals/plainHome.ts';
import { startHost, type Host, type HostOptions } from './host.ts';

/** A host whose sessions appear on no page of other tests, for every test that opens a shell. Its shells wait at `$ `. */
export async function startOwnHost(
  flags: string[] = [],
  { under }: Pick<HostOptions, 'under'> = {},
): Promise<Host & AsyncDisposable> {
  const home = await makePlainHome();
  const host = await startHost({ flags, ...(under && { under }), env: { PS1: '$ ', HOME: home.path } });
  return {
    ...host,
    async [Symbol.asyncDispose]() {
      await host.stop();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** The terminal `index` of this computer, from 0. */
export const pane = (page: Page, index: number) =>
  page.getByRole('region', { name: `Terminal ${index + 1} in This computer`, exact: true });
export const screen = (page: Page, index: number) => pane(page, index).locator('.xterm-rows');

/**
 * Puts a line into a terminal, which takes the focus, and presses Enter. The line comes as one text, as from an input
 * method: each key alone costs a way to the shell and back.
 */
export async function type(page: Page, index: number, line: string): Promise<void> {
  await pane(page, index).locator('.xterm-screen').click();
  await page.keyboard.insertText(line);
  await page.keyboard.press('Enter');
}

/** Begins a shell of this computer on the empty page of terminals. */
export const beginShell = (page: Page): Promise<void> =>
  page
    .getByRole('main')
    .getByRole('button', { name: /^This computer/ })
    .click();

/** Opens the page of a host, and a terminal of this computer there. */
export async function openTerminal(page: Page, shell: Shell, link: string): Promise<void> {
  await page.goto(link);
  await shell.ready();
  await shell.goTo('Terminals');
  await beginShell(page);
}

/**
 * The middle of the last place of a text in the rows of a terminal, within one row and one colour; in pixels of the
 * page.
 */
export async function middleOf(rows: Locator, text: string): Promise<{ x: number; y: number }> {
  return rows.evaluate((element, wanted) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let middle: { x: number; y: number } | null = null;
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const at = node.nodeValue?.lastIndexOf(wanted) ?? -1;
      if (at === -1) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      const { left, top, width, height } = range.getBoundingClientRect();
      middle = { x: left + width / 2, y: top + height / 2 };
    }
    if (middle === null) throw new Error(`The terminal does not show ${wanted}.`);
    return middle;
  }, text);
}

/**
 * Moves the pointer to a text as `middleOf` finds it, until `hint` says `says`: the terminal may draw and scroll
 * meanwhile.
 */
export async function pointAt(
  page: Page,
  { rows, hint }: { rows: Locator; hint: Locator },
  text: string,
  says: string,
): Promise<{ x: number; y: number }> {
  let point = { x: 0, y: 0 };
  await expect(async () => {
    point = await middleOf(rows, text);
    await page.mouse.move(point.x, point.y);
    await expect(hint).toHaveText(says, { timeout: 1000 });
  }).toPass();
  return point;
}
