/** The button at a job of the list of last runs: its input takes the place of what is written beside it. */
import { useMutation } from '@tanstack/react-query';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { LedgerEntry } from '#contract/app/ledger.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import { indentLine } from '../../ui/job/jsonText.ts';
import { replaceDraft } from '../../ui/undo/replaceDraft.ts';
import { t } from '../../language/text.ts';

interface UseItsInputProps {
  entry: LedgerEntry;
  draftKey: string;
}

export function UseItsInput({ entry: { entryId, endpointName }, draftKey }: UseItsInputProps) {
  const read = useMutation({
    mutationFn: async () => {
      const body = await api.jobs.body({ entryId });
      // The record of a script's job may have none.
      if (body === '') throw new Error(t`Its input was not recorded.`);
      return body;
    },
    onSuccess: (body) =>
      replaceDraft(draftKey, {
        text: indentLine(body),
        replaced: t`Replaced the input of ${endpointName} with that of the job`,
        taken: t`The input is that of the job`,
      }),
    onError: (error) =>
      notifications.show({ title: t`The input was not read`, message: errorText(error), 'data-tone': 'bad' }),
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={read.isPending}
      title={t`The input beside it may be another one`}
      onClick={() => read.mutate()}
    >{t`Use its input`}</Button>
  );
}
