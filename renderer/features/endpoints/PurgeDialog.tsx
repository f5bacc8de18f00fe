/** Asks before the waiting jobs of an endpoint are removed: how many, exactly, and what stays. */
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import { ConfirmDialog } from '../../ui/primitives/ConfirmDialog.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { jobsWord } from './jobsWord.ts';
import { endpointsChanged } from '../../ui/endpoint/endpointsChanged.ts';
import { counted, t } from '../../language/text.ts';

interface PurgeDialogProps {
  accountId: string;
  row: EndpointRow;
  opened: boolean;
  onClose: () => void;
}

export function PurgeDialog({ accountId, row, opened, onClose }: PurgeDialogProps) {
  const waiting = row.health?.jobs.inQueue ?? 0;
  const running = row.health?.jobs.inProgress ?? 0;
  const purge = useMutation({
    mutationFn: () => api.endpoints.purge({ accountId, endpointId: row.id }),
    onSuccess: async ({ removed }) => {
      onClose();
      notifications.show({ title: t`Removed ${jobsWord(removed)}`, message: t`The queue of ${row.name} is empty.` });
      await endpointsChanged();
    },
  });
  const close = () => {
    purge.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={t`Purge the queue of ${row.name}?`}
      action={waiting === 0 ? t`Purge` : t`Remove ${jobsWord(waiting)}`}
      busy={purge.isPending}
      problem={purge.isError ? errorText(purge.error) : null}
      onConfirm={() => purge.mutate()}
    >
      <p>
        <b>
          {waiting === 0
            ? t`No jobs are waiting.`
            : counted(
                waiting,
                '{0} job waits and will be cancelled.',
                '{0} jobs wait and will be cancelled.',
                formatCount(waiting),
              )}
        </b>{' '}
        {t`Jobs that arrive before you confirm are removed, too. This cannot be undone.`}
      </p>
      <p>
        {running === 0
          ? t`None are running.`
          : counted(running, '{0} running job continues.', '{0} running jobs continue.', formatCount(running))}
      </p>
    </ConfirmDialog>
  );
}
