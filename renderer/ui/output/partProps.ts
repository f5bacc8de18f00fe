/** What the view of one part is given. */
import type { OutputPart, PartKind } from './readOutput.ts';

export interface PartProps<Kind extends PartKind> {
  part: OutputPart<Kind>;
  /** Whether the part is at the end of a stream that goes on. */
  live: boolean;
}
