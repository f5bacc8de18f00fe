/** What the person was about to send, for each endpoint: text and mode. Survives a reload. */
import { create } from 'zustand';
import type { RunMode } from '#contract/app/ledger.ts';
import { readStored, writeStored } from './stored.ts';

interface Drafts {
  texts: Record<string, string>;
  modes: Record<string, RunMode>;
  /** Drafts that were too large for the browser to keep; they live until the page is closed. */
  unkept: Record<string, boolean>;
}

const useDrafts = create<Drafts>(() => ({ texts: {}, modes: {}, unkept: {} }));

export const draftKey = (accountId: string, endpointId: string): string => `${accountId}/${endpointId}`;

/** The draft's text, or null where the person has not changed anything yet. */
export const useDraft = (key: string): string | null =>
  useDrafts((drafts) => drafts.texts[key]) ?? readStored(`draft.${key}`);

export const useDraftUnkept = (key: string): boolean => useDrafts((drafts) => drafts.unkept[key] ?? false);

export const useMode = (key: string): RunMode => {
  const mode = useDrafts((drafts) => drafts.modes[key]) ?? readStored(`mode.${key}`);
  return mode === 'runsync' ? 'runsync' : 'run';
};

export function setDraft(key: string, text: string): void {
  const kept = writeStored(`draft.${key}`, text);
  useDrafts.setState((drafts) => ({
    texts: { ...drafts.texts, [key]: text },
    unkept: { ...drafts.unkept, [key]: !kept },
  }));
}

export function setMode(key: string, mode: RunMode): void {
  writeStored(`mode.${key}`, mode);
  useDrafts.setState((drafts) => ({ modes: { ...drafts.modes, [key]: mode } }));
}
