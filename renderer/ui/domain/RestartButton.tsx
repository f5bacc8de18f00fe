/**
 * Restarts the engine of this computer, and asks first while work runs on it. The reason of a failure is shown beside
 * the button.
 */
import { useMutation } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { requestRestart } from '../../client/engine.ts';
import { errorText, useConnection } from '../../client/transport/orpc.ts';
import { ReasonButton } from '../popover/ReasonButton.tsx';
import { t } from '../../language/text.ts';

export function RestartButton() {
  const connected = useConnection((connection) => connection.state === 'open');
  const restart = useMutation({ mutationFn: requestRestart });
  return (
    <>
      <ReasonButton
        size="xs"
        variant="default"
        leftSection={<RotateCw size={12} aria-hidden />}
        whyNot={connected ? null : t`Not connected to Hangar.`}
        loading={restart.isPending}
        onClick={() => restart.mutate()}
      >{t`Restart the engine`}</ReasonButton>
      {restart.isError && <span role="alert">{errorText(restart.error)}</span>}
    </>
  );
}
