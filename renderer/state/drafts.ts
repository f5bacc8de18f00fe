/** Drafts of requests for each endpoint: text and mode. They survive a reload. */
import { create } from 'zustand';
import * as z from 'zod';
import { runModes } from '#contract/app/ledger.ts';
import { personalSettings } from './personalSetting.ts';

/** By draft key: the text; null if the person has not changed it. */
export const draftText = personalSettings('draft', z.string(), null);
/** By draft key. */
export const runMode = personalSettings('mode', z.enum(runModes), 'run');

/** Drafts that are too large for the browser's storage; they last until the page is closed. */
const useUnstored = create<Record<string, boolean>>(() => ({}));

export const draftKey = (accountId: string, endpointId: string): string => `${accountId}/${endpointId}`;

export const useDraftUnstored = (key: string): boolean => useUnstored((drafts) => drafts[key] ?? false);

export function setDraft(key: string, text: string): void {
  const isStored = draftText.set(key, text);
  useUnstored.setState({ [key]: !isStored });
}
