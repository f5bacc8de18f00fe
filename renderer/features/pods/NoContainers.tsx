/** Stands where Pods would be, on a machine without a container engine. */
import { useState } from 'react';
import { Button } from '@mantine/core';
import { AdvisedCommands } from '../../ui/domain/AdvisedCommands.tsx';
import { Empty, Notice } from '../../ui/primitives/Notice.tsx';
import { readAdvice } from '../../ui/text/commandsIn.ts';
import { podsChanged } from './usePodsNow.ts';
import { t } from '../../language/text.ts';

/** How to get a container engine where none answers. `problem`: what is missing, as the engine says it. */
export function NoContainers({ problem, hasPods }: { problem: string; hasPods: boolean }) {
  const { text, steps } = readAdvice(problem);
  const [isChecking, setChecking] = useState(false);
  const check = () => {
    setChecking(true);
    void podsChanged().finally(() => setChecking(false));
  };
  const action = <Button size="xs" variant="default" loading={isChecking} onClick={check}>{t`Check again`}</Button>;
  if (hasPods) {
    return (
      <Notice tone="wait" title={t`Pods need a container engine.`} action={action}>
        {problem}
      </Notice>
    );
  }
  return (
    <Empty title={t`Pods need a container engine`} action={action} more={<AdvisedCommands steps={steps} />}>
      {text}
    </Empty>
  );
}
