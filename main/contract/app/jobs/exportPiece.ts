/** The pieces in which exported jobs travel to the page. */
import * as z from 'zod';

/** A piece of an exported file. */
export const exportPieceSchema = z.object({
  text: z.string(),
  /** Jobs so far. */
  jobs: z.int(),
  /** Cells of a CSV table so far that were too long for table programs, so that only their beginning is in them. */
  cutCells: z.int(),
});
export type ExportPiece = z.infer<typeof exportPieceSchema>;
