/** A block of source text with a copy button: raw answers, inputs, code. */
import { useState } from 'react';
import { Button } from '@mantine/core';
import type { CodeLanguage } from '../code/codeLanguages.ts';
import { CodeText } from '../code/CodeText.tsx';
import { CopyButton } from '../primitives/CopyButton.tsx';
import { formatCount } from '../text/format.ts';
import styles from './job.module.css';
import { t } from '../../language/text.ts';

const SHOWN_CHARS = 100_000;

interface TextViewProps {
  text: string;
  /** Names the region: "input". */
  what: string;
  /** The label of the copy button: "Copy input". */
  copyLabel: string;
  /** Absent: the text has no colours. */
  language?: CodeLanguage;
}

export function TextView({ text, what, copyLabel, language }: TextViewProps) {
  const [all, setAll] = useState(false);
  const cut = !all && text.length > SHOWN_CHARS;
  return (
    <div className={styles.source}>
      <pre tabIndex={0} aria-label={what} role="region">
        <CodeText language={language ?? null} text={cut ? text.slice(0, SHOWN_CHARS) : text} />
      </pre>
      {cut && (
        <Button
          size="xs"
          variant="default"
          onClick={() => setAll(true)}
        >{t`Show all ${formatCount(text.length)} characters`}</Button>
      )}
      <span className={styles.sourceCopy}>
        <CopyButton text={text} label={copyLabel} size={26} />
      </span>
    </div>
  );
}
