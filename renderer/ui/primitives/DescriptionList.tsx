/** Names and values in two columns. */
import type { ReactNode } from 'react';
import overview from '../theme/overview.module.css';
import panel from '../theme/panel.module.css';
import styles from './descriptionList.module.css';

export function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

interface FactProps {
  name: string;
  /** True: its value is a control, such as a switch. */
  isControl?: boolean;
  children: ReactNode;
}

export function Fact({ name, isControl = false, children }: FactProps) {
  return (
    <div data-control={isControl || undefined}>
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

interface FactsBlockProps {
  title: string;
  /** Each name stands once. */
  facts: readonly [name: string, value: ReactNode][];
}

/** A part of an inspector: a heading, and names with their values below it. */
export function FactsBlock({ title, facts }: FactsBlockProps) {
  return (
    <section className={panel.block} aria-label={title}>
      <h3>{title}</h3>
      <dl className={overview.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
