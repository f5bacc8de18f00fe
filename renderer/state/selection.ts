/** What is chosen: the account that everything goes to, the endpoint last used, and the job each endpoint shows. */
import { create } from 'zustand';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { readStored, writeStored } from './stored.ts';

interface Selection {
  accountId: string;
  /** By draft key; null where the person has closed the job. */
  shown: Record<string, string | null>;
}

export const useSelection = create<Selection>(() => ({ accountId: readStored('account') ?? THIS_MACHINE, shown: {} }));

/** From now on everything goes there. */
export function chooseAccount(accountId: string): void {
  writeStored('account', accountId);
  useSelection.setState({ accountId });
}

/** The job that the Run page shows for an endpoint. Kept, so that a reload comes back to a running job. */
export const useShownEntry = (key: string): string | null =>
  useSelection((selection) => (key in selection.shown ? (selection.shown[key] ?? null) : readStored(`shown.${key}`)));

export function showEntry(key: string, entryId: string | null): void {
  writeStored(`shown.${key}`, entryId);
  useSelection.setState((selection) => ({ shown: { ...selection.shown, [key]: entryId } }));
}

export const lastEndpoint = (accountId: string): string | null => readStored(`endpoint.${accountId}`);
export const rememberEndpoint = (accountId: string, endpointId: string): void =>
  void writeStored(`endpoint.${accountId}`, endpointId);
