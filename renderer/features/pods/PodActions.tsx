/** Actions for a Pod: open a terminal, start or stop it, and a menu of others. */
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import {
  Copy,
  Ellipsis,
  Eraser,
  ExternalLink,
  PencilLine,
  Play,
  RotateCw,
  Square,
  SquareTerminal,
  Trash2,
} from 'lucide-react';
import type { PodLack, PodRow } from '#contract/bridge/pod.ts';
import { useCommands } from '../../state/commands.ts';
import { openNewPod } from '../../state/overlays.ts';
import { navigate } from '../../state/route.ts';
import { formatPerHour } from '../../ui/text/money.ts';
import { changePod } from './actions/podWork.ts';
import { httpPortsOf, isTerminalReady } from './podState.ts';
import type { ShownPod } from '../../ui/text/podWords.ts';
import { pageLink, type PageLink } from './settings/gallery/programs.ts';
import { FirstPageButton, useFirstPage } from './actions/firstPage.tsx';
import { lockedWords, type ConfirmedChange } from './podChanges.ts';
import { t } from '../../language/text.ts';

interface PodActionsProps {
  accountId: string;
  /** Whether its terminals use SSH. */
  overSsh: boolean;
  /** Whether running costs money. */
  spends: boolean;
  lacks: readonly PodLack[];
  row: ShownPod;
  /** Opens the confirmation dialog. */
  onAsk: (kind: ConfirmedChange) => void;
  /** Opens the dialog for another name. */
  onRename: () => void;
}

export function PodActions({ accountId, overSsh, spends, lacks, row, onAsk, onRename }: PodActionsProps) {
  const { pod } = row;
  const isBusy = (row.work ?? null) !== null;
  const duplicate = () => openNewPod({ like: pod, autoStop: row.autoStop?.rules, limits: row.facts?.limits });
  const firstPage = useFirstPage(accountId, row);
  const isFirstReady = firstPage !== null && firstPage.starting === null;
  const pages = httpPortsOf(row).map((port) => pageLink(pod, port));
  const isRunning = pod.desiredStatus === 'RUNNING';
  const hasTerminal = isTerminalReady(row, overSsh);
  const noReset = lacks.some(({ what }) => what === 'reset');
  useCommands([
    hasTerminal && {
      label: t`Terminal in ${pod.name}`,
      run: () => navigate({ page: 'terminals', podId: pod.id }),
    },
    isRunning && !pod.locked && { label: t`Stop ${pod.name}…`, run: () => onAsk('stop') },
    isRunning && { label: t`Restart ${pod.name}…`, run: () => onAsk('restart') },
    !pod.locked && !noReset && { label: t`Reset ${pod.name}…`, run: () => onAsk('reset') },
    { label: t`Duplicate ${pod.name}…`, run: duplicate },
    { label: t`Rename ${pod.name}…`, run: onRename },
    !pod.locked && { label: t`Delete ${pod.name}…`, run: () => onAsk('remove') },
  ]);
  return (
    <>
      {firstPage && <FirstPageButton {...firstPage} />}
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
            disabled={pod.locked || isBusy}
            onClick={() => onAsk('stop')}
          >{t`Stop…`}</Button>
        </Tooltip>
      ) : (
        <StartButton accountId={accountId} spends={spends} pod={pod} isBusy={isBusy} />
      )}
      <PodMenu
        pod={pod}
        // A page that is not ready has no button, and can be tried from the menu.
        pages={isFirstReady ? pages.slice(1) : pages}
        isRunning={isRunning}
        lacks={lacks}
        onAsk={onAsk}
        onRename={onRename}
        onDuplicate={duplicate}
      />
    </>
  );
}

interface StartButtonProps {
  accountId: string;
  spends: boolean;
  pod: PodRow['pod'];
  /** Whether a change of it is under way. */
  isBusy: boolean;
}

function StartButton({ accountId, spends, pod, isBusy }: StartButtonProps) {
  const start = () => void changePod(accountId, pod, 'start');
  const price = pod.costPerHr > 0 ? ` · ${formatPerHour(pod.costPerHr)}` : spends ? t` · costs money` : '';
  useCommands([{ label: t`Start ${pod.name}${price}`, run: start }]);
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Play size={11} fill="currentColor" aria-hidden />}
      disabled={isBusy}
      onClick={start}
    >{t`Start${price}`}</Button>
  );
}

interface PodMenuProps extends Pick<PodActionsProps, 'lacks' | 'onAsk' | 'onRename'> {
  onDuplicate: () => void;
  pod: PodRow['pod'];
  /** Links to the http ports that have no button of their own. */
  pages: readonly PageLink[];
  isRunning: boolean;
}

function PodMenu({ pod, pages, isRunning, lacks, onAsk, onRename, onDuplicate }: PodMenuProps) {
  const noReset = lacks.find(({ what }) => what === 'reset');
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon aria-label={t`More for ${pod.name}`}>
          <Ellipsis size={15} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {pages.map(({ title, address }) => (
          <Menu.Item
            key={address}
            component="a"
            href={address}
            target="_blank"
            rel="noreferrer"
            leftSection={<ExternalLink size={14} aria-hidden />}
          >
            {title}
          </Menu.Item>
        ))}
        {isRunning && (
          <Menu.Item
            leftSection={<RotateCw size={14} aria-hidden />}
            onClick={() => onAsk('restart')}
          >{t`Restart…`}</Menu.Item>
        )}
        <Menu.Item leftSection={<Copy size={14} aria-hidden />} onClick={onDuplicate}>{t`Duplicate…`}</Menu.Item>
        <Menu.Item leftSection={<PencilLine size={14} aria-hidden />} onClick={onRename}>{t`Rename…`}</Menu.Item>
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
