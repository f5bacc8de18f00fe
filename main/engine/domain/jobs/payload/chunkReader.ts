/** Reads the committed chunks of a job: once each for /stream, or from a position of the reader. */
import type { CommitCallback } from '../../core/commits.ts';
import type { Job } from '../jobRecord.ts';
import type { JobStore } from '../ports.ts';
import { chunksFrom, readChunks, type ChunkPosition } from './chunkLog.ts';

/** Chunks handed to one reader at a time. */
const READ_BYTES = 4_000_000;

export interface ChunkReader {
  /** The committed chunks that no reader has had, raw JSON, oldest first; a few megabytes at a time. */
  read(job: Job): string[];
  /**
   * The committed chunks from a reader's own position on, raw JSON, oldest first, about `maxBytes` of them; advances
   * the position.
   */
  readFrom(job: Job, position: ChunkPosition, maxBytes: number): string[];
  /** The first committed chunks, about `maxBytes` of them; readers of /stream still get them. */
  firstChunks(job: Job, maxBytes: number): string[];
}

/** `logged`: a callback for a write that nobody waits for. */
export function createChunkReader(
  store: Pick<JobStore, 'chunks' | 'update'>,
  logged: (job: Job, action: string) => CommitCallback,
): ChunkReader {
  const reader: ChunkReader = {
    read(job) {
      if (!job.chunks) return [];
      const texts = readChunks(job.chunks, job.chunksRead, READ_BYTES, (...rows) => store.chunks(job.seq, ...rows));
      // Chunks that could not be stored are gone: no reader is kept waiting for them.
      job.chunksRead = texts.length > 0 ? job.chunksRead + texts.length : job.chunks.ready;
      if (texts.length > 0) store.update(job, logged(job, 'reading position'), 'soon');
      return texts;
    },
    readFrom(job, position, maxBytes) {
      if (!job.chunks) return [];
      const texts = chunksFrom(job.chunks, position, maxBytes, (...rows) => store.chunks(job.seq, ...rows));
      // As above: chunks that could not be stored are skipped.
      if (texts.length === 0) position.index = job.chunks.ready;
      return texts;
    },
    firstChunks: (job, maxBytes) =>
      job.chunks && !job.removed ? reader.readFrom(job, { index: 0, row: job.chunks.firstRow }, maxBytes) : [],
  };
  return reader;
}
