/** Sends a job once more of which nobody knows whether the service has it: not without saying what that may come to. */
import { useState } from 'react';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { topLevelSpans } from '#contract/core/jsonScanner.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useAccounts } from '../../client/accounts.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import { newEntryId } from '../../client/newEntryId.ts';
import { navigate } from '../../state/route.ts';
import { accountInSentence } from '../../ui/text/accountName.ts';
import { ConfirmDialog } from '../../ui/primitives/ConfirmDialog.tsx';

interface SendAgainProps {
  entry: LedgerEntry;
  /** Undefined until it is read. */
  body: string | undefined;
  /** Opens its input on the page Run. */
  onEdit: () => void;
}

export function SendAgain({ entry, body, onEdit }: SendAgainProps) {
  const [asking, setAsking] = useState(false);
  const { accountId, accountName, endpointId, endpointName, mode } = entry;
  const spends = useAccounts()?.find(({ id }) => id === accountId)?.kind === 'cloud';
  // What opens a storage is not kept, so such a job cannot be sent as it was.
  const lacksSecrets = body !== undefined && topLevelSpans(body).has('s3Config');
  const send = useMutation({
    mutationFn: () =>
      api.jobs.submit({ entryId: newEntryId(), accountId, endpointId, endpointName, mode, body: body ?? '' }),
    onSuccess({ entryId }) {
      setAsking(false);
      navigate({ page: 'jobs', entryId });
    },
  });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<Send size={12} aria-hidden />}
        disabled={body === undefined}
        onClick={() => setAsking(true)}
      >
        Send again…
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={`Send it to ${endpointName} again?`}
        action={lacksSecrets ? 'Open it on the page Run' : 'Send again'}
        busy={send.isPending}
        problem={send.isError ? errorText(send.error) : null}
        onConfirm={() => (lacksSecrets ? onEdit() : send.mutate())}
      >
        <p>
          No answer came, so nobody knows whether {accountInSentence(accountId, accountName)} has this job. If it does,
          it runs there now or has run, and sent again it <b>runs twice</b>
          {spends && ' and costs twice'}.
        </p>
        {lacksSecrets && <p>The keys of its storage (s3Config) were not kept: type them in before it is sent.</p>}
      </ConfirmDialog>
    </>
  );
}
