/** Code within a sentence. It breaks at its spaces only: "--allow-lan" is never parted at a hyphen. */
import { Fragment } from 'react';
import styles from './inlineCode.module.css';

export const InlineCode = ({ children: text }: { children: string }) => (
  <code className={styles.code}>
    {text.split(' ').map((word, place) => (
      // Words of a fixed text: they never change their places.
      <Fragment key={`${place} ${word}`}>
        {place > 0 && ' '}
        <span>{word}</span>
      </Fragment>
    ))}
  </code>
);
