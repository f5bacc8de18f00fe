/** What the parts of an output share: where they scroll, and what their files are called. */
import { createContext, use } from 'react';

export interface OutputFrame {
  /** The element that scrolls; null until it is there. */
  scroller: HTMLElement | null;
  /** The beginning of file names, without an extension. */
  fileName: string;
  /** Whether the parts offer to save their files. Beside the preview of a file, Download does it. */
  hasSave: boolean;
}

export const OutputFrameContext = createContext<OutputFrame>({ scroller: null, fileName: 'output', hasSave: true });

export const useOutputFrame = (): OutputFrame => use(OutputFrameContext);
