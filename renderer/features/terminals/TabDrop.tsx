/** Over a pane while a tab is dragged: shows at which of its sides the tab would be dropped. */
import { useState, type DragEvent } from 'react';
import type { Side } from '../../ui/terminal/layout.ts';
import styles from './terminals.module.css';

/** The side of the element that the pointer is nearest to, in shares of its size. */
function nearestSide(event: Pick<DragEvent, 'clientX' | 'clientY' | 'currentTarget'>): Side {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  const [x, y] = [(event.clientX - left) / width, (event.clientY - top) / height];
  const distances: Record<Side, number> = { left: x, right: 1 - x, top: y, bottom: 1 - y };
  const sides: readonly Side[] = ['left', 'right', 'top', 'bottom'];
  return sides.reduce((nearest, side) => (distances[side] < distances[nearest] ? side : nearest));
}

export function TabDrop({ onDrop }: { onDrop: (side: Side) => void }) {
  const [side, setSide] = useState<Side | null>(null);
  return (
    <div
      className={styles.drop}
      data-side={side ?? undefined}
      onDragOver={(event) => {
        event.preventDefault();
        event.dataTransfer.dropEffect = 'move';
        setSide(nearestSide(event));
      }}
      onDragLeave={() => setSide(null)}
      onDrop={(event) => {
        event.preventDefault();
        onDrop(nearestSide(event));
      }}
    />
  );
}
