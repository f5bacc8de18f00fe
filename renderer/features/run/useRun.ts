/** Sends and stops jobs of one endpoint; what goes wrong is told where the person looks. */
import { useRef } from 'react';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { RunMode } from '#contract/app/ledger.ts';
import { useJobChanges } from '../../client/jobChanges.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import { showEntry } from '../../state/selection.ts';

interface RunRequest {
  accountId: string;
  endpointId: string;
  mode: RunMode;
  body: string;
  draftKey: string;
}

export function useRun() {
  // Waiting for a result answers only at the job's end; the ledger tells of it at once.
  const expected = useRef<RunRequest | null>(null);
  useJobChanges((changed) => {
    const request = expected.current;
    const entry = changed.find(
      (each) =>
        each.status === 'SENDING' &&
        each.endpointId === request?.endpointId &&
        each.accountId === request.accountId &&
        each.mode === request.mode,
    );
    if (!request || !entry) return;
    expected.current = null;
    showEntry(request.draftKey, entry.entryId);
  });

  const submit = useMutation({
    mutationFn: ({ draftKey: _, ...request }: RunRequest) => api.jobs.submit(request),
    onMutate: (request) => {
      expected.current = request;
    },
    onSuccess: (entry, { draftKey, mode }) => {
      // By then the person may look at another run.
      if (mode === 'run' || expected.current !== null) showEntry(draftKey, entry.entryId);
    },
    onError: (error) => notifications.show({ title: 'Not sent', message: errorText(error), 'data-tone': 'bad' }),
    onSettled: () => {
      expected.current = null;
    },
  });
  const cancel = useMutation({
    mutationFn: (entryId: string) => api.jobs.cancel({ entryId }),
    onError: (error) => notifications.show({ title: 'Not stopped', message: errorText(error), 'data-tone': 'bad' }),
  });
  return { submit, cancel };
}
