/** What a job has put out, joined for reading; follows the end while it grows. */
import { useState } from 'react';
import { Button } from '@mantine/core';
import { ArrowDown } from 'lucide-react';
import type { LedgerChunk, LedgerEntry } from '#contract/app/ledger.ts';
import { formatCount } from '../text/format.ts';
import { Empty } from '../primitives/Notice.tsx';
import { stateLooks } from '../domain/StateChip.tsx';
import styles from './job.module.css';
import { createJoiner, resultBeside, type Piece } from './joinChunks.ts';
import { isOver } from './timeline.ts';
import { useFollowTail } from './useFollowTail.ts';

/** More than this at once makes a page slow and helps nobody; the rest comes on demand. */
const SHOWN_CHARS = 200_000;

interface OutputViewProps {
  entry: LedgerEntry;
  chunks: readonly LedgerChunk[];
  output: string | null;
}

export function OutputView({ entry, chunks, output }: OutputViewProps) {
  const [join] = useState(createJoiner);
  const pieces = join(chunks);
  const over = isOver(entry);
  const result = over ? resultBeside(output, chunks) : null;
  const { following, props, toEnd } = useFollowTail<HTMLDivElement>(pieces);

  if (pieces.length === 0 && result === null) return <NoOutput entry={entry} />;
  return (
    <div className={styles.outputFrame}>
      <div {...props} className={styles.output} role="region" aria-label="Output" tabIndex={0}>
        {pieces.map((piece, index) => (
          <PieceView key={index} piece={piece} live={!over && index === pieces.length - 1} />
        ))}
        {result !== null && (
          <>
            {pieces.length > 0 && <h3 className={styles.resultHead}>Returned at the end</h3>}
            <PieceView piece={result} live={false} />
          </>
        )}
      </div>
      {!following && !over && (
        <Button className={styles.follow} size="xs" leftSection={<ArrowDown size={13} aria-hidden />} onClick={toEnd}>
          Follow
        </Button>
      )}
    </div>
  );
}

function PieceView({ piece, live }: { piece: Piece; live: boolean }) {
  const [all, setAll] = useState(false);
  const cut = all ? 0 : Math.max(0, piece.text.length - SHOWN_CHARS);
  return (
    <div className={styles.piece} data-kind={piece.kind}>
      {cut > 0 && (
        <Button size="xs" variant="default" onClick={() => setAll(true)}>
          Show the first {formatCount(cut)} characters too
        </Button>
      )}
      {cut > 0 ? piece.text.slice(cut) : piece.text}
      {live && <span className={styles.cursor} aria-hidden />}
    </div>
  );
}

function NoOutput({ entry }: { entry: LedgerEntry }) {
  if (!isOver(entry)) {
    return (
      <Empty title={entry.status === 'IN_PROGRESS' ? 'Running' : 'Not started yet'}>
        {entry.mode === 'run'
          ? 'Output appears here as the handler sends it.'
          : 'The result appears here when it is there.'}
      </Empty>
    );
  }
  if (entry.status === 'COMPLETED') return <Empty title="Done, without output">The handler returned nothing.</Empty>;
  const { word } = stateLooks[entry.status];
  return <Empty title={entry.status === 'UNANSWERED' ? 'No answer came' : `${word} before there was output`} />;
}
