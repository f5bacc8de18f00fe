/** Opens Run with the input of a job: on the account that had the job, or on another one. */
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { api } from '../../../client/transport/orpc.ts';
import { draftKey, runMode } from '../../../state/drafts.ts';
import { navigate } from '../../../state/route.ts';
import { lastEndpoint, shownEntry, targetAccount } from '../../../state/selection.ts';
import { indentLine } from '../../../ui/job/jsonText.ts';
import { replaceDraft } from '../../../ui/undo/replaceDraft.ts';
import { t } from '../../../language/text.ts';

/** Opens Run with the input of the job and no result. */
export function editAndRun({ accountId, endpointId, endpointName, mode }: LedgerEntry, body: string): void {
  targetAccount.set(accountId);
  const key = draftKey(accountId, endpointId);
  // Scripts send it on one line, which nobody can edit well.
  replaceDraft(key, {
    text: indentLine(body),
    replaced: t`Replaced the input of ${endpointName} with that of the job`,
  });
  runMode.set(key, mode);
  shownEntry.set(key, null);
  navigate({ page: 'run', endpointId });
}

/** The same on any account: with its endpoint of the same name, or else the one that was used last there. */
export async function editAndRunOn(accountId: string, entry: LedgerEntry, body: string): Promise<void> {
  if (accountId === entry.accountId) return editAndRun(entry, body);
  const endpoints = await api.endpoints.list({ accountId }).catch(() => []);
  const last = lastEndpoint.get(accountId);
  const chosen =
    endpoints.find(({ name }) => name === entry.endpointName) ??
    endpoints.find(({ id }) => id === last) ??
    endpoints.find(({ available }) => available);
  if (chosen) return editAndRun({ ...entry, accountId, endpointId: chosen.id, endpointName: chosen.name }, body);
  targetAccount.set(accountId);
  return navigate({ page: 'run', endpointId: null });
}
