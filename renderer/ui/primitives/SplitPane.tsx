/** Two panes side by side that resize and remember; below each other where the window is narrow. */
import type { ReactNode } from 'react';
import { useMediaQuery } from '@mantine/hooks';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { keepPanes, readPanes } from '../../state/panes.ts';
import styles from './splitPane.module.css';

/** Also met at 200 % zoom on a common screen. */
const NARROW = '(max-width: 820px)';

interface PanesProps {
  /** Names the remembered sizes. */
  place: string;
  left: ReactNode;
  /** Null leaves the left pane alone. */
  right: ReactNode;
  leftSize?: string;
  /** In a narrow window: both below each other, or the right one in place of the left one. */
  whenNarrow?: 'stack' | 'replace';
}

export function Panes({ place, left, right, leftSize = '44%', whenNarrow = 'stack' }: PanesProps) {
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  if (narrow && whenNarrow === 'replace') {
    return <div className={styles.alone}>{right ?? left}</div>;
  }
  if (narrow) {
    return (
      <div className={styles.stack}>
        <div className={styles.stacked}>{left}</div>
        {right !== null && <div className={styles.stacked}>{right}</div>}
      </div>
    );
  }
  const kept = right === null ? undefined : readPanes(place);
  return (
    <Group
      key={right === null ? 'one' : 'two'}
      className={styles.group}
      {...(kept && { defaultLayout: kept })}
      onLayoutChanged={(layout, { isUserInteraction }) => isUserInteraction && keepPanes(place, layout)}
    >
      <Panel id="left" className={styles.pane} defaultSize={right === null ? '100%' : leftSize} minSize={300}>
        {left}
      </Panel>
      {right !== null && (
        <>
          <Separator className={styles.separator} aria-label="Resize the panes" />
          <Panel id="right" className={styles.pane} minSize={300}>
            {right}
          </Panel>
        </>
      )}
    </Group>
  );
}
