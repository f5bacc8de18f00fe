/** A part of a form with its title. */
import type { ReactNode } from 'react';
import styles from './form.module.css';

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={styles.section}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}
