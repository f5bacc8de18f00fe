/** Asks before the engine of this computer restarts while work runs on it, and says what happens to that work. */
import { useMutation } from '@tanstack/react-query';
import { restartEngine } from '../../client/engine.ts';
import { errorText } from '../../client/transport/orpc.ts';
import { closeRestart, useOverlays } from '../../state/overlays.ts';
import { ConfirmDialog } from '../../ui/primitives/ConfirmDialog.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { counted, t } from '../../language/text.ts';

export default function RestartDialog() {
  const work = useOverlays(({ restart }) => restart);
  const restart = useMutation({ mutationFn: restartEngine, onSuccess: closeRestart });
  const close = () => {
    restart.reset();
    closeRestart();
  };
  return (
    <ConfirmDialog
      opened={work !== null}
      onClose={close}
      title={t`Restart the engine?`}
      action={t`Restart`}
      busy={restart.isPending}
      problem={restart.isError ? errorText(restart.error) : null}
      onConfirm={() => restart.mutate()}
    >
      {work !== null && work.jobs > 0 && (
        <p>
          <b>{counted(work.jobs, '{0} job runs.', '{0} jobs run.', formatCount(work.jobs))}</b>{' '}
          {t`The restart stops the workers of this computer. Jobs that do not finish immediately go back to the queue and start over after the restart. Requests from OpenAI clients end.`}
        </p>
      )}
      {work !== null && work.terminals > 0 && (
        <p>
          {counted(
            work.terminals,
            '{0} terminal in a Pod or a worker closes.',
            '{0} terminals in Pods and workers close.',
            formatCount(work.terminals),
          )}
        </p>
      )}
      <p>{t`Waiting jobs stay in the queue, and Pods keep running.`}</p>
    </ConfirmDialog>
  );
}
