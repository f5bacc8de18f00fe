/** Sends and stops jobs of one endpoint, and has the reason of a failure for the Run page. */
import { useRef } from 'react';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { RunMode } from '#contract/app/ledger.ts';
import { useJobChanges } from '../../client/jobs/jobChanges.ts';
import { newId } from '../../client/newId.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import { shownEntry } from '../../state/selection.ts';
import { t } from '../../language/text.ts';

interface RunRequest {
  accountId: string;
  endpointId: string;
  endpointName: string;
  mode: RunMode;
  body: string;
  draftKey: string;
}

export function useRun() {
  /** What was sent and is not shown yet: the draft of each entry. */
  const unshown = useRef(new Map<string, string>());
  const show = (entryId: string) => {
    const draftKey = unshown.current.get(entryId);
    // By then the person may look at another run, so each is shown once.
    if (!unshown.current.delete(entryId) || draftKey === undefined) return;
    shownEntry.set(draftKey, entryId);
  };
  // Waiting for a result answers only at the job's end; the ledger tells of it at once.
  useJobChanges((changed) => changed.forEach(({ entryId }) => show(entryId)));

  const send = useMutation({
    mutationFn: ({ draftKey: _, ...submission }: RunRequest & { entryId: string }) => api.jobs.submit(submission),
    onMutate: ({ entryId, draftKey }) => void unshown.current.set(entryId, draftKey),
    onSuccess: ({ entryId }) => show(entryId),
    onError: (error) => notifications.show({ title: t`Not sent`, message: errorText(error), 'data-tone': 'bad' }),
    onSettled: (_, __, { entryId }) => void unshown.current.delete(entryId),
  });
  const cancel = useMutation({
    mutationFn: (entryId: string) => api.jobs.cancel({ entryId }),
    onError: (error) => notifications.show({ title: t`Not stopped`, message: errorText(error), 'data-tone': 'bad' }),
  });
  return {
    submit: (request: RunRequest) => send.mutate({ ...request, entryId: newId() }),
    isSending: send.isPending,
    cancel,
  };
}
