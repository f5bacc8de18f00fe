/** The choices for the installation of a ready version. */
import { useMutation } from '@tanstack/react-query';
import type { UpdatePlan, UpdateStatus } from '#contract/bridge/updates.ts';
import { chooseUpdate } from '../../client/updates.ts';
import { errorText, useConnection } from '../../client/transport/orpc.ts';
import { ReasonButton } from '../popover/ReasonButton.tsx';
import { t } from '../../language/text.ts';

const labels: Record<UpdatePlan, string> = { now: t`Install now`, 'at-quit': t`Install at quit`, later: t`Later` };

/** All choices while it is ready; while it waits, only those that end the wait. */
export function UpdateChoices({ status: { state, plan } }: { status: UpdateStatus }) {
  const connected = useConnection((connection) => connection.state === 'open');
  const choose = useMutation({ mutationFn: chooseUpdate });
  if (state !== 'ready' && state !== 'waiting') return null;
  const plans = (['now', 'at-quit', 'later'] as const).filter((one) => one !== plan);
  return (
    <>
      {plans.map((one) => (
        <ReasonButton
          key={one}
          size="xs"
          variant={one === 'now' ? 'filled' : 'default'}
          whyNot={!connected ? t`Not connected to Hangar.` : choose.isPending ? t`Your choice is being saved.` : null}
          onClick={() => choose.mutate(one)}
        >
          {labels[one]}
        </ReasonButton>
      ))}
      {choose.isError && <span role="alert">{errorText(choose.error)}</span>}
    </>
  );
}
