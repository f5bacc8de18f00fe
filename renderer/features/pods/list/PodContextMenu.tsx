/** The menu of the row of a Pod. */
import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Copy, PanelRight, Play, Square, SquareTerminal } from 'lucide-react';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { navigate } from '../../../state/route.ts';
import { copyText, copyWhenRead, type TextToCopy } from '../../../ui/clipboard/copyText.ts';
import { ContextMenu } from '../../../ui/popover/ContextMenu.tsx';
import { ReasonItem } from '../../../ui/popover/ReasonItem.tsx';
import { PageItems, PodChangeItems, RestartItem, type PodMenuParts } from '../actions/PodMenuItems.tsx';
import { changePod, withCost } from '../../../ui/pod/podWork.ts';
import { sshCommandOf } from '../connect/sshCommand.ts';
import { whyBusy, whyNotStoppable } from '../podChanges.ts';
import { httpPortsOf, isTerminalReady } from '../podState.ts';
import { pageLink } from '../settings/gallery/programs.ts';
import { t } from '../../../language/text.ts';

interface PodContextMenuProps extends PodMenuParts {
  accountId: string;
  /** Whether its terminals use SSH. */
  overSsh: boolean;
  /** Whether running costs money. */
  spends: boolean;
  /** Where it opens, in pixels of the window. */
  at: { x: number; y: number };
  onOpen: (podId: string) => void;
  onClose: () => void;
}

/** How a person signs in to a Pod: over the network of a cloud, or through the SSH server of the engine here. */
async function readSsh(accountId: string, podId: string): Promise<{ command: string | null; problem: string | null }> {
  if (accountId === THIS_MACHINE) {
    const server = await api.ssh.server({ accountId, podId });
    return { command: sshCommandOf(server), problem: server.problem };
  }
  const { direct, proxy, problem } = await api.ssh.ways({ accountId, podId });
  return { command: (direct ?? proxy)?.command ?? null, problem };
}

/** The command as a text to copy. Without one, it shows the reason and returns null. */
async function readSshLine(accountId: string, podId: string, name: string): Promise<TextToCopy | null> {
  const { command, problem } = await readSsh(accountId, podId);
  if (command !== null) return { text: command, done: t`Copied SSH command` };
  notifications.show({ title: t`No SSH access to ${name}`, message: problem ?? '', 'data-tone': 'bad' });
  return null;
}

async function copySshLine(accountId: string, podId: string, name: string): Promise<void> {
  try {
    await copyWhenRead(readSshLine(accountId, podId, name));
  } catch (error) {
    notifications.show({ title: t`No SSH access to ${name}`, message: errorText(error), 'data-tone': 'bad' });
  }
}

export function PodContextMenu({ accountId, overSsh, spends, at, onOpen, onClose, ...parts }: PodContextMenuProps) {
  const { row, onAsk } = parts;
  const { pod } = row;
  const isRunning = pod.desiredStatus === 'RUNNING';
  // The server of another Hangar listens on its own computer only.
  const hasSsh = isRunning && (overSsh || accountId === THIS_MACHINE);
  const hasTerminal = isTerminalReady(row, overSsh);
  const pages = httpPortsOf(row).map((port) => pageLink(pod, port));
  const copyId = () => void copyText(pod.id, t`Copied Pod id`);
  return (
    <ContextMenu label={t`Actions for ${pod.name}`} at={at} onClose={onClose}>
      <Menu.Item leftSection={<PanelRight size={14} aria-hidden />} onClick={() => onOpen(pod.id)}>{t`Open`}</Menu.Item>
      {hasTerminal && (
        <Menu.Item
          leftSection={<SquareTerminal size={14} aria-hidden />}
          onClick={() => navigate({ page: 'terminals', podId: pod.id })}
        >{t`Terminal`}</Menu.Item>
      )}
      <PageItems pages={pages} />
      <Menu.Item leftSection={<Copy size={14} aria-hidden />} onClick={copyId}>{t`Copy id`}</Menu.Item>
      {hasSsh && (
        <Menu.Item
          leftSection={<Copy size={14} aria-hidden />}
          onClick={() => void copySshLine(accountId, pod.id, pod.name)}
        >{t`Copy SSH command`}</Menu.Item>
      )}
      <Menu.Divider />
      {isRunning ? (
        <>
          <ReasonItem
            leftSection={<Square size={14} aria-hidden />}
            whyNot={whyNotStoppable(row)}
            onClick={() => onAsk('stop')}
          >{t`Stop…`}</ReasonItem>
          <RestartItem {...parts} />
        </>
      ) : (
        <ReasonItem
          leftSection={<Play size={14} aria-hidden />}
          whyNot={whyBusy(row)}
          onClick={() => void changePod(accountId, pod, 'start')}
        >
          {withCost(t`Start`, pod.costPerHr, spends)}
        </ReasonItem>
      )}
      <PodChangeItems {...parts} />
    </ContextMenu>
  );
}
