/** Sends a job again after a lost answer. A dialog first warns that the service may already have the job. */
import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { topLevelSpans } from '#contract/core/jsonScanner.ts';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useAccounts } from '../../../client/accounts.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { newId } from '../../../client/newId.ts';
import { navigate } from '../../../state/route.ts';
import { accountTitle } from '../../../ui/text/accountName.ts';
import { ConfirmDialog } from '../../../ui/primitives/ConfirmDialog.tsx';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { t } from '../../../language/text.ts';

interface SendAgainProps {
  entry: LedgerEntry;
  /** Undefined until it is loaded. */
  body: string | undefined;
  /** Opens its input on the Run page. */
  onEdit: () => void;
}

export function SendAgain({ entry, body, onEdit }: SendAgainProps) {
  const [asking, setAsking] = useState(false);
  const { accountId, accountName, endpointId, endpointName, mode } = entry;
  const spends = useAccounts()?.find(({ id }) => id === accountId)?.kind === 'cloud';
  const account = accountTitle(accountId, accountName);
  // Storage secrets are not stored, so such a job cannot be sent unchanged.
  const lacksSecrets = body !== undefined && topLevelSpans(body).has('s3Config');
  const send = useMutation({
    mutationFn: () =>
      api.jobs.submit({
        entryId: newId(),
        accountId,
        endpointId,
        endpointName,
        mode,
        body: body ?? '',
        retryOf: entry.entryId,
      }),
    onSuccess({ entryId }) {
      setAsking(false);
      navigate({ page: 'jobs', entryId });
    },
  });
  return (
    <>
      <ReasonButton
        size="xs"
        variant="default"
        leftSection={<Send size={12} aria-hidden />}
        whyNot={body === undefined ? t`Its input is being read.` : null}
        onClick={() => setAsking(true)}
      >{t`Send again…`}</ReasonButton>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t`Send it to ${endpointName} again?`}
        action={lacksSecrets ? t`Open it on the Run page` : t`Send again`}
        busy={send.isPending}
        problem={send.isError ? errorText(send.error) : null}
        onConfirm={() => (lacksSecrets ? onEdit() : send.mutate())}
      >
        <p>
          {spends
            ? t`${account} did not answer, so it may already have this job. If you send it again, it may run twice and cost twice as much.`
            : t`${account} did not answer, so it may already have this job. If you send it again, it may run twice.`}
        </p>
        {lacksSecrets && <p>{t`Its storage keys (s3Config) were not saved. Enter them before you send it.`}</p>}
      </ConfirmDialog>
    </>
  );
}
