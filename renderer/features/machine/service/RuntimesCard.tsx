/** The runtimes of workers, a container engine and Python, and how to install a missing one. */
import { Skeleton } from '@mantine/core';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Machine } from '#contract/local/machine.ts';
import { AdvisedCommands } from '../../../ui/domain/AdvisedCommands.tsx';
import { Card, CardHead } from '../../../ui/primitives/Card.tsx';
import { readAdvice } from '../../../ui/text/commandsIn.ts';
import styles from './runtimes.module.css';
import { t } from '../../../language/text.ts';

/** Undefined while it is loading. */
export function RuntimesCard({ machine }: { machine: Machine | undefined }) {
  return (
    <Card aria-label={t`Runtimes`}>
      <CardHead title={t`Runtimes`} />
      <ul className={styles.runtimes}>
        <Runtime name={t`Node`} isThere problem={null}>{t`Built in`}</Runtime>
        {machine ? (
          <>
            <Runtime name={t`Python`} isThere={machine.python.version !== null} problem={machine.python.problem}>
              {machine.python.version ?? t`not found`}
            </Runtime>
            <Runtime name={t`Containers`} isThere={machine.containers.available} problem={machine.containers.problem}>
              {machine.containers.available
                ? [machine.containers.name, machine.containers.version].filter(Boolean).join(' ')
                : obstacleWords(machine.containers.obstacle)}
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

/** An older engine does not say it. */
function obstacleWords(obstacle: Machine['containers']['obstacle']): string {
  if (obstacle === 'stopped') return t`not running`;
  return obstacle === 'refused' ? t`not usable` : t`not found`;
}

interface RuntimeProps {
  name: string;
  isThere: boolean;
  /** Why it cannot be used, and how to install it. */
  problem: string | null;
  children: ReactNode;
}

function Runtime({ name, isThere, problem, children }: RuntimeProps) {
  const advice = problem === null ? null : readAdvice(problem);
  return (
    <li>
      <div className={styles.runtime}>
        {isThere ? (
          <CircleCheck size={14} aria-label={t`There`} className={styles.there} />
        ) : (
          <TriangleAlert size={14} aria-label={t`Missing`} className={styles.missing} />
        )}
        <b>{name}</b>
        <span>{children}</span>
      </div>
      {advice !== null && (
        <>
          <p className={styles.problem}>{advice.text}</p>
          <div className={styles.fix}>
            <AdvisedCommands steps={advice.steps} />
          </div>
        </>
      )}
    </li>
  );
}
