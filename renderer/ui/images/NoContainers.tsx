/** Stands where containers or images would be, on a machine without a container engine. */
import { useState } from 'react';
import { Button } from '@mantine/core';
import { AdvisedCommands } from '../domain/AdvisedCommands.tsx';
import { Empty } from '../primitives/Notice.tsx';
import { readAdvice } from '../text/commandsIn.ts';
import { t } from '../../language/text.ts';

interface CheckAgainProps {
  /** Reads again whether a container engine answers. Never rejects. */
  check: () => Promise<unknown>;
}

/** Busy until the answer is there. */
export function CheckAgain({ check }: CheckAgainProps) {
  const [isChecking, setChecking] = useState(false);
  const run = () => {
    setChecking(true);
    void check().finally(() => setChecking(false));
  };
  return <Button size="xs" variant="default" loading={isChecking} onClick={run}>{t`Check again`}</Button>;
}

interface NoContainersProps extends CheckAgainProps {
  title: string;
  /** What is missing and how to get it, as the engine says it. */
  problem: string;
}

/** How to get a container engine, as steps with commands to copy. */
export function NoContainers({ title, problem, check }: NoContainersProps) {
  const { text, steps } = readAdvice(problem);
  return (
    <Empty title={title} action={<CheckAgain check={check} />} more={<AdvisedCommands steps={steps} />}>
      {text}
    </Empty>
  );
}
