/** Says what the job API answers for a handler that yields: its chunks by /stream, and an empty output at the end. */
import { Code } from '@mantine/core';
import type { LedgerChunk, LedgerEntry } from '#contract/app/ledger.ts';
import { rich } from '../../../language/text.ts';

interface StreamedJob {
  entry: Pick<LedgerEntry, 'status' | 'chunkCount'>;
  chunks: readonly LedgerChunk[];
  /** Raw JSON; null without an output. */
  output: string | null;
}

/** Whether a job has sent chunks and its result has none of them. */
export const hasEmptyResult = ({ entry, chunks, output }: StreamedJob): boolean =>
  entry.status === 'COMPLETED' &&
  Math.max(entry.chunkCount, chunks.length) > 0 &&
  (output === null || /^\s*(?:\[\s*\]|null|"")\s*$/.test(output));

interface StreamedNoteProps {
  /** Whether the handler is known to yield. */
  isKnown: boolean;
  /** The operation that answers the end of the job. */
  operation: 'status' | 'runsync';
}

const Word = ({ text }: { text: string }) => <Code c="var(--ink-2)">{text}</Code>;

export function StreamedNote({ isKnown, operation }: StreamedNoteProps) {
  const answer = <Word text={`/${operation}`} />;
  const stream = <Word text="/stream" />;
  const node = <Word text="aggregateStream = true" />;
  const python = <Word text="aggregate_stream = True" />;
  const sdk = <Word text={'"return_aggregate_stream": True'} />;
  return (
    <>
      {isKnown
        ? rich`The handler yields, so ${answer} returns an empty output. Its chunks come from ${stream}.`
        : rich`If the handler yields, ${answer} returns an empty output. Its chunks come from ${stream}.`}{' '}
      {rich`To return all of them at the end, too, the handler sets ${node} (Node), ${python} (Python) or ${sdk} (public SDK).`}
    </>
  );
}
