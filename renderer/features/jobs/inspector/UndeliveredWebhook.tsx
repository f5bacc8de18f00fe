/** Says that the webhook of a job was not delivered, and why, and sends it again. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { useIsRemoved } from '../../../client/accounts.ts';
import { api, errorText, orpc, queryClient } from '../../../client/transport/orpc.ts';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { Notice } from '../../../ui/primitives/Notice.tsx';
import { removedWords } from '../jobActions.ts';
import { joinSentences } from '../../../language/sentences.ts';
import { t } from '../../../language/text.ts';

/** Nothing for a job whose webhook was delivered, is still to be delivered, or does not exist. */
export function UndeliveredWebhook({ entry }: { entry: LedgerEntry }) {
  const { entryId, webhookProblem: problem } = entry;
  if (problem === null) return null;
  return <Undelivered key={entryId} entry={entry} problem={problem} />;
}

function Undelivered({ entry, problem }: { entry: LedgerEntry; problem: string }) {
  const input = { entryId: entry.entryId };
  const isRemoved = useIsRemoved()(entry.accountId);
  const { data, isError, error } = useQuery(orpc.jobs.webhooks.queryOptions({ input, retry: false }));
  const failed = data?.webhooks.find(({ state }) => state === 'failed');
  const send = useMutation({
    mutationFn: (webhookId: string) => api.jobs.redeliver({ ...input, webhookId }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: orpc.jobs.webhooks.key({ input }) }),
  });
  const unread = isError ? errorText(error) : t`It is being read.`;
  return (
    <Notice
      tone="bad"
      title={t`Its webhook was not delivered.`}
      action={
        <ReasonButton
          size="xs"
          variant="default"
          leftSection={<RotateCw size={12} aria-hidden />}
          whyNot={isRemoved ? removedWords(entry) : failed === undefined ? unread : null}
          loading={send.isPending}
          onClick={() => failed && send.mutate(failed.id)}
        >{t`Send again`}</ReasonButton>
      }
    >
      {joinSentences(problem, send.isError && errorText(send.error))}
    </Notice>
  );
}
