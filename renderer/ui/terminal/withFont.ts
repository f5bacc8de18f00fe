/** Loads a part of the page that shows terminals, and the font of terminals with it. */

/** Resolves once the font can be measured, too: a terminal has its size in cells from the width of the font. */
export async function withFont<Part>(load: () => Promise<Part>): Promise<Part> {
  const [part, { fontLoaded }] = await Promise.all([load(), import('./pane/font.ts')]);
  await fontLoaded();
  return part;
}
