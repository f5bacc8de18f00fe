/** A bordered surface that fills its available height, and its head. */
import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from '../theme/pieces.module.css';

interface CardProps extends ComponentPropsWithRef<'section'> {
  /**
   * Fills the free height of its column. Where columns stand one below the other, `tall` is higher than others, and
   * `content` as high as what it contains: the page scrolls.
   */
  grow?: boolean | 'tall' | 'content';
}

export function Card({ grow = false, ...rest }: CardProps) {
  return <section className={styles.card} data-grow={grow || undefined} {...rest} />;
}

interface CardHeadProps {
  title: ReactNode;
  /** Without a line below it: a text of the card follows. */
  isPlain?: boolean;
  className?: string | undefined;
  /** What stands beside the title; the last one at the right edge. */
  children?: ReactNode;
}

export function CardHead({ title, isPlain = false, className, children }: CardHeadProps) {
  return (
    <header className={`${styles.cardHead} ${className ?? ''}`} data-plain={isPlain || undefined}>
      <h2>{title}</h2>
      {children}
    </header>
  );
}
