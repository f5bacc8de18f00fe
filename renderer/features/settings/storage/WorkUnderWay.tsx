/** The move, export or import under way, with its progress and a button to stop it; and how the last one ended. */
import { Button, Progress } from '@mantine/core';
import type { DataState, DataWork } from '#contract/bridge/data/index.ts';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { Id } from '../../../ui/primitives/Id.tsx';
import { formatCount } from '../../../ui/text/format.ts';
import styles from '../settings.module.css';
import { sizeWords } from './placeWords.ts';
import { t } from '../../../language/text.ts';

type Kind = DataWork['kind'];

const titles: Record<Kind, string> = {
  move: t`Moving the data folder`,
  export: t`Exporting everything`,
  import: t`Importing`,
};
const ends: Record<NonNullable<DataState['last']>['outcome'], Record<Kind, string>> = {
  done: { move: t`The data was moved.`, export: t`The export is complete.`, import: t`The import is complete.` },
  stopped: { move: t`The move was stopped.`, export: t`The export was stopped.`, import: t`The import was stopped.` },
  failed: { move: t`The move failed.`, export: t`The export failed.`, import: t`The import failed.` },
};
const tones = { done: 'off', stopped: 'wait', failed: 'bad' } as const;

const phaseWords = ({ phase, kind, doneBytes, totalBytes, doneFiles, totalFiles }: DataWork): string => {
  if (phase === 'counting') return t`Counting the files…`;
  if (phase === 'finishing') return t`Hangar restarts with the moved data. This page reconnects automatically.`;
  const bytes = t`${sizeWords(doneBytes)} of ${sizeWords(totalBytes)}`;
  return kind === 'import' ? bytes : `${bytes} · ${t`${formatCount(doneFiles)} of ${formatCount(totalFiles)} files`}`;
};

interface WorkProps {
  work: DataWork;
  isStopping: boolean;
  onStop: () => void;
}

export function WorkUnderWay({ work, isStopping, onStop }: WorkProps) {
  const { kind, path, phase, doneBytes, totalBytes } = work;
  return (
    <div className={styles.work} role="group" aria-label={titles[kind]}>
      <strong>{titles[kind]}</strong>
      <Id text={path} copyLabel={kind === 'move' ? t`Copy new folder` : t`Copy file`} />
      <Progress
        size="sm"
        animated={phase !== 'copying'}
        value={phase === 'copying' && totalBytes > 0 ? Math.min(100, (100 * doneBytes) / totalBytes) : 100}
        aria-label={titles[kind]}
      />
      <span role="status">{phaseWords(work)}</span>
      {phase !== 'finishing' && (
        <div>
          <Button size="xs" variant="default" loading={isStopping} onClick={onStop}>{t`Stop`}</Button>
        </div>
      )}
    </div>
  );
}

export function LastWork({ last }: { last: NonNullable<DataState['last']> }) {
  return (
    <Notice tone={tones[last.outcome]} title={ends[last.outcome][last.kind]}>
      {last.message}
    </Notice>
  );
}
