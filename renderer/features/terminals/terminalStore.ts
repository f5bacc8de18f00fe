/** The tabs and panes of terminals, stored over a reload of the page. */
import { create } from 'zustand';
import * as z from 'zod';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { asJson, personalSettings } from '../../state/personalSetting.ts';
import { emptyLayout, type Layout } from './layout.ts';

const layoutSchema = z.object({
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

/** By account id; '' for this computer. Each account has its own tabs, because sessions belong to an account. */
export const layoutSetting = personalSettings('terminals', asJson(layoutSchema), emptyLayout);

const idOf = (accountId: string): string => (accountId === THIS_MACHINE ? '' : accountId);

/** The accounts whose sessions have joined the layout since the page was opened. */
const useJoined = create<Record<string, boolean>>(() => ({}));

interface Terminals {
  layout: Layout;
  isJoined: boolean;
}

export const useTerminals = (accountId: string): Terminals => ({
  layout: layoutSetting.use(idOf(accountId)),
  isJoined: useJoined((accounts) => accounts[accountId] ?? false),
});

export const newId = (): string => crypto.randomUUID();

export function changeLayout(accountId: string, change: (layout: Layout) => Layout): void {
  const id = idOf(accountId);
  layoutSetting.set(id, change(layoutSetting.get(id)));
}

export const setJoined = (accountId: string): void => useJoined.setState({ [accountId]: true });
