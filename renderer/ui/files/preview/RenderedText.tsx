/** A text as a reader sees it: Markdown with its formats, CSV as a table. */
import { useMemo } from 'react';
import { OutputFrameContext } from '../../output/frame.ts';
import { PartView } from '../../output/PartView.tsx';
import { Notice } from '../../primitives/Notice.tsx';
import { readTable } from './readTable.ts';
import styles from './preview.module.css';
import { t } from '../../../language/text.ts';

export type Rendering = 'markdown' | 'table';

/** How a text of this name can be shown; null if only as it is. */
export function renderingOf(name: string): Rendering | null {
  if (/\.(?:md|markdown)$/i.test(name)) return 'markdown';
  return /\.(?:csv|tsv)$/i.test(name) ? 'table' : null;
}

const frame = { scroller: null, fileName: 'file', hasSave: false };

interface TextProps {
  text: string;
  /** Whether the text is only the beginning of the file. */
  isCut: boolean;
}

export const RenderedText = ({ rendering, text, isCut }: TextProps & { rendering: Rendering }) => (
  <div className={styles.rendered} tabIndex={0} role="region" aria-label={t`Preview`}>
    <OutputFrameContext value={frame}>
      {rendering === 'table' ? (
        <TableText text={text} isCut={isCut} />
      ) : (
        <PartView part={{ kind: 'markdown', text: withFrontMatter(text) }} />
      )}
    </OutputFrameContext>
  </div>
);

/** The settings that some programs write before the text, as code: Markdown would make a heading of them. */
const withFrontMatter = (text: string): string =>
  text.replace(/^\uFEFF?---\r?\n([^]*?\n)---[ \t]*\r?\n/, '```yaml\n$1```\n');

function TableText({ text, isCut }: TextProps) {
  const { part, problem } = useMemo(() => readTable(text, isCut), [text, isCut]);
  return (
    <>
      {problem !== null && (
        <Notice tone="wait" title={part === null ? t`This is not shown as a table.` : t`The table is not complete.`}>
          {problem}
        </Notice>
      )}
      {part !== null && <PartView part={part} />}
    </>
  );
}
