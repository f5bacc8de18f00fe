/** The tabs and panes of terminals, kept over a reload of the page. */
import { useState } from 'react';
import { create } from 'zustand';
import * as z from 'zod';
import { THIS_MACHINE } from '#contract/app/account.ts';
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

/** Each account has tabs of its own: a session is one of its account. */
const keyOf = (accountId: string): string => (accountId === THIS_MACHINE ? KEY : `${KEY}.${accountId}`);

function kept(accountId: string): Layout {
  try {
    return keptSchema.parse(JSON.parse(readStored(keyOf(accountId)) ?? 'null'));
  } catch {
    // Nothing was kept, or by another version: the sessions themselves are asked for in any case.
    return emptyLayout;
  }
}

interface Terminals {
  layout: Layout;
  /** Whether the sessions of the account have been asked for since the page was opened. */
  joined: boolean;
}

const useStore = create<Record<string, Terminals>>(() => ({}));

const read = (accountId: string): Terminals => {
  const known = useStore.getState()[accountId];
  if (known) return known;
  const first = { layout: kept(accountId), joined: false };
  useStore.setState({ [accountId]: first });
  return first;
};

export const useTerminals = (accountId: string): Terminals => {
  const [first] = useState(() => ({ layout: kept(accountId), joined: false }));
  return useStore((all) => all[accountId]) ?? first;
};

export const newId = (): string => crypto.randomUUID();

export function changeLayout(accountId: string, change: (layout: Layout) => Layout): void {
  const layout = change(read(accountId).layout);
  useStore.setState((all) => ({ [accountId]: { layout, joined: all[accountId]?.joined ?? false } }));
  writeStored(keyOf(accountId), JSON.stringify(layout));
}

export const setJoined = (accountId: string): void =>
  useStore.setState({ [accountId]: { ...read(accountId), joined: true } });
