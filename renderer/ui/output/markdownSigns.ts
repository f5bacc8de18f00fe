/** Whether a text is written in markdown. Plain text stays plain: markdown would join its lines. */

const BLOCKS = /^(?:#{1,6} \S|```|~~~|> \S|\|.+\|\s*$|(?:[-*+]|\d{1,3}[.)]) {1,3}\S)/gm;
const FENCE = /^(?:```|~~~)/m;
const HEADING = /^#{1,6} \S/m;
const TABLE = /^\|?[ :]*-{3,}[ :]*\|[-| :]*$/m;
const INLINE = /\*\*[^\s*][^*\n]*\*\*|`[^`\n]+`|\[[^\]\n]+\]\(https?:\/\/[^)\s]+\)/;
/** The beginning of a long text says what it is. */
const CHECKED_CHARS = 20_000;

/**
 * Whether a text looks like markdown: it has a fence, a heading, a table or emphasis, or at least two items of a list.
 */
export function looksLikeMarkdown(text: string): boolean {
  const start = text.slice(0, CHECKED_CHARS);
  if (FENCE.test(start) || HEADING.test(start) || TABLE.test(start) || INLINE.test(start)) return true;
  return (start.match(BLOCKS)?.length ?? 0) >= 2;
}

/** Long texts are formatted in pieces of about this length. */
const SEGMENT_CHARS = 4000;
/** An empty line before a line that begins a block of its own: no continuation of a list, and not indented. */
const BORDER = /\n\n(?=[^\s\-*+\d|>])/g;
const FENCE_LINES = /^(?:```|~~~)/gm;

/**
 * The text in pieces that can be formatted one by one, each of whole blocks. While a text grows, all pieces but the
 * last stay as they are, so that only that one is read again.
 */
export function markdownSegments(text: string): string[] {
  const segments: string[] = [];
  let from = 0;
  for (const { index } of text.matchAll(BORDER)) {
    const end = index + 2;
    if (end - from < SEGMENT_CHARS) continue;
    const segment = text.slice(from, end);
    // Within a fence an empty line is code.
    if ((segment.match(FENCE_LINES)?.length ?? 0) % 2 === 1) continue;
    segments.push(segment);
    from = end;
  }
  segments.push(text.slice(from));
  return segments;
}
