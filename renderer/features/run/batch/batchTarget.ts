/** Where a batch runs, and the words for its inputs. */
import type { EndpointSummary } from '#contract/bridge/index.ts';
import { formatCount } from '../../../ui/text/format.ts';
import { counted } from '../../../language/text.ts';

export interface BatchTarget {
  endpoint: EndpointSummary;
  /** "this computer", "work account": stands on the button. */
  targetName: string;
  /** Whether a run there costs money. */
  spends: boolean;
  /** Why nothing can be sent now, for a person; null when it can. */
  blocked: string | null;
}

/** "1 input", "12 inputs". */
export const inputsWords = (count: number): string => counted(count, '{0} input', '{0} inputs', formatCount(count));
