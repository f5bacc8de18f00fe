/** The documents of the repository, read for the specs: which there are, their prose, links, anchors and drawings. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');
const GENERATED = /^(?:node_modules|out|dist|test-results|bench-results|playwright-report|\.git)$/;

function markdownBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return GENERATED.test(entry.name) ? [] : markdownBelow(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** Paths of all documents, relative to the root. */
export const documents: readonly string[] = markdownBelow('');

export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

interface Line {
  readonly number: number;
  readonly text: string;
}

/** The lines outside of blocks of code. */
export function proseOf(text: string): Line[] {
  let inCode = false;
  const prose: Line[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*```/.test(line)) inCode = !inCode;
    else if (!inCode) prose.push({ number: index + 1, text: line });
  }
  return prose;
}

const withoutCodeSpans = (text: string): string => text.replaceAll(/`[^`\n]*`/g, '');

/** Targets of the links and pictures of a document, in their order. */
export function linksOf(text: string): string[] {
  const prose = withoutCodeSpans(
    proseOf(text)
      .map((line) => line.text)
      .join('\n'),
  );
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? '');
}

/** The anchors of the headings of a document, as the hosts of repositories make them. */
export function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = new Set<string>();
  for (const { text: line } of proseOf(text)) {
    const [, title] = /^#{1,6}\s+(.*?)\s*$/.exec(line) ?? [];
    if (title === undefined) continue;
    const words = title.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = words.replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '').replaceAll(' ', '-');
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    anchors.add(times === 0 ? slug : `${slug}-${times}`);
  }
  return anchors;
}

/** The texts of the Mermaid drawings of one kind, such as `erDiagram`. */
export const drawingsOf = (text: string, kind: string): string[] =>
  [...text.matchAll(/^```mermaid\n(\w+)[^\n]*\n([^]*?)^```/gm)]
    .filter(([, first]) => first === kind)
    .map(([, , body]) => body ?? '');

/** The first two cells of the rows of every table whose first cell is one code span. */
export const rowsOf = (text: string): { name: string; second: string }[] =>
  [...text.matchAll(/^\| `([^`]+)`\s*\| ([^|]*)\|/gm)].map(([, name, second]) => ({
    name: name ?? '',
    second: (second ?? '').trim().replaceAll('`', ''),
  }));

/** The part of a document below the heading with this text, up to the next heading of any depth. */
export function sectionOf(text: string, title: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.replace(/^#+\s+/, '') === title && line.startsWith('#'));
  if (start === -1) throw new Error(`There is no section ${JSON.stringify(title)}.`);
  const length = lines.slice(start + 1).findIndex((line) => /^#{1,6}\s/.test(line));
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length).join('\n');
}
