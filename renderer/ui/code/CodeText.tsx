/** The text of a `pre` with code. It is plain until its colours have loaded. */
import { createElement } from 'react';
import { lazyPart } from '../primitives/lazyPart.ts';
import { codeLanguages, type CodeLanguage } from './codeLanguages.ts';

/** A text that grows is read anew with each piece that comes: a longer one would slow the page down. */
const COLOURED_CHARS = 30_000;

const colouredIn = (language: CodeLanguage) =>
  lazyPart(
    async () => (await import('./ColouredCode.tsx')).loadColouredCode(language),
    ({ text }) => text,
  );
const parts = new Map(codeLanguages.map((language) => [language, colouredIn(language)]));

interface CodeTextProps {
  /** Null: the text stays plain. */
  language: CodeLanguage | null;
  text: string;
}

export function CodeText({ language, text }: CodeTextProps) {
  const part = language === null || text.length > COLOURED_CHARS ? undefined : parts.get(language);
  return part === undefined ? text : createElement(part, { text });
}
