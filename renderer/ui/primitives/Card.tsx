/** A bordered surface that fills its available height. */
import type { ComponentPropsWithRef } from 'react';
import styles from '../theme/pieces.module.css';

interface CardProps extends ComponentPropsWithRef<'section'> {
  /** Fills the free height of its column. */
  grow?: boolean;
}

export function Card({ grow = false, ...rest }: CardProps) {
  return <section className={styles.card} data-grow={grow || undefined} {...rest} />;
}
