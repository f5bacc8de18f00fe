/** The titled sections of a form. */
import { useState, type ReactNode } from 'react';
import styles from './form.module.css';

interface SectionProps {
  title: string;
  /** Whether a part of it is not known yet. */
  isBusy?: boolean;
  children: ReactNode;
}

export function Section({ title, isBusy = false, children }: SectionProps) {
  return (
    <fieldset className={styles.section} aria-busy={isBusy || undefined}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

interface FoldedSectionProps {
  title: string;
  /** What stands in it, in a few words, while it is folded. */
  summary: string;
  /** Whether it begins open. */
  startsOpen: boolean;
  /** True: it is open because something in it needs to be corrected. */
  hasProblem: boolean;
  children: ReactNode;
}

/** A section whose values are usually right. */
export function FoldedSection({ title, summary, startsOpen, hasProblem, children }: FoldedSectionProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  return (
    <details
      className={styles.section}
      open={isOpen || hasProblem}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        {title} <span>{summary}</span>
      </summary>
      <div>{children}</div>
    </details>
  );
}
