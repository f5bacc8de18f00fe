/** What the parts of an output share: where they scroll, and what their files are called. */
import { createContext, use } from 'react';

export interface OutputFrame {
  /** The element that scrolls; null until it is there. */
  scroller: HTMLElement | null;
  /** The beginning of file names, without an extension. */
  fileName: string;
  /** Whether a button around the parts saves the whole, so that the only part needs none. */
  isSavedOutside?: boolean;
}

export const OutputFrameContext = createContext<OutputFrame>({ scroller: null, fileName: 'output' });

export const useOutputFrame = (): OutputFrame => use(OutputFrameContext);
