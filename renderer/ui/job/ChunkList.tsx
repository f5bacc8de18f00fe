/** Every chunk of a stream with the moment it came, as a list that stays fluent at any length. */
import { useRef, useState } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { LedgerChunk } from '#contract/app/ledger.ts';
import { isContainer, kindOf, membersOf, stringOf } from '../output/jsonNode.ts';
import { Empty } from '../primitives/Notice.tsx';
import styles from './job.module.css';
import { indentJson } from './jsonText.ts';
import { t } from '../../language/text.ts';

const ROW_PX = 26;
const LINE_CHARS = 400;
const METRICS_CHARS = 200;
const OPEN_CHARS = 50_000;

/** "step 3 · loss 0.12": the single values of an object; anything else as it was sent. */
function metricsLine(raw: string): string {
  if (raw.length > OPEN_CHARS || kindOf(raw) !== 'object') return raw.slice(0, METRICS_CHARS);
  const values = membersOf(raw).filter(({ text }) => !isContainer(text));
  const words = values.map(({ name, text }) => `${String(name).replaceAll('_', ' ')} ${stringOf(text) ?? text}`);
  return (values.length === 0 ? raw : words.join(' · ')).slice(0, METRICS_CHARS);
}

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
                {chunk.metrics !== undefined && (
                  <span className={styles.chunkMetrics} title={t`Metrics that the worker sent with the chunk`}>
                    {metricsLine(chunk.metrics)}
                  </span>
                )}
              </button>
              {isOpen && (
                <pre>
                  {indentJson(chunk.text.slice(0, OPEN_CHARS))}
                  {chunk.metrics !== undefined && `\n\nmetrics: ${indentJson(chunk.metrics.slice(0, OPEN_CHARS))}`}
                </pre>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
