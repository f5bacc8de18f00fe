/** Asks before an endpoint of a cloud is paused, which may stop running jobs. An engine of Hangar lets them end. */
import { useMutation } from '@tanstack/react-query';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import { useTarget } from '../../client/accounts.ts';
import { errorText } from '../../client/transport/orpc.ts';
import { pauseEndpoint } from '../../ui/endpoint/endpointPause.ts';
import { ConfirmDialog } from '../../ui/primitives/ConfirmDialog.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { counted, t } from '../../language/text.ts';

interface PauseDialogProps {
  accountId: string;
  row: EndpointRow;
  opened: boolean;
  onClose: () => void;
}

export function PauseDialog({ accountId, row, opened, onClose }: PauseDialogProps) {
  const { name: target } = useTarget();
  const { inQueue = 0, inProgress = 0 } = row.health?.jobs ?? {};
  const pause = useMutation({ mutationFn: () => pauseEndpoint(accountId, row), onSuccess: onClose });
  const close = () => {
    pause.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={t`Pause ${row.name}?`}
      action={t`Pause`}
      busy={pause.isPending}
      problem={pause.isError ? errorText(pause.error) : null}
      onConfirm={() => pause.mutate()}
    >
      <p>
        {t`It may have no workers until you resume it, and costs nothing.`}{' '}
        {row.type === 'LB'
          ? t`Requests to it are not served.`
          : t`New jobs wait in the queue. A job that waits longer than its time limit is removed.`}
      </p>
      {row.type === 'QB' && (
        <p>
          {inQueue > 0 && (
            <>{counted(inQueue, '{0} job stays in the queue.', '{0} jobs stay in the queue.', formatCount(inQueue))} </>
          )}
          {inProgress > 0 && (
            <b>
              {counted(inProgress, '{0} job runs now.', '{0} jobs run now.', formatCount(inProgress))}{' '}
              {t`Running jobs may be stopped before they end. That depends on ${target}.`}
            </b>
          )}
        </p>
      )}
    </ConfirmDialog>
  );
}
