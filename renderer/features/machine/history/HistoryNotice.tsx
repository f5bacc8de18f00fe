/** Says that the histories of a computer could not be read, or from when they are. */
import { Button } from '@mantine/core';
import { Unknown } from '../../../ui/domain/LoadError.tsx';
import { StaleNotice } from '../../../ui/domain/StaleNotice.tsx';
import type { Histories } from './useHistories.ts';
import { t } from '../../../language/text.ts';

/** Nothing without a problem. One that both have is told once. */
export function HistoryNotice({ gpus, processor }: Pick<Histories, 'gpus' | 'processor'>) {
  const [view] = [gpus, processor].filter(({ problem }) => problem !== null);
  if (view === undefined || view.problem === null) return null;
  const { at, problem, retry } = view;
  if (view.now !== undefined) {
    return <StaleNotice at={at} problem={problem} retry={retry}>{t`These are the last numbers.`}</StaleNotice>;
  }
  return (
    <Unknown
      title={t`The history could not be read.`}
      problem={problem}
      action={<Button size="xs" variant="default" onClick={retry}>{t`Try again`}</Button>}
    />
  );
}
