/** Actions for a Pod: open a terminal, start or stop it, and a menu of others. */
import { ActionIcon, Button, Menu } from '@mantine/core';
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
import { changePod } from './actions/podWork.ts';
import { httpPortsOf, isTerminalReady } from './podState.ts';
import type { ShownPod } from '../../ui/text/podWords.ts';
import { pageLink, type PageLink } from './settings/gallery/programs.ts';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { ReasonItem } from '../../ui/popover/ReasonItem.tsx';
import { FirstPageButton, useFirstPage } from './actions/firstPage.tsx';
import { startCommand, startWords, whyBusy, whyNotStoppable, type ConfirmedChange } from './podChanges.ts';
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
        <ReasonButton
          size="xs"
          variant="default"
          leftSection={<Square size={11} aria-hidden />}
          whyNot={whyNotStoppable(row)}
          onClick={() => onAsk('stop')}
        >{t`Stop…`}</ReasonButton>
      ) : (
        <StartButton accountId={accountId} spends={spends} pod={pod} whyNot={whyBusy(row)} />
      )}
      <PodMenu
        row={row}
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
  /** Null if it can be started now. */
  whyNot: string | null;
}

function StartButton({ accountId, spends, pod, whyNot }: StartButtonProps) {
  const start = () => void changePod(accountId, pod, 'start');
  useCommands([whyNot === null && { label: startCommand(pod, spends), run: start }]);
  return (
    <ReasonButton
      size="xs"
      variant="default"
      leftSection={<Play size={11} fill="currentColor" aria-hidden />}
      whyNot={whyNot}
      onClick={start}
    >
      {startWords(pod, spends)}
    </ReasonButton>
  );
}

interface PodMenuProps extends Pick<PodActionsProps, 'row' | 'lacks' | 'onAsk' | 'onRename'> {
  onDuplicate: () => void;
  /** Links to the http ports that have no button of their own. */
  pages: readonly PageLink[];
  isRunning: boolean;
}

function PodMenu({ row, pages, isRunning, lacks, onAsk, onRename, onDuplicate }: PodMenuProps) {
  const { pod } = row;
  const noReset = lacks.find(({ what }) => what === 'reset');
  const whyNot = whyNotStoppable(row);
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
          <ReasonItem
            leftSection={<RotateCw size={14} aria-hidden />}
            whyNot={whyBusy(row)}
            onClick={() => onAsk('restart')}
          >{t`Restart…`}</ReasonItem>
        )}
        <Menu.Item leftSection={<Copy size={14} aria-hidden />} onClick={onDuplicate}>{t`Duplicate…`}</Menu.Item>
        <Menu.Item leftSection={<PencilLine size={14} aria-hidden />} onClick={onRename}>{t`Rename…`}</Menu.Item>
        <ReasonItem
          leftSection={<Eraser size={14} aria-hidden />}
          whyNot={noReset?.reason ?? whyNot}
          onClick={() => onAsk('reset')}
        >{t`Reset…`}</ReasonItem>
        <ReasonItem
          leftSection={<Trash2 size={14} aria-hidden />}
          whyNot={whyNot}
          onClick={() => onAsk('remove')}
        >{t`Delete…`}</ReasonItem>
        {noReset && <Menu.Label>{noReset.reason}</Menu.Label>}
        {whyNot !== null && <Menu.Label>{whyNot}</Menu.Label>}
      </Menu.Dropdown>
    </Menu>
  );
}
