/** The tabs and panes of terminals, stored over a reload of the page. */
import { create } from 'zustand';
import * as z from 'zod';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { asJson, personalSettings } from '../../state/personalSetting.ts';
import { emptyLayout, treeOf, type Layout, type LayoutNode } from './layout.ts';

const directionSchema = z.enum(['row', 'column']);
const shellEndSchema = z.object({ exitCode: z.number().nullable(), reason: z.string() });
const paneSchema = z.object({
  id: z.string(),
  kind: z.enum(['pod', 'worker', 'host', 'ssh']),
  targetId: z.string(),
  name: z.string().optional(),
  session: z.string().nullable(),
  ended: shellEndSchema.nullable(),
});
const nodeSchema: z.ZodType<LayoutNode, LayoutNode> = z.lazy(() =>
  z.union([
    z
      .object({
        id: z.string(),
        direction: directionSchema,
        parts: z.array(nodeSchema).min(2),
        shares: z.array(z.number()),
      })
      .refine(({ parts, shares }) => parts.length === shares.length),
    paneSchema,
  ]),
);
const tabSchema = z.object({ id: z.string(), root: nodeSchema });
/** A tab as earlier versions stored it: its panes were one row or one column, and a pane closed when its shell ended. */
const flatTabSchema = z.object({
  id: z.string(),
  direction: directionSchema,
  panes: z.array(paneSchema.omit({ ended: true })).min(1),
});

const storedTabSchema = z.codec(z.union([tabSchema, flatTabSchema]), tabSchema, {
  decode(tab) {
    if ('root' in tab) return tab;
    const { id, direction } = tab;
    const panes = tab.panes.map((pane) => ({ ...pane, ended: null }));
    return { id, root: treeOf(panes, direction, `${id}-split`) };
  },
  encode: (tab) => tab,
});
const layoutSchema = z.object({ tabs: z.array(storedTabSchema), active: z.string().nullable() });

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

export const layoutNow = (accountId: string): Layout => layoutSetting.get(idOf(accountId));

export function changeLayout(accountId: string, change: (layout: Layout) => Layout): void {
  layoutSetting.set(idOf(accountId), change(layoutNow(accountId)));
}

export const setJoined = (accountId: string): void => useJoined.setState({ [accountId]: true });
