/** Actions for a Pod: open a terminal, start or stop it, and a menu of others. */
import { ActionIcon, Menu } from '@mantine/core';
import { Ellipsis, ExternalLink, Play, Square, SquareTerminal } from 'lucide-react';
import type { PodRow } from '#contract/bridge/pod.ts';
import { useCommands } from '../../state/commands.ts';
import { navigate } from '../../state/route.ts';
import { PageItems, PodChangeItems, RestartItem, duplicatePod, type PodMenuParts } from './actions/PodMenuItems.tsx';
import { changePod, withCost } from '../../ui/pod/podWork.ts';
import { awaitedHttpPort, httpPortsOf, isTerminalReady } from './podState.ts';
import { pageLink, pageTitle, type PageLink } from './settings/gallery/programs.ts';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { FirstPageButton, useFirstPage } from './actions/firstPage.tsx';
import { whyBusy, whyNotStoppable } from './podChanges.ts';
import { t } from '../../language/text.ts';

interface PodActionsProps extends PodMenuParts {
  accountId: string;
  /** Whether its terminals use SSH. */
  overSsh: boolean;
  /** Whether running costs money. */
  spends: boolean;
}

export function PodActions({ accountId, overSsh, spends, ...parts }: PodActionsProps) {
  const { row, lacks, onAsk, onRename } = parts;
  const { pod } = row;
  const firstPage = useFirstPage(accountId, row);
  const isFirstReady = firstPage !== null && firstPage.notYet === null;
  const pages = httpPortsOf(row).map((port) => pageLink(pod, port));
  const isRunning = pod.desiredStatus === 'RUNNING';
  const hasTerminal = isTerminalReady(row, overSsh);
  const awaitedPort = awaitedHttpPort(row);
  const toTerminal = () => navigate({ page: 'terminals', podId: pod.id });
  const noReset = lacks.some(({ what }) => what === 'reset');
  useCommands([
    hasTerminal && {
      label: t`Terminal in ${pod.name}`,
      run: toTerminal,
    },
    isRunning && !pod.locked && { label: t`Stop ${pod.name}…`, run: () => onAsk('stop') },
    isRunning && { label: t`Restart ${pod.name}…`, run: () => onAsk('restart') },
    !pod.locked && !noReset && { label: t`Reset ${pod.name}…`, run: () => onAsk('reset') },
    { label: t`Duplicate ${pod.name}…`, run: () => duplicatePod(row) },
    { label: t`Rename ${pod.name}…`, run: onRename },
    !pod.locked && { label: t`Delete ${pod.name}…`, run: () => onAsk('remove') },
  ]);
  return (
    <>
      {firstPage && <FirstPageButton {...firstPage} />}
      {/* A Pod has the buttons of a running one, so that nothing moves when it starts or stops. */}
      {firstPage === null && awaitedPort !== null && (
        <ReasonButton
          size="xs"
          variant="default"
          rightSection={<ExternalLink size={12} aria-hidden />}
          whyNot={t`It opens once the Pod runs.`}
        >
          {pageTitle(pod, awaitedPort)}
        </ReasonButton>
      )}
      <ReasonButton
        size="xs"
        variant="default"
        leftSection={<SquareTerminal size={12} aria-hidden />}
        whyNot={hasTerminal ? null : t`It opens once the Pod runs.`}
        onClick={toTerminal}
      >{t`Terminal`}</ReasonButton>
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
        // A page that is not ready has no button, and can be tried from the menu.
        pages={isFirstReady ? pages.slice(1) : pages}
        {...parts}
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
  useCommands([whyNot === null && { label: withCost(t`Start ${pod.name}`, pod.costPerHr, spends), run: start }]);
  return (
    <ReasonButton
      size="xs"
      variant="default"
      leftSection={<Play size={11} fill="currentColor" aria-hidden />}
      whyNot={whyNot}
      onClick={start}
    >
      {withCost(t`Start`, pod.costPerHr, spends)}
    </ReasonButton>
  );
}

interface PodMenuProps extends PodMenuParts {
  /** Links to the http ports that have no button of their own. */
  pages: readonly PageLink[];
}

function PodMenu({ pages, ...parts }: PodMenuProps) {
  const { pod } = parts.row;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon aria-label={t`More for ${pod.name}`}>
          <Ellipsis size={15} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <PageItems pages={pages} />
        {pod.desiredStatus === 'RUNNING' && <RestartItem {...parts} />}
        <PodChangeItems {...parts} />
      </Menu.Dropdown>
    </Menu>
  );
}
