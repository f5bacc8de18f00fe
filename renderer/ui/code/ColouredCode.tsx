/** Code in the colours of its language. It is loaded apart from the page, with the parsers. */
import { useMemo } from 'react';
import styles from './code.module.css';
import { codeTokens, type CodeLanguage } from './codeTokens.ts';

interface ColouredCodeProps {
  language: CodeLanguage;
  text: string;
}

export default function ColouredCode({ language, text }: ColouredCodeProps) {
  const tokens = useMemo(() => codeTokens(language, text), [language, text]);
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
