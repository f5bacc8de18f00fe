/** A notebook to read: its texts, its code, and the outputs that it was saved with. Nothing in it runs. */
import { useState } from 'react';
import { Button } from '@mantine/core';
import { languageNamed } from '../../code/codeLanguages.ts';
import { CodeText } from '../../code/CodeText.tsx';
import { PartView } from '../../output/PartView.tsx';
import { formatCount } from '../../text/format.ts';
import type { NotebookCell } from './notebook.ts';
import styles from './preview.module.css';
import { t } from '../../../language/text.ts';

/** So many cells are shown at first. */
const FIRST_CELLS = 100;

export function NotebookView({ cells }: { cells: readonly NotebookCell[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? cells : cells.slice(0, FIRST_CELLS);
  return (
    <div className={styles.notebook}>
      {shown.map((cell, index) => (
        <Cell key={index} cell={cell} />
      ))}
      {shown.length < cells.length && (
        <Button size="xs" variant="default" onClick={() => setAll(true)}>
          {t`Show all ${formatCount(cells.length)} cells`}
        </Button>
      )}
    </div>
  );
}

function Cell({ cell: { kind, source, language, run, outputs } }: { cell: NotebookCell }) {
  if (kind === 'markdown') return <PartView part={{ kind: 'markdown', text: source }} />;
  return (
    <div className={styles.cell}>
      <span className={styles.run}>{kind === 'code' ? `[${run ?? ' '}]` : ''}</span>
      <pre tabIndex={0} role="region" aria-label={kind === 'code' ? t`Code` : t`Text`}>
        <CodeText language={languageNamed(language)} text={source} />
      </pre>
      {outputs.map((part, index) => (
        <div key={index} className={styles.result} data-kind={part.kind}>
          <PartView part={part} />
        </div>
      ))}
    </div>
  );
}
