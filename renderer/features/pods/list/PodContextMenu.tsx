/** The menu of a row, at the pointer. */
import { Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  Copy,
  CopyPlus,
  Eraser,
  ExternalLink,
  PanelRight,
  PencilLine,
  Play,
  RotateCw,
  Square,
  SquareTerminal,
  Trash2,
} from 'lucide-react';
import { THIS_MACHINE } from '#contract/app/account.ts';
import type { PodLack } from '#contract/bridge/pod.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { openNewPod } from '../../../state/overlays.ts';
import { navigate } from '../../../state/route.ts';
import { copyText } from '../../../ui/clipboard/copyText.ts';
import { ReasonItem } from '../../../ui/popover/ReasonItem.tsx';
import { changePod } from '../actions/podWork.ts';
import { sshCommandOf } from '../connect/sshCommand.ts';
import { startWords, whyBusy, whyNotStoppable, type ConfirmedChange } from '../podChanges.ts';
import type { ShownPod } from '../../../ui/text/podWords.ts';
import { httpPortsOf } from '../podState.ts';
import { pageLink } from '../settings/gallery/programs.ts';
import styles from './table.module.css';
import { t } from '../../../language/text.ts';

interface PodContextMenuProps {
  accountId: string;
  /** Whether its terminals use SSH. */
  overSsh: boolean;
  lacks: readonly PodLack[];
  row: ShownPod;
  /** Where it opens, in pixels of the window. */
  at: { x: number; y: number };
  onOpen: (podId: string) => void;
  /** Opens the confirmation dialog. */
  onAsk: (kind: ConfirmedChange) => void;
  /** Opens the dialog for another name. */
  onRename: () => void;
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

async function copySshLine(accountId: string, podId: string, name: string): Promise<void> {
  try {
    const { command, problem } = await readSsh(accountId, podId);
    if (command === null) {
      notifications.show({ title: t`There is no SSH to ${name}`, message: problem ?? '', 'data-tone': 'bad' });
      return;
    }
    await copyText(command, t`Copied SSH command`);
  } catch (error) {
    notifications.show({ title: t`There is no SSH to ${name}`, message: errorText(error), 'data-tone': 'bad' });
  }
}

export function PodContextMenu(props: PodContextMenuProps) {
  const { accountId, overSsh, lacks, row, at, onOpen, onAsk, onRename, onClose } = props;
  const { pod, facts } = row;
  const isRunning = pod.desiredStatus === 'RUNNING';
  const busy = whyBusy(row);
  const whyNot = whyNotStoppable(row);
  // The server of another Hangar listens on its own computer only.
  const hasSsh = isRunning && (overSsh || accountId === THIS_MACHINE);
  const hasTerminal = overSsh ? isRunning : facts?.runtime != null;
  const pages = httpPortsOf(row).map((port) => pageLink(pod, port));
  const noReset = lacks.find(({ what }) => what === 'reset');
  const copyId = () => void copyText(pod.id, t`Copied Pod id`);
  return (
    <Menu opened onClose={onClose} position="bottom-start" withinPortal offset={2}>
      <Menu.Target>
        {/* The menu is named after its target. */}
        <div
          role="group"
          aria-label={t`Actions for ${pod.name}`}
          className={styles.menuPlace}
          style={{ left: at.x, top: at.y }}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<PanelRight size={14} aria-hidden />}
          onClick={() => onOpen(pod.id)}
        >{t`Open`}</Menu.Item>
        {hasTerminal && (
          <Menu.Item
            leftSection={<SquareTerminal size={14} aria-hidden />}
            onClick={() => navigate({ page: 'terminals', podId: pod.id })}
          >{t`Terminal`}</Menu.Item>
        )}
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
              whyNot={whyNot}
              onClick={() => onAsk('stop')}
            >{t`Stop…`}</ReasonItem>
            <ReasonItem
              leftSection={<RotateCw size={14} aria-hidden />}
              whyNot={busy}
              onClick={() => onAsk('restart')}
            >{t`Restart…`}</ReasonItem>
          </>
        ) : (
          <ReasonItem
            leftSection={<Play size={14} aria-hidden />}
            whyNot={busy}
            onClick={() => void changePod(accountId, pod, 'start')}
          >
            {startWords(pod, false)}
          </ReasonItem>
        )}
        <Menu.Item
          leftSection={<CopyPlus size={14} aria-hidden />}
          onClick={() => openNewPod({ like: pod, autoStop: row.autoStop?.rules, limits: row.facts?.limits })}
        >{t`Duplicate…`}</Menu.Item>
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
