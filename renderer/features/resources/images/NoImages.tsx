/** In place of the list of images while there are none: how they come, or why there can be none. */
import { queryClient } from '../../../client/transport/orpc.ts';
import { machineOptions } from '../../../client/machine.ts';
import { NoContainers } from '../../../ui/images/NoContainers.tsx';
import { Empty } from '../../../ui/primitives/Notice.tsx';
import { useContainers } from './useContainers.ts';
import { t } from '../../../language/text.ts';

export function NoImages({ accountId, target }: { accountId: string; target: string }) {
  const { containers } = useContainers(accountId);
  if (containers?.available === false) {
    const check = () => queryClient.invalidateQueries({ queryKey: machineOptions(accountId).queryKey });
    const title = t`No container engine answers on ${target}`;
    return <NoContainers title={title} problem={containers.problem ?? ''} check={check} />;
  }
  return (
    <Empty
      title={t`No images on ${target}`}
    >{t`Images are pulled when a Pod or worker first needs them. You can also pull an image by name in advance.`}</Empty>
  );
}
