/** A bordered surface that fills the height it is given. */
import type { ComponentPropsWithRef } from 'react';
import styles from '../theme/pieces.module.css';

interface CardProps extends ComponentPropsWithRef<'section'> {
  /** Takes the free height of its column. */
  grow?: boolean;
}

export function Card({ grow = false, ...rest }: CardProps) {
  return <section className={styles.card} data-grow={grow || undefined} {...rest} />;
}
