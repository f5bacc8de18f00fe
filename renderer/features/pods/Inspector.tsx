/** Everything about one Pod, beside the list. */
import { useState } from 'react';
import { ActionIcon, Button, Menu, Tabs, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { Ellipsis, Eraser, Link, Lock, Play, RotateCw, Square, SquareTerminal, Trash2, X } from 'lucide-react';
import type { PodLack, PodRow } from '#contract/bridge/pod.ts';
import { api, errorText } from '../../client/transport/orpc.ts';
import { navigate } from '../../state/route.ts';
import { podTabs, type PodTab } from '../../state/routePath.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import styles from '../../ui/theme/inspector.module.css';
import { formatPerHour } from '../../ui/text/money.ts';
import { FilesTab } from './FilesTab.tsx';
import { JsonTab } from './JsonTab.tsx';
import { LogsTab } from './LogsTab.tsx';
import { OverviewTab } from './OverviewTab.tsx';
import { lockedWords, type AskedKind } from './podChanges.ts';
import { PodChip } from './PodChip.tsx';
import { PodDialog } from './PodDialog.tsx';
import { stateOf } from './podState.ts';
import { SettingsTab } from './settings/SettingsTab.tsx';
import { podsChanged } from './usePodsNow.ts';

interface InspectorProps {
  accountId: string;
  /** Whether its terminals and files go over SSH, as in Pods that no engine of ours runs. */
  overSsh: boolean;
  /** Whether running costs money. */
  spends: boolean;
  lacks: readonly PodLack[];
  row: PodRow;
  tab: PodTab;
  onClose: () => void;
}

const titles: Record<PodTab, string> = {
  overview: 'Overview',
  logs: 'Logs',
  files: 'Files',
  settings: 'Settings',
  json: 'JSON',
};

export function Inspector({ accountId, overSsh, spends, lacks, row, tab: asked, onClose }: InspectorProps) {
  const [asking, setAsking] = useState<AskedKind | null>(null);
  const { pod } = row;
  const noReset = lacks.find(({ what }) => what === 'reset');
  const runs = pod.desiredStatus === 'RUNNING';
  // Files of Pods of ours are those of their volumes.
  const hasLogs = !lacks.some(({ what }) => what === 'logs');
  const tabs = podTabs.filter((name) => (name === 'files' ? overSsh : name !== 'logs' || hasLogs));
  const tab = tabs.includes(asked) ? asked : 'overview';
  const start = useMutation({
    mutationFn: () => api.pods.act({ accountId, podId: pod.id, action: 'start' }),
    onSuccess: podsChanged,
    onError: (error) =>
      notifications.show({ title: `${pod.name} was not started`, message: errorText(error), 'data-tone': 'bad' }),
  });
  const show = (next: string | null) => {
    const known = podTabs.find((name) => name === next);
    if (known) navigate({ page: 'pods', podId: pod.id, tab: known }, { replace: true });
  };
  const copyLink = () => {
    void navigator.clipboard.writeText(location.href).then(() => announce('Copied link'));
  };

  return (
    <Card grow aria-label="Pod" role="region">
      <header className={styles.inspectorHead}>
        <h2 title={pod.name}>{pod.name}</h2>
        <PodChip {...stateOf(row)} />
        {pod.locked && (
          <Tooltip label="Locked: it is not stopped, reset or deleted">
            <Lock size={13} role="img" aria-label="Locked" />
          </Tooltip>
        )}
        <span className={styles.space} />
        {(overSsh ? runs : row.facts?.runtime != null) && (
          <Button
            size="xs"
            variant="default"
            leftSection={<SquareTerminal size={12} aria-hidden />}
            onClick={() => navigate({ page: 'terminals', podId: pod.id })}
          >
            Terminal
          </Button>
        )}
        {runs ? (
          <Tooltip label={lockedWords} disabled={!pod.locked}>
            <Button
              size="xs"
              variant="default"
              leftSection={<Square size={11} aria-hidden />}
              disabled={pod.locked}
              onClick={() => setAsking('stop')}
            >
              Stop…
            </Button>
          </Tooltip>
        ) : (
          <Button
            size="xs"
            variant="default"
            leftSection={<Play size={11} fill="currentColor" aria-hidden />}
            loading={start.isPending}
            onClick={() => start.mutate()}
          >
            {pod.costPerHr > 0 ? `Start · ${formatPerHour(pod.costPerHr)}` : spends ? 'Start · costs money' : 'Start'}
          </Button>
        )}
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon aria-label={`More for ${pod.name}`}>
              <Ellipsis size={15} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {runs && (
              <Menu.Item leftSection={<RotateCw size={14} aria-hidden />} onClick={() => setAsking('restart')}>
                Restart…
              </Menu.Item>
            )}
            <Menu.Item
              leftSection={<Eraser size={14} aria-hidden />}
              disabled={pod.locked || noReset !== undefined}
              onClick={() => setAsking('reset')}
            >
              Reset…
            </Menu.Item>
            <Menu.Item
              leftSection={<Trash2 size={14} aria-hidden />}
              disabled={pod.locked}
              onClick={() => setAsking('remove')}
            >
              Delete…
            </Menu.Item>
            {noReset && <Menu.Label>{noReset.reason}</Menu.Label>}
            {pod.locked && <Menu.Label>{lockedWords}</Menu.Label>}
          </Menu.Dropdown>
        </Menu>
        <Tooltip label="Copy the link to this Pod">
          <ActionIcon aria-label="Copy the link to this Pod" onClick={copyLink}>
            <Link size={13} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Tooltip label="Close (Esc)">
          <ActionIcon aria-label="Close the Pod" onClick={onClose}>
            <X size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </header>
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List aria-label="Pod">
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {titles[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="overview">
          <OverviewTab accountId={accountId} overSsh={overSsh} row={row} />
        </Tabs.Panel>
        <Tabs.Panel value="logs">
          <LogsTab accountId={accountId} pod={pod} />
        </Tabs.Panel>
        <Tabs.Panel value="files">
          <FilesTab accountId={accountId} row={row} />
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <SettingsTab accountId={accountId} row={row} lacks={lacks} />
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <JsonTab row={row} />
        </Tabs.Panel>
      </Tabs>
      <PodDialog accountId={accountId} row={row} kind={asking} onClose={() => setAsking(null)} onRemoved={onClose} />
    </Card>
  );
}

export const InspectorSkeleton = () => (
  <Card grow aria-label="Pod" role="region" aria-busy>
    <header className={styles.inspectorHead} />
    <div className={styles.panelSkeleton} />
  </Card>
);
