/** Two resizable panes side by side, with stored sizes; one below the other in a narrow window. */
import { useEffect, useRef, type ReactNode } from 'react';
import { useMediaQuery } from '@mantine/hooks';
import { Group, Panel, Separator } from 'react-resizable-panels';
import { NARROW } from '../../state/narrowWindow.ts';
import { paneSizes } from '../../state/panes.ts';
import styles from './splitPane.module.css';
import { t } from '../../language/text.ts';

interface PanesProps {
  /** The key of the stored sizes. */
  place: string;
  left: ReactNode;
  /** Null: only the left pane is shown. */
  right: ReactNode;
  leftSize?: string;
  /** In a narrow window: one below the other, or the right one replaces the left one. */
  whenNarrow?: 'stack' | 'replace';
  /** Where one stands below the other, each new value brings the right one into sight. */
  seeRight?: number;
}

export function Panes({ place, left, right, leftSize = '44%', whenNarrow = 'stack', seeRight }: PanesProps) {
  const narrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const below = useRef<HTMLDivElement>(null);
  const seen = useRef(seeRight);
  useEffect(() => {
    if (seen.current === seeRight) return;
    seen.current = seeRight;
    below.current?.scrollIntoView({ block: 'start' });
  }, [seeRight]);
  // A list by itself has the whole height.
  const layout = !narrow ? 'beside' : whenNarrow === 'replace' || right === null ? 'alone' : 'stack';
  // In percent, so that the sizes stay while the window is narrow.
  const minSize = narrow ? 0 : 300;
  const sizes = right === null ? null : paneSizes.get(place);
  // The same tree for every width: what is open or typed in a pane stays when the window gets narrower or wider.
  return (
    <Group
      key={right === null ? 'one' : 'two'}
      className={styles.group}
      data-layout={layout}
      {...(sizes && { defaultLayout: sizes })}
      onLayoutChanged={(changed, { isUserInteraction }) => isUserInteraction && paneSizes.set(place, changed)}
    >
      <Panel
        id="left"
        className={styles.pane}
        defaultSize={right === null ? '100%' : leftSize}
        minSize={minSize}
        data-hidden={(layout === 'alone' && right !== null) || undefined}
      >
        {layout === 'alone' && right !== null ? null : left}
      </Panel>
      {right !== null && (
        <>
          <Separator className={styles.separator} disabled={narrow} aria-label={t`Resize the panes`} />
          <Panel id="right" className={styles.pane} minSize={minSize} elementRef={below}>
            {right}
          </Panel>
        </>
      )}
    </Group>
  );
}
