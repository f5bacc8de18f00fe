/** What workers can be run with: a container engine, Python, and what is missing for them. */
import { Skeleton } from '@mantine/core';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Machine } from '#contract/local/machine.ts';
import { Card } from '../../../ui/primitives/Card.tsx';
import { CopyButton } from '../../../ui/primitives/CopyButton.tsx';
import { commandsIn } from './commandsIn.ts';
import page from '../machine.module.css';
import styles from './runtimes.module.css';

/** Undefined while it is being asked. */
export function RuntimesCard({ machine }: { machine: Machine | undefined }) {
  return (
    <Card aria-label="What runs workers">
      <div className={page.cardHead}>
        <h2>What runs workers</h2>
      </div>
      <ul className={styles.runtimes}>
        <Runtime name="Node" found problem={null}>
          Hangar's own
        </Runtime>
        {machine ? (
          <>
            <Runtime name="Python" found={machine.python.version !== null} problem={machine.python.problem}>
              {machine.python.version ?? 'not found'}
            </Runtime>
            <Runtime name="Containers" found={machine.containers.available} problem={machine.containers.problem}>
              {machine.containers.available
                ? [machine.containers.name, machine.containers.version].filter(Boolean).join(' ')
                : 'no engine answers'}
              {machine.containers.available && machine.containers.address !== null && (
                <code title={machine.containers.address}>{machine.containers.address}</code>
              )}
            </Runtime>
          </>
        ) : (
          <li>
            <Skeleton h={10} w="60%" radius={4} my={10} />
          </li>
        )}
      </ul>
    </Card>
  );
}

interface RuntimeProps {
  name: string;
  found: boolean;
  /** What is missing, and how to get it. */
  problem: string | null;
  children: ReactNode;
}

function Runtime({ name, found, problem, children }: RuntimeProps) {
  const commands = problem === null ? [] : commandsIn(problem);
  return (
    <li>
      <div className={styles.runtime}>
        {found ? (
          <CircleCheck size={14} aria-label="There" className={styles.there} />
        ) : (
          <TriangleAlert size={14} aria-label="Missing" className={styles.missing} />
        )}
        <b>{name}</b>
        <span>{children}</span>
      </div>
      {problem !== null && <p className={styles.problem}>{problem}</p>}
      {commands.map((command) => (
        <div key={command} className={styles.fix}>
          <code>{command}</code>
          <CopyButton text={command} what="command" />
        </div>
      ))}
    </li>
  );
}
