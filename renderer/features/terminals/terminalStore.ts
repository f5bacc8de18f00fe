/** The tabs and panes of terminals, kept over a reload of the page. */
import { create } from 'zustand';
import * as z from 'zod';
import { readStored, writeStored } from '../../state/stored.ts';
import { emptyLayout, type Layout } from './layout.ts';

const KEY = 'terminals';
const keptSchema = z.object({
  tabs: z.array(
    z.object({
      id: z.string(),
      direction: z.enum(['row', 'column']),
      panes: z.array(
        z.object({
          id: z.string(),
          kind: z.enum(['pod', 'worker']),
          targetId: z.string(),
          session: z.string().nullable(),
        }),
      ),
    }),
  ),
  active: z.string().nullable(),
});

function kept(): Layout {
  try {
    return keptSchema.parse(JSON.parse(readStored(KEY) ?? 'null'));
  } catch {
    // Nothing was kept, or by another version: the sessions themselves are asked for in any case.
    return emptyLayout;
  }
}

/** `joined`: whether the engine's sessions have been asked for since the page was opened. */
export const useTerminals = create<{ layout: Layout; joined: boolean }>(() => ({ layout: kept(), joined: false }));

export const newId = (): string => crypto.randomUUID();

export function changeLayout(change: (layout: Layout) => Layout): void {
  useTerminals.setState(({ layout }) => ({ layout: change(layout) }));
  writeStored(KEY, JSON.stringify(useTerminals.getState().layout));
}
