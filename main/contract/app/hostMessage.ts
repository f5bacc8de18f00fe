/**
 * Messages from a host to its page: a person chose something outside of the page, in a menu, in the tray or with a
 * link.
 */
import * as z from 'zod';
import { accountDraftSchema, accountNameSchema } from './accountDraft.ts';
import { keysOf } from '../core/keysOf.ts';

interface PageCommand {
  readonly title: string;
  /** Keys of the command on every page; null if there are none. */
  readonly key: string | null;
  /** Whether the command opens a dialog before it does anything. */
  readonly opensDialog: boolean;
}

/** Commands of the page that work on every page: for the page, and for the menu of a host. */
export const pageCommands = {
  palette: { title: 'Search or run a command', key: 'Mod+K', opensDialog: true },
  targets: { title: 'Choose the target', key: 'Mod+Shift+K', opensDialog: true },
  shortcuts: { title: 'Keyboard shortcuts', key: 'Mod+/', opensDialog: false },
  'new-endpoint': { title: 'New endpoint', key: null, opensDialog: true },
  'new-pod': { title: 'Deploy a Pod', key: null, opensDialog: true },
  'new-account': { title: 'Add an account', key: null, opensDialog: true },
  back: { title: 'Back', key: null, opensDialog: false },
  forward: { title: 'Forward', key: null, opensDialog: false },
} as const satisfies Record<string, PageCommand>;
export type PageAction = keyof typeof pageCommands;

/** Initial values for the form of a new account. They never include a key. */
export const accountStartSchema = z.strictObject({
  preset: accountDraftSchema.shape.preset,
  name: accountNameSchema.or(z.literal('')),
  addresses: accountDraftSchema.shape.addresses,
});
export type AccountStart = z.infer<typeof accountStartSchema>;

export const hostMessageSchema = z.discriminatedUnion('type', [
  /** `address`: the address of a page, with its `#`. `accountId`: the account that becomes the target of the page. */
  z.strictObject({
    type: z.literal('open'),
    address: z.string().startsWith('#/').max(2000),
    accountId: z.string().optional(),
  }),
  z.strictObject({ type: z.literal('do'), action: z.enum(keysOf(pageCommands)) }),
  z.strictObject({ type: z.literal('new-account'), start: accountStartSchema }),
]);
export type HostMessage = z.infer<typeof hostMessageSchema>;
