/** The font of terminals. It comes with this part of the page, so that a terminal looks alike on every computer. */
import '@fontsource-variable/jetbrains-mono/wght.css';
import '@fontsource-variable/jetbrains-mono/wght-italic.css';

const NAME = `'JetBrains Mono Variable'`;

/** The list of fonts for a terminal: the one of Hangar, then those of the page for signs that it lacks. */
export const terminalFonts = (): string =>
  `${NAME}, ${getComputedStyle(document.documentElement).getPropertyValue('--mono')}`;

async function load(): Promise<void> {
  // Not every environment of the page has fonts to wait for.
  const fonts: Partial<FontFaceSet> | undefined = document.fonts;
  // Without it, the fonts of the computer are used.
  await Promise.allSettled([fonts?.load?.(`1em ${NAME}`), fonts?.load?.(`italic 1em ${NAME}`)]);
}

let loaded: Promise<void> | null = null;

/** Resolves once the font can be measured, or cannot be had. A terminal has its size in cells from the width of the font. */
export const fontLoaded = (): Promise<void> => (loaded ??= load());
