import { expect, it } from 'vitest';
import { darkPalette, lightPalette, matchColours } from './theme.ts';

/** The relative luminance of `#rrggbb`, as WCAG 2 defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** `--panel` of each theme in ui/theme/theme.css. */
it.each([
  ['light', lightPalette, '#ffffff'],
  ['dark', { ...darkPalette, black: '#ffffff' }, '#17171c'],
])('every colour of the %s palette can be read on its background', (_, palette, background) => {
  const faint = Object.entries(palette).filter(([, colour]) => contrast(colour, background) < 4.5);
  expect(faint).toEqual([]);
});

/** `--ink` and `--panel` of each theme. */
it.each([
  ['light', false, '#1b1b21', '#ffffff'],
  ['dark', true, '#ececf1', '#17171c'],
])(
  'what a search found in the %s theme can be read, and the current one has a border that is seen',
  (_, dark, ink, panel) => {
    const { matchBackground = '', activeMatchBackground = '', activeMatchBorder = '' } = matchColours(dark);
    for (const background of [matchBackground, activeMatchBackground]) {
      expect(contrast(background, ink)).toBeGreaterThan(4.5);
    }
    expect(contrast(activeMatchBorder, panel)).toBeGreaterThan(3);
  },
);
