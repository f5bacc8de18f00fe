/** The button that opens the sheet for a Pod with a GPU type, or says why no Pod can be made. */
import type { ButtonProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useHasMachine, machineOptions } from '../../client/machine.ts';
import { openNewPod } from '../../state/overlays.ts';
import { navigate, useRoute } from '../../state/route.ts';
import { targetAccount } from '../../state/selection.ts';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import type { GpuRow } from './gpuRows.ts';
import { t } from '../../language/text.ts';

/** Opens the sheet for a new Pod with a GPU type. The Pod is for the target account. */
export function deployOn(gpuTypeId: string): void {
  const from = useRoute.getState();
  navigate({ page: 'pods', podId: null, tab: 'logs' });
  openNewPod({ gpuTypeId, from });
}

/** Why the target can have no Pods, for a person; null where it can, and until that is known. */
export function useWhyNoPod(): string | null {
  const accountId = targetAccount.use();
  const { data } = useQuery({ ...machineOptions(accountId), enabled: useHasMachine() === true, retry: false });
  return data?.containers.available === false
    ? t`Pods need a container engine. The Pods page says how to get one.`
    : null;
}

interface DeployButtonProps extends Pick<ButtonProps, 'size' | 'variant'> {
  row: Pick<GpuRow, 'id' | 'stock'>;
  /** Its name for a screen reader, where several such buttons are on the page. */
  label?: string;
}

export function DeployButton({ row: { id, stock }, label, ...button }: DeployButtonProps) {
  const whyNoPod = useWhyNoPod();
  return (
    <ReasonButton
      {...button}
      {...(label !== undefined && { 'aria-label': label })}
      whyNot={stock === 'None' ? t`None is free now` : whyNoPod}
      onClick={() => deployOn(id)}
    >{t`Deploy…`}</ReasonButton>
  );
}
