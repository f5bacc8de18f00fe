/** Code in the colours of its language. It is loaded apart from the page, with the parser of the language. */
import { useMemo, type ComponentType } from 'react';
import styles from './code.module.css';
import type { CodeLanguage } from './codeLanguages.ts';
import { loadCodeReader } from './codeTokens.ts';

/** The part of the page that colours code in this language. */
export async function loadColouredCode(language: CodeLanguage): Promise<{ default: ComponentType<{ text: string }> }> {
  const tokensOf = await loadCodeReader(language);
  function ColouredCode({ text }: { text: string }) {
    const tokens = useMemo(() => tokensOf(text), [text]);
    return (
      <span className={styles.code}>
        {tokens.map(({ text: part, kind }, place) =>
          kind === null ? (
            part
          ) : (
            <span key={place} data-token={kind}>
              {part}
            </span>
          ),
        )}
      </span>
    );
  }
  return { default: ColouredCode };
}
