/** What a person can do with one job: stop it, run it again, change its input first, or remove it. */
import { useEffect, useState } from 'react';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { RotateCcw, Square, Trash2 } from 'lucide-react';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { THIS_MACHINE, type Account } from '#contract/app/account.ts';
import { isOver } from '#contract/app/jobs/times.ts';
import { useAccounts, useIsRemoved } from '../../../client/accounts.ts';
import { newId } from '../../../client/newId.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { useCommands } from '../../../state/commands.ts';
import { navigate } from '../../../state/route.ts';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { removeJobs } from '../../../ui/undo/removedJobs.ts';
import { useNow } from '../../../ui/primitives/useNow.ts';
import { removedWords, whyNoNewRun, whyNoRetry } from '../jobActions.ts';
import { EditAndRun } from './EditAndRun.tsx';
import { editAndRunOn } from './editJob.ts';
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

export function JobActions({ entry, body, onRemoved }: ActionsProps) {
  const over = isOver(entry);
  const justEnded = useJustEnded(over);
  const cancel = useMutation({
    mutationFn: () => api.jobs.cancel({ entryId: entry.entryId }),
    onError: fail(t`Not cancelled`),
  });
  const isRemoved = useIsRemoved()(entry.accountId);
  const edit = () => {
    if (body !== undefined) void editAndRunOn(isRemoved ? THIS_MACHINE : entry.accountId, entry, body);
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
        <EditAndRun entry={entry} body={body} isRemoved={isRemoved} onEdit={edit} />
      )}
      {over && <Remove entry={entry} onRemoved={onRemoved} />}
    </>
  );
}

/** What Retry does. A job is retried on its own account, which the target of the window does not name. */
function retryWords(isSameJob: boolean, account: Account | undefined): string {
  if (account?.kind !== 'cloud')
    return isSameJob ? t`Runs the same job once more` : t`Runs the same input as a new job`;
  const { name } = account;
  return isSameJob
    ? t`Runs the same job once more on ${name}, which costs money`
    : t`Runs the same input as a new job on ${name}, which costs money`;
}

/** Runs at once: as one more attempt of the same job where its service can do that, else as a new job. */
function Retry({ entry, body, justEnded }: Pick<ActionsProps, 'entry' | 'body'> & { justEnded: boolean }) {
  const { entryId, accountId, endpointId, endpointName, mode } = entry;
  const noRetry = whyNoRetry(entry, useNow(MINUTE_MS));
  const isRemoved = useIsRemoved()(accountId);
  const account = useAccounts()?.find(({ id }) => id === accountId);
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
      hint={retryWords(noRetry === null, account)}
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
