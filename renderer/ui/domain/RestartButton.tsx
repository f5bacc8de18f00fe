/** Restarts the engine of this computer. The reason of a failure is shown beside the button. */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { restartEngine } from '../../client/engine.ts';
import { errorText, useConnection } from '../../client/transport/orpc.ts';
import { t } from '../../language/text.ts';

export function RestartButton() {
  const connected = useConnection((connection) => connection.state === 'open');
  const restart = useMutation({ mutationFn: restartEngine });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<RotateCw size={12} aria-hidden />}
        disabled={!connected}
        loading={restart.isPending}
        onClick={() => restart.mutate()}
      >{t`Restart the engine`}</Button>
      {restart.isError && <span role="alert">{errorText(restart.error)}</span>}
    </>
  );
}
