/** Plain text, as the handler wrote it. */
import { useState } from 'react';
import { Button } from '@mantine/core';
import { formatCount } from '../../text/format.ts';
import type { PartProps } from '../partProps.ts';
import styles from './text.module.css';
import { t } from '../../../language/text.ts';

/** More than this at once makes a page slow and helps nobody; the rest comes on demand. */
const SHOWN_CHARS = 200_000;

/** The end is what a person watches in a stream; a finished text opens at its beginning. */
export function TextPart({ part: { text }, live }: PartProps<'text'>) {
  const [all, setAll] = useState(false);
  const cut = all ? 0 : Math.max(0, text.length - SHOWN_CHARS);
  const showAll = (
    <Button
      size="xs"
      variant="default"
      onClick={() => setAll(true)}
    >{t`Show the ${live ? t`first` : t`last`} ${formatCount(cut)} characters too`}</Button>
  );
  return (
    <div className={styles.text}>
      {cut > 0 && live && showAll}
      {live ? text.slice(cut) : text.slice(0, text.length - cut)}
      {live && <span className={styles.cursor} aria-hidden />}
      {cut > 0 && !live && showAll}
    </div>
  );
}
