/** A part of an inspector: a heading, and names with their values below it. */
import type { ReactNode } from 'react';
import overview from '../theme/overview.module.css';
import panel from '../theme/panel.module.css';

interface FactsBlockProps {
  title: string;
  /** Each name stands once. */
  facts: readonly [name: string, value: ReactNode][];
}

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
