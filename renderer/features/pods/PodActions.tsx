/** Actions for a Pod: open a terminal, start or stop it, and a menu of others. */
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Ellipsis, Eraser, ExternalLink, Play, RotateCw, Square, SquareTerminal, Trash2 } from 'lucide-react';
import type { PodLack, PodRow } from '#contract/bridge/pod.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import { useCommands } from '../../state/commands.ts';
import { navigate } from '../../state/route.ts';
import { formatPerHour } from '../../ui/text/money.ts';
import { httpPortsOf, type HttpPort } from './podState.ts';
import { lockedWords, type ConfirmedChange } from './podChanges.ts';
import { podsChanged } from './usePodsNow.ts';
import { t } from '../../language/text.ts';

interface PodActionsProps {
  accountId: string;
  /** Whether its terminals use SSH. */
  overSsh: boolean;
  /** Whether running costs money. */
  spends: boolean;
  lacks: readonly PodLack[];
  row: PodRow;
  /** Opens the confirmation dialog. */
  onAsk: (kind: ConfirmedChange) => void;
}

export function PodActions({ accountId, overSsh, spends, lacks, row, onAsk }: PodActionsProps) {
  const { pod } = row;
  const [firstPort, ...otherPorts] = httpPortsOf(row);
  const isRunning = pod.desiredStatus === 'RUNNING';
  const hasTerminal = overSsh ? isRunning : row.facts?.runtime != null;
  const noReset = lacks.some(({ what }) => what === 'reset');
  useCommands([
    hasTerminal && {
      label: t`Terminal in ${pod.name}`,
      run: () => navigate({ page: 'terminals', podId: pod.id }),
    },
    isRunning && !pod.locked && { label: t`Stop ${pod.name}…`, run: () => onAsk('stop') },
    isRunning && { label: t`Restart ${pod.name}…`, run: () => onAsk('restart') },
    !pod.locked && !noReset && { label: t`Reset ${pod.name}…`, run: () => onAsk('reset') },
    !pod.locked && { label: t`Delete ${pod.name}…`, run: () => onAsk('remove') },
  ]);
  return (
    <>
      {firstPort && (
        <Button
          size="xs"
          variant="default"
          component="a"
          href={firstPort.address}
          target="_blank"
          rel="noreferrer"
          rightSection={<ExternalLink size={12} aria-label={t`opens in a new window`} />}
        >{t`Open port ${firstPort.port}`}</Button>
      )}
      {hasTerminal && (
        <Button
          size="xs"
          variant="default"
          leftSection={<SquareTerminal size={12} aria-hidden />}
          onClick={() => navigate({ page: 'terminals', podId: pod.id })}
        >{t`Terminal`}</Button>
      )}
      {isRunning ? (
        <Tooltip label={lockedWords} disabled={!pod.locked}>
          <Button
            size="xs"
            variant="default"
            leftSection={<Square size={11} aria-hidden />}
            disabled={pod.locked}
            onClick={() => onAsk('stop')}
          >{t`Stop…`}</Button>
        </Tooltip>
      ) : (
        <StartButton accountId={accountId} spends={spends} pod={pod} />
      )}
      <PodMenu pod={pod} ports={otherPorts} isRunning={isRunning} lacks={lacks} onAsk={onAsk} />
    </>
  );
}

interface StartButtonProps {
  accountId: string;
  spends: boolean;
  pod: PodRow['pod'];
}

function StartButton({ accountId, spends, pod }: StartButtonProps) {
  const start = useMutation({
    mutationFn: () => api.pods.act({ accountId, podId: pod.id, action: 'start' }),
    onSuccess: podsChanged,
    onError: (error) =>
      notifications.show({ title: t`${pod.name} was not started`, message: errorText(error), 'data-tone': 'bad' }),
  });
  const price = pod.costPerHr > 0 ? ` · ${formatPerHour(pod.costPerHr)}` : spends ? t` · costs money` : '';
  useCommands([{ label: t`Start ${pod.name}${price}`, run: () => start.mutate() }]);
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Play size={11} fill="currentColor" aria-hidden />}
      loading={start.isPending}
      onClick={() => start.mutate()}
    >{t`Start${price}`}</Button>
  );
}

interface PodMenuProps extends Pick<PodActionsProps, 'lacks' | 'onAsk'> {
  pod: PodRow['pod'];
  /** The http ports that have no button of their own. */
  ports: readonly HttpPort[];
  isRunning: boolean;
}

function PodMenu({ pod, ports, isRunning, lacks, onAsk }: PodMenuProps) {
  const noReset = lacks.find(({ what }) => what === 'reset');
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon aria-label={t`More for ${pod.name}`}>
          <Ellipsis size={15} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {ports.map(({ port, address }) => (
          <Menu.Item
            key={port}
            component="a"
            href={address}
            target="_blank"
            rel="noreferrer"
            leftSection={<ExternalLink size={14} aria-hidden />}
          >{t`Open port ${port}`}</Menu.Item>
        ))}
        {isRunning && (
          <Menu.Item
            leftSection={<RotateCw size={14} aria-hidden />}
            onClick={() => onAsk('restart')}
          >{t`Restart…`}</Menu.Item>
        )}
        <Menu.Item
          leftSection={<Eraser size={14} aria-hidden />}
          disabled={pod.locked || noReset !== undefined}
          onClick={() => onAsk('reset')}
        >{t`Reset…`}</Menu.Item>
        <Menu.Item
          leftSection={<Trash2 size={14} aria-hidden />}
          disabled={pod.locked}
          onClick={() => onAsk('remove')}
        >{t`Delete…`}</Menu.Item>
        {noReset && <Menu.Label>{noReset.reason}</Menu.Label>}
        {pod.locked && <Menu.Label>{lockedWords}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  );
}
