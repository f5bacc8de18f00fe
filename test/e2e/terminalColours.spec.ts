// The contrast of each of the 256 colours of a terminal, as the browser draws it in the light and the dark theme.
import type { Locator } from '@playwright/test';
import { expect, test } from './support/host.ts';
import { openTerminal, startOwnHost } from './support/terminalText.ts';

const COLOURS = Array.from({ length: 256 }, (_, colour) => colour);
/** What programs set, with the number of the colour at the end. */
const WAYS = {
  text: '38;5;',
  background: '48;5;',
  'reversed text': '7;38;5;',
  'reversed background': '7;48;5;',
};
/** Writes each number in its colour, 16 a line, so that no number is cut by the end of a line. */
const written = (way: string): string =>
  `clear; for c in $(seq 0 255); do printf '\\033[${way}%sm~%s\\033[0m ' $c $c; test $((c % 16)) = 15 && echo; done`;

/** The contrast of each text of the terminal that begins with "~", by the colours that the browser draws. */
const contrasts = (rows: Locator): Promise<[text: string, contrast: number][]> =>
  rows.evaluate((element) => {
    const luminance = (colour: string): number => {
      const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map((text) => {
        const share = Number(text) / 255;
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const backgroundOf = (from: Element): string => {
      const { backgroundColor } = getComputedStyle(from);
      return backgroundColor === 'rgba(0, 0, 0, 0)' && from.parentElement !== null
        ? backgroundOf(from.parentElement)
        : backgroundColor;
    };
    return [...element.querySelectorAll('span')]
      .filter(({ textContent }) => textContent.startsWith('~'))
      .map((span) => {
        const [text, background] = [getComputedStyle(span).color, backgroundOf(span)].map(luminance);
        const [dark = 0, light = 0] = [text ?? 0, background ?? 0].toSorted((a, b) => a - b);
        return [span.textContent, (light + 0.05) / (dark + 0.05)];
      });
  });

test('text can be read in each of the 256 colours, reversed, on such a background and selected, in both themes', async ({
  page,
  shell,
}) => {
  await using host = await startOwnHost();
  await openTerminal(page, shell, host.link);
  const pane = page.getByRole('region', { name: 'Terminal 1 in This computer', exact: true });
  const rows = pane.locator('.xterm-rows');

  const expectContrast = async (what: string): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(async () => {
        const measured = await contrasts(rows);
        // One element has several numbers if they look the same.
        const shown = measured.flatMap(([text]) => text.trim().split(' '));
        expect(shown.join(' ')).toBe(COLOURS.map((colour) => `~${colour}`).join(' '));
        expect(measured.filter(([, contrast]) => contrast < 4.5)).toEqual([]);
        if (what === 'reversed text') expect(measured[0]?.[1], 'black, reversed').toBeGreaterThan(7);
      }, `${what}, ${colorScheme}`).toPass();
    }
  };

  for (const [what, way] of Object.entries(WAYS)) {
    await test.step(what, async () => {
      await pane.locator('.xterm-screen').click();
      await page.keyboard.insertText(written(way));
      await page.keyboard.press('Enter');
      await expectContrast(what);
      // From the first to the last cell.
      const { x, y, width, height } = (await pane.locator('.xterm-screen').boundingBox())!;
      await page.mouse.move(x + 2, y + 2);
      await page.mouse.down();
      await page.mouse.move(x + width - 2, y + height - 2, { steps: 5 });
      await page.mouse.up();
      await expectContrast(`selected ${what}`);
    });
  }
});
