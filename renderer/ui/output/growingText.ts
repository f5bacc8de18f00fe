/** A text that grows, in blocks: a browser lays out only the block that changes, not the whole text at each growth. */

/** A block has at least so many characters, and at most twice as many. */
const BLOCK_CHARS = 2000;

const isLowSurrogate = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Where the block from `start` on ends: after a line if possible, else after a word. */
function endOf(text: string, start: number): number {
  const least = start + BLOCK_CHARS;
  const most = least + BLOCK_CHARS;
  const choice = text.slice(least, most);
  for (const border of ['\n', ' ']) {
    const at = choice.indexOf(border);
    if (at !== -1) return least + at + 1;
  }
  return isLowSurrogate(text.charCodeAt(most)) ? most - 1 : most;
}

/**
 * The text in blocks, which make the text together. As the text grows, all blocks but the last stay as they are. The
 * last one has at most 4,000 characters, and is empty only for an empty text.
 */
export function growingBlocks(text: string): string[] {
  const blocks: string[] = [];
  let start = 0;
  while (text.length - start > 2 * BLOCK_CHARS) {
    const end = endOf(text, start);
    blocks.push(text.slice(start, end));
    start = end;
  }
  blocks.push(text.slice(start));
  return blocks;
}
