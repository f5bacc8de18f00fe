/**
 * The page's procedures about its host program: what it is, and how its desktop behaves; part of the bridge contract.
 */
import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod';
import { crashedPartSchema, crashNoticeSchema } from '../app/crash.ts';
import { notificationKinds } from '../app/notices/notificationKinds.ts';
import { shownKeySchema } from './apiKey.ts';

/** The host program of the page. The page offers nothing that its host cannot do. */
export const hostInfoSchema = z.object({
  kind: z.enum(['electron', 'headless']),
  version: z.string(),
  platform: z.enum(['linux', 'darwin', 'win32', 'other']),
  dataDir: z.string(),
});
export type HostInfo = z.infer<typeof hostInfoSchema>;

/** A link that pairs one more browser with this Hangar. */
export const browserInviteSchema = z.object({
  /** The address that the link opens, without its token. */
  address: z.string(),
  /** Whether other computers reach it; otherwise they need an SSH tunnel. */
  isOpen: z.boolean(),
  /** When the link stops working, in milliseconds since the epoch. */
  until: z.number(),
  shown: shownKeySchema,
});
export type BrowserInvite = z.infer<typeof browserInviteSchema>;

/** A browser that is paired with this host. Times are milliseconds since the epoch. */
export const pairedBrowserSchema = z.object({
  id: z.string(),
  /** Its `User-Agent` when it was paired; null if it sent none, and for a pairing of an earlier version. */
  program: z.string().nullable(),
  pairedAt: z.number(),
  /** When the pairing ends by itself. */
  until: z.number(),
  /** Whether a page of it is open. */
  isOpen: z.boolean(),
  /** Whether it is the browser that asks. */
  isThis: z.boolean(),
});
export type PairedBrowser = z.infer<typeof pairedBrowserSchema>;

/** How the desktop program behaves beside its windows. The settings are independent: none changes another. */
export const desktopSettingsSchema = z.object({
  /** Whether Hangar shows its state in the tray or in the menu bar. */
  showTray: z.boolean().default(true),
  /** Whether Hangar continues without a window. It has an effect only while the tray shows, or on macOS. */
  closeToTray: z.boolean().default(false),
  /** Whether the person has decided about `closeToTray`; until then, the first close of the last window asks. */
  decidedClose: z.boolean().default(false),
  /** Whether the computer does not sleep by itself while it runs a job. */
  keepAwake: z.boolean().default(true),
  /** Whether the GPU draws the windows. A change has an effect at the next start. */
  drawWithGpu: z.boolean().default(true),
  notify: z
    .object({
      'job-ended': z.boolean().default(true),
      'job-failed': z.boolean().default(true),
      'paused-by-rule': z.boolean().default(true),
      'pod-idle': z.boolean().default(true),
      'pod-spending': z.boolean().default(true),
      'account-refused': z.boolean().default(true),
      'gpu-price': z.boolean().default(true),
    })
    .prefault({}),
});
export type DesktopSettings = z.infer<typeof desktopSettingsSchema>;

export const desktopStateSchema = z.object({
  settings: desktopSettingsSchema,
  /** The current setting of the system; a person can also change it there. */
  openAtLogin: z.boolean(),
  /** Why the tray does not show although the setting is on; null otherwise. */
  trayProblem: z.string().nullable(),
  /** Why Hangar cannot start at login; null if it can. */
  loginProblem: z.string().nullable(),
});
export type DesktopState = z.infer<typeof desktopStateSchema>;

export const desktopChangeSchema = z.object({
  showTray: z.boolean().optional(),
  closeToTray: z.boolean().optional(),
  keepAwake: z.boolean().optional(),
  drawWithGpu: z.boolean().optional(),
  openAtLogin: z.boolean().optional(),
  notify: z.partialRecord(z.enum(notificationKinds), z.boolean()).optional(),
});
export type DesktopChange = z.infer<typeof desktopChangeSchema>;

/** A folder of the computer of the host. Only a paired page asks: it may also run programs there. */
export const folderListingSchema = z.object({
  /** The absolute path of the folder. */
  path: z.string(),
  /** The rest of the requested path, below `path`, that is not a folder; empty if all of it is one. */
  rest: z.string(),
  /** Null for the root of a disk. */
  parent: z.string().nullable(),
  /** The home folder of the person. */
  home: z.string(),
  /** Folders first, then by name. */
  entries: z.array(z.object({ name: z.string(), isFolder: z.boolean() })),
  /** Whether it has more entries than the list. */
  isCut: z.boolean(),
});
export type FolderListing = z.infer<typeof folderListingSchema>;

export const hostContract = {
  info: oc.output(hostInfoSchema),
  /** How the desktop program behaves beside its windows; null if the host has no window. */
  desktop: oc.output(desktopStateSchema.nullable()),
  /** Answers the complete state after the change. Refused if the host has no window. */
  changeDesktop: oc.input(desktopChangeSchema).output(desktopStateSchema),
  /** Opens a folder dialog of the system. Null if the person cancels, or if the host has no such dialog. */
  pickFolder: oc.output(z.string().nullable()),
  /** The same for a file. */
  pickFile: oc.output(z.string().nullable()),
  /** Shows a file in the file manager of the system. UNSUPPORTED if the host has no window. */
  showFile: oc.input(z.object({ path: z.string().min(1).max(4096) })).output(z.void()),
  /**
   * Lists a folder of the computer of the host; of a path that is not there, the closest folder above. An empty path is
   * the home folder. Refused with a sentence if the path is not absolute, or if the folder cannot be read.
   */
  listFolder: oc.input(z.object({ path: z.string().max(4096) })).output(folderListingSchema),
  /** Creates a folder of the computer of the host. CONFLICT if it is there; refused with a sentence if it cannot be. */
  makeFolder: oc.input(z.object({ path: z.string().min(1).max(4096) })).output(z.void()),
  /**
   * Creates a link that pairs another browser, once, in place of the link before it. The host shows the link, because it is
   * worth full control. UNSUPPORTED for a page that was not opened on the computer of the host, and where the host has
   * a window of its own.
   */
  inviteBrowser: oc.output(browserInviteSchema),
  /** The newest first; empty for a host that serves no browsers. */
  browsers: oc.output(z.array(pairedBrowserSchema)),
  /** Ends the pairing of a browser, and the connections of its pages. */
  removeBrowser: oc.input(z.object({ id: z.string() })).output(z.void()),
  crashes: {
    /** The crashes that the person has not dismissed, the oldest first: now, then after each change. */
    watch: oc.output(eventIterator(z.array(crashNoticeSchema))),
    /** Removes the notice of a part; its report stays. */
    dismiss: oc.input(z.object({ part: crashedPartSchema })).output(z.void()),
    /** The text of the last report about the part; NOT_FOUND if there is none. */
    report: oc.input(z.object({ part: crashedPartSchema })).output(z.object({ text: z.string() })),
  },
};
