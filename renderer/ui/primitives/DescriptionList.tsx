/** Names and values in two columns. */
import type { ReactNode } from 'react';
import styles from './descriptionList.module.css';

export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** A name and its value, for a list with conditional entries. */
export const fact = <Value extends ReactNode>(name: string, value: Value): [name: string, value: Value] => [
  name,
  value,
];
