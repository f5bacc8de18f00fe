/** Every chunk of a stream with the moment it came, as a list that stays fluent at any length. */
import { useRef, useState } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { LedgerChunk } from '#contract/app/ledger.ts';
import { Empty } from '../primitives/Notice.tsx';
import styles from './job.module.css';
import { indentJson } from './jsonText.ts';
import { t } from '../../language/text.ts';

const ROW_PX = 26;
const LINE_CHARS = 400;
const OPEN_CHARS = 50_000;

interface ChunkListProps {
  chunks: readonly LedgerChunk[];
  /** When the handler began, or the job was sent: offsets count from here. */
  startedAt: number;
}

export function ChunkList({ chunks, startedAt }: ChunkListProps) {
  const view = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const rows = useVirtualizer({
    count: chunks.length,
    getScrollElement: () => view.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  if (chunks.length === 0) return <Empty title={t`No chunks`}>{t`This job has not streamed anything.`}</Empty>;

  const toggle = (index: number) => {
    const next = new Set(open);
    if (!next.delete(index)) next.add(index);
    setOpen(next);
  };
  return (
    <div ref={view} className={styles.chunks} role="list" aria-label={t`Chunks`} tabIndex={0}>
      <div style={{ height: rows.getTotalSize() }} className={styles.chunksInner}>
        {rows.getVirtualItems().map((row) => {
          const chunk = chunks[row.index];
          if (!chunk) return null;
          const isOpen = open.has(chunk.index);
          return (
            <div
              key={row.key}
              ref={rows.measureElement}
              data-index={row.index}
              role="listitem"
              className={styles.chunk}
              style={{ transform: `translateY(${row.start}px)` }}
            >
              <button type="button" aria-expanded={isOpen} onClick={() => toggle(chunk.index)}>
                <span className={styles.chunkIndex}>{chunk.index + 1}</span>
                <span className={styles.chunkAt}>{t`+${((chunk.at - startedAt) / 1000).toFixed(2)} s`}</span>
                <span className={styles.chunkText}>{chunk.text.slice(0, LINE_CHARS)}</span>
              </button>
              {isOpen && <pre>{indentJson(chunk.text.slice(0, OPEN_CHARS))}</pre>}
            </div>
          );
        })}
      </div>
    </div>
  );
}
