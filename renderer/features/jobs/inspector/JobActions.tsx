/** What a person can do with one job: stop it, run it again, change its input first, or remove it. */
import { useEffect, useState } from 'react';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Pencil, RotateCcw, Square, Trash2 } from 'lucide-react';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { useIsRemoved } from '../../../client/accounts.ts';
import { newId } from '../../../client/newId.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { useCommands } from '../../../state/commands.ts';
import { draftKey, runMode } from '../../../state/drafts.ts';
import { navigate } from '../../../state/route.ts';
import { lastEndpoint, shownEntry, targetAccount } from '../../../state/selection.ts';
import { indentLine } from '../../../ui/job/jsonText.ts';
import { isOver } from '../../../ui/job/timeline.ts';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { removeJobs } from '../../../ui/undo/removedJobs.ts';
import { replaceDraft } from '../../../ui/undo/replaceDraft.ts';
import { useNow } from '../../../ui/primitives/useNow.ts';
import { removedWords, whyNoNewRun, whyNoRetry } from '../jobActions.ts';
import { SendAgain } from './SendAgain.tsx';
import { t } from '../../../language/text.ts';

const MINUTE_MS = 60_000;

/** So long after the end of a job Retry takes no click, in milliseconds: the second click on Cancel would be one. */
const UNCLICKED_MS = 1000;

const fail = (title: string) => (error: unknown) =>
  notifications.show({ title, message: errorText(error), 'data-tone': 'bad' });

interface ActionsProps {
  entry: LedgerEntry;
  /** Undefined until it is loaded. */
  body: string | undefined;
  onRemoved: (entryId: string) => void;
}

/** Opens Run with the input of the job and no result. */
function editAndRun({ accountId, endpointId, endpointName, mode }: LedgerEntry, body: string): void {
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

/** Whether the job ended a moment ago while it was shown. */
function useJustEnded(over: boolean): boolean {
  const [wasOver, setWasOver] = useState(over);
  const [isNew, setNew] = useState(false);
  if (wasOver !== over) {
    setWasOver(over);
    setNew(over);
  }
  useEffect(() => {
    if (!isNew) return undefined;
    const timer = setTimeout(() => setNew(false), UNCLICKED_MS);
    return () => clearTimeout(timer);
  }, [isNew]);
  return isNew;
}

/** The same on this computer: with its endpoint of the same name, or the one that was used last. */
async function editAndRunHere(entry: LedgerEntry, body: string): Promise<void> {
  const endpoints = await api.endpoints.list({ accountId: THIS_MACHINE }).catch(() => []);
  const last = lastEndpoint.get(THIS_MACHINE);
  const chosen =
    endpoints.find(({ name }) => name === entry.endpointName) ??
    endpoints.find(({ id }) => id === last) ??
    endpoints.find(({ available }) => available);
  if (chosen)
    return editAndRun({ ...entry, accountId: THIS_MACHINE, endpointId: chosen.id, endpointName: chosen.name }, body);
  targetAccount.set(THIS_MACHINE);
  return navigate({ page: 'run', endpointId: null });
}

export function JobActions({ entry, body, onRemoved }: ActionsProps) {
  const over = isOver(entry);
  const justEnded = useJustEnded(over);
  const cancel = useMutation({
    mutationFn: () => api.jobs.cancel({ entryId: entry.entryId }),
    onError: fail(t`Not cancelled`),
  });
  const isRemoved = useIsRemoved()(entry.accountId);
  const edit = () => {
    if (body === undefined) return;
    if (isRemoved) void editAndRunHere(entry, body);
    else editAndRun(entry, body);
  };
  useCommands([
    !over && { label: t`Cancel the job`, run: () => cancel.mutate() },
    body !== undefined && body !== '' && { label: t`Edit and run the job`, run: edit },
  ]);
  return (
    <>
      {!over && (
        <Button
          size="xs"
          variant="default"
          leftSection={<Square size={10} fill="currentColor" aria-hidden />}
          loading={cancel.isPending}
          onClick={() => cancel.mutate()}
        >{t`Cancel`}</Button>
      )}
      {over && entry.status !== 'UNANSWERED' && <Retry entry={entry} body={body} justEnded={justEnded} />}
      {entry.status === 'UNANSWERED' ? (
        <SendAgain entry={entry} body={body} onEdit={edit} />
      ) : (
        <ReasonButton
          size="xs"
          variant="default"
          leftSection={<Pencil size={12} aria-hidden />}
          whyNot={
            body === undefined ? t`Its input is being read.` : body === '' ? t`Its input was not recorded.` : null
          }
          onClick={edit}
        >
          {isRemoved ? t`Edit and run here…` : t`Edit and run…`}
        </ReasonButton>
      )}
      {over && <Remove entry={entry} onRemoved={onRemoved} />}
    </>
  );
}

/** Runs at once: as one more attempt of the same job where its service can do that, else as a new job. */
function Retry({ entry, body, justEnded }: Pick<ActionsProps, 'entry' | 'body'> & { justEnded: boolean }) {
  const { entryId, accountId, endpointId, endpointName, mode } = entry;
  const noRetry = whyNoRetry(entry, useNow(MINUTE_MS));
  const isRemoved = useIsRemoved()(accountId);
  const noNewRun = body === undefined ? t`Its input is being read.` : whyNoNewRun(body);
  const reason = isRemoved ? removedWords(entry) : noRetry === null ? null : noNewRun;
  const retry = useMutation({
    mutationFn: () =>
      noRetry === null
        ? api.jobs.retry({ entryId })
        : api.jobs.submit({
            entryId: newId(),
            accountId,
            endpointId,
            endpointName,
            mode,
            body: body ?? '',
            retryOf: entryId,
          }),
    onError: fail(t`Not run again`),
  });
  const run = () => {
    // The list and the job show it before its result.
    retry.mutate(undefined, { onSuccess: (next) => navigate({ page: 'jobs', entryId: next.entryId }) });
  };
  useCommands([reason === null && { label: t`Retry the job`, run }]);
  return (
    <ReasonButton
      size="xs"
      variant="default"
      leftSection={<RotateCcw size={12} aria-hidden />}
      whyNot={reason ?? (justEnded ? t`The job has just ended.` : null)}
      hint={noRetry === null ? t`Runs the same job once more` : t`Runs the same input as a new job`}
      loading={retry.isPending}
      onClick={run}
    >{t`Retry`}</ReasonButton>
  );
}

function Remove({ entry, onRemoved }: Pick<ActionsProps, 'entry' | 'onRemoved'>) {
  const remove = useMutation({
    mutationFn: () => removeJobs([entry.entryId]),
    onSuccess: () => onRemoved(entry.entryId),
    onError: fail(t`Not removed`),
  });
  useCommands([!remove.isPending && { label: t`Remove the job from this computer`, run: () => remove.mutate() }]);
  const label = t`Remove from this computer`;
  return (
    <Tooltip label={label}>
      <ActionIcon size={26} aria-label={label} loading={remove.isPending} onClick={() => remove.mutate()}>
        <Trash2 size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
