// The colours of each theme of the page: what is told apart by colour has the contrast of WCAG 2 for graphics, 3 to 1.
import { expect, it } from 'vitest';
import { read } from './documents.ts';

const css = read('renderer/ui/theme/theme.css');

/** The blocks of the themes: their selector, and the colour of each token. */
const themes = [...css.matchAll(/^([^\n{}]*:root[^{}]*)\{([^{}]*--track:[^{}]*)\}/gm)].map(
  ([, selector = '', block = '']) => ({
    selector: selector.trim(),
    colours: new Map([...block.matchAll(/--([\w-]+): #([\da-f]{6});/g)].map(([, name = '', hex = '']) => [name, hex])),
  }),
);

/** The relative luminance of WCAG 2. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

it('the themes are found', () => expect(themes.length).toBeGreaterThanOrEqual(4));

it.each(themes)('the filled part of a bar stands out from its track in $selector', ({ colours }) => {
  const track = colours.get('track') ?? '';
  for (const fill of ['accent', 'ok', 'bad']) {
    expect(contrast(colours.get(fill) ?? '', track), fill).toBeGreaterThanOrEqual(3);
  }
});

/** What texts are written in, and what they stand on. */
const TEXTS = ['ink', 'ink-2', 'ink-3', 'accent', 'ok', 'run', 'wait', 'bad', 'off'];
const SURFACES = ['bg', 'panel', 'raise', 'selected', 'hover', 'code'];
/** What is written on areas of one colour alone. */
const ON_AREAS = [
  ...['ok', 'run', 'wait', 'bad', 'off'].map((tone) => [tone, `${tone}-soft`]),
  ...['accent', 'accent-hover'].map((area) => ['accent-ink', area]),
  ...['spend', 'spend-hover'].map((area) => ['spend-ink', area]),
] as const;

/** All colours of a theme; those of its high contrast replace the usual ones. */
function coloursOf(scheme: 'light' | 'dark', isHigh: boolean): ReadonlyMap<string, string> {
  const ofTheme = themes.filter(({ selector }) => isHigh || !selector.includes('contrast'));
  const ofScheme = ofTheme.filter(({ selector }) => selector.includes(`scheme='${scheme}'`));
  return new Map(ofScheme.flatMap(({ colours }) => [...colours]));
}

/** The contrast of WCAG 2 for texts, and that of its highest level, above which less is no loss. */
const [ENOUGH, HIGHEST] = [4.5, 7];

// So a page whose texts can be read can be read with high contrast, too, and browser tests need not look at each twice.
it.each(['light', 'dark'] as const)(
  'in the %s theme no text has less contrast where high contrast is asked for',
  (scheme) => {
    const [usual, high] = [coloursOf(scheme, false), coloursOf(scheme, true)];
    const pairs = [...TEXTS.flatMap((text) => SURFACES.map((surface) => [text, surface] as const)), ...ON_AREAS];
    const worse = pairs.filter(([text = '', area = '']) => {
      const of = (colours: ReadonlyMap<string, string>) => contrast(colours.get(text) ?? '', colours.get(area) ?? '');
      return !(of(high) >= ENOUGH && of(high) >= Math.min(of(usual), HIGHEST));
    });
    expect(worse).toEqual([]);
  },
);
