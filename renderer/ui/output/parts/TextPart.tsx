/** Plain text, as the handler wrote it. */
import { memo, useState, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import { formatCount } from '../../text/format.ts';
import { growingBlocks } from '../growingText.ts';
import type { PartProps } from '../partProps.ts';
import styles from './text.module.css';
import { t } from '../../../language/text.ts';

/** More than this at once makes a page slow and helps nobody; the rest comes on demand. */
const SHOWN_CHARS = 200_000;

/** The end is what a person watches in a stream; a finished text opens at its beginning. */
export function TextPart({ part: { text }, live }: PartProps<'text'>) {
  const [all, setAll] = useState(false);
  if (live) return <GrowingText text={text} all={all} onAll={() => setAll(true)} />;
  const cut = all ? 0 : Math.max(0, text.length - SHOWN_CHARS);
  return (
    <div className={styles.text}>
      {text.slice(0, text.length - cut)}
      {cut > 0 && <ShowAll onClick={() => setAll(true)}>{t`Show the last ${formatCount(cut)} characters too`}</ShowAll>}
    </div>
  );
}

/** Only its last block is laid out when it grows: a text of 200,000 characters takes as long as several frames. */
function GrowingText({ text, all, onAll }: { text: string; all: boolean; onAll: () => void }) {
  const blocks = growingBlocks(text);
  let first = 0;
  let cut = 0;
  // Whole blocks are left out, so that those that are shown stay as they are.
  while (!all && text.length - cut > SHOWN_CHARS) cut += blocks[first++]?.length ?? text.length;
  return (
    <div className={styles.text}>
      {cut > 0 && <ShowAll onClick={onAll}>{t`Show the first ${formatCount(cut)} characters too`}</ShowAll>}
      {blocks.slice(first, -1).map((block, index) => (
        <Block key={first + index} text={block} />
      ))}
      <div key="end" className={styles.block}>
        {blocks.at(-1)}
        <span className={styles.cursor} aria-hidden />
      </div>
    </div>
  );
}

const Block = memo(({ text }: { text: string }) => <div className={styles.block}>{text}</div>);

const ShowAll = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <Button size="xs" variant="default" onClick={onClick}>
    {children}
  </Button>
);
