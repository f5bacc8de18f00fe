/** The command palette: pages, endpoints, recent jobs, and everything that can be done from anywhere. */
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { PauseRequest } from '#contract/local/machine.ts';
import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import {
  Box,
  Boxes,
  Contrast,
  Copy,
  Keyboard,
  Plus,
  Pause,
  Play,
  RotateCw,
  Search,
  SquareTerminal,
  Target,
} from 'lucide-react';
import { useAccounts } from '../../client/accounts.ts';
import { restartEngine, useEngine } from '../../client/engine.ts';
import { usePause, usePausing } from '../../client/machine.ts';
import { orpc } from '../../client/transport/orpc.ts';
import { chooseContrast, chooseTheme, isHighContrast, useAppearance } from '../../state/appearance.ts';
import { openNewEndpoint, openNewPod, showNewAccount, toggleShortcuts } from '../../state/overlays.ts';
import { navigate } from '../../state/route.ts';
import { startOf } from '../../state/routePath.ts';
import { chooseAccount, useSelection } from '../../state/selection.ts';
import { accountInSentence } from '../../ui/text/accountName.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import type { ShellPage } from '../../ui/page/definePage.tsx';
import { formatMoment } from '../../ui/text/format.ts';
import { isRule } from '../../ui/text/pauseLabels.ts';
import { StateChip } from '../../ui/domain/StateChip.tsx';
import styles from './shell.module.css';
import { themes } from './TitleBar.tsx';

const RECENT = 8;
const ICON = 15;

export function Palette({ pages }: { pages: readonly ShellPage[] }) {
  const [open, setOpen] = useState(false);
  const groups = [
    pageActions(pages),
    useTargetActions(),
    useEndpointActions(open),
    useJobActions(open),
    usePodActions(open),
    usePauseActions(),
    useOtherActions(),
  ];
  return (
    <Spotlight
      actions={groups.filter((group) => group.actions.length > 0)}
      onSpotlightOpen={() => setOpen(true)}
      onSpotlightClose={() => setOpen(false)}
      shortcut={['mod + K', 'mod + shift + P']}
      tagsToIgnore={[]}
      triggerOnContentEditable
      nothingFound="Nothing has that in its name"
      highlightQuery
      scrollable
      maxHeight={440}
      // The dialog is called so, not the frame round it.
      attributes={{ content: { 'aria-label': 'Command palette' } }}
      searchProps={{
        leftSection: <Search size={ICON} aria-hidden />,
        placeholder: 'Search or run a command',
        'aria-label': 'Search or run a command',
      }}
      overlayProps={{ blur: 0 }}
      classNames={{
        overlay: styles.paletteOverlay ?? '',
        content: styles.palette ?? '',
        search: styles.paletteSearch ?? '',
        action: styles.paletteAction ?? '',
        actionsGroup: styles.paletteGroup ?? '',
      }}
    />
  );
}

function pageActions(pages: readonly ShellPage[]): SpotlightActionGroupData {
  return {
    group: 'Pages',
    actions: pages.map(({ route, title, icon: Icon }) => ({
      id: `page-${route}`,
      label: title,
      leftSection: <Icon size={ICON} aria-hidden />,
      onClick: () => navigate(startOf(route)),
    })),
  };
}

/** Where everything goes from then on; those that spend money say so. */
function useTargetActions(): SpotlightActionGroupData {
  const chosen = useSelection((selection) => selection.accountId);
  const others = (useAccounts() ?? []).filter(({ id }) => id !== chosen);
  return {
    group: 'Targets',
    actions: others.map(({ id, name, kind }) => ({
      id: `target-${id}`,
      label: `Switch to ${accountInSentence(id, name)}`,
      description: kind === 'cloud' ? 'What is sent there costs money' : 'An engine of Hangar',
      keywords: ['target', 'account'],
      leftSection: <Target size={ICON} aria-hidden />,
      onClick: () => chooseAccount(id),
    })),
  };
}

function useEndpointActions(open: boolean): SpotlightActionGroupData {
  const accountId = useSelection((selection) => selection.accountId);
  const { data } = useQuery(orpc.endpoints.list.queryOptions({ input: { accountId }, enabled: open }));
  return {
    group: 'Endpoints',
    actions: (data ?? []).map((endpoint) => ({
      id: `endpoint-${endpoint.id}`,
      label: endpoint.name,
      description: endpoint.available ? (endpoint.description ?? '') : 'Cannot run here',
      keywords: ['run', endpoint.id],
      leftSection: <Boxes size={ICON} aria-hidden />,
      onClick: () => navigate({ page: 'run', endpointId: endpoint.id }),
    })),
  };
}

function useJobActions(open: boolean): SpotlightActionGroupData {
  const input = { filter: {}, offset: 0, limit: RECENT };
  const { data } = useQuery(orpc.jobs.list.queryOptions({ input, enabled: open, staleTime: 0 }));
  return {
    group: 'Recent jobs',
    actions: (data?.entries ?? []).map((entry) => ({
      id: `job-${entry.entryId}`,
      label: entry.endpointName,
      description: `${entry.jobId ?? 'no id'} · ${formatMoment(entry.sentAt)}`,
      keywords: ['job', entry.status],
      rightSection: <StateChip status={entry.status} />,
      onClick: () => navigate({ page: 'jobs', entryId: entry.entryId }),
    })),
  };
}

function usePodActions(open: boolean): SpotlightActionGroupData {
  const accountId = useSelection((selection) => selection.accountId);
  const { data } = useQuery(orpc.pods.now.queryOptions({ input: { accountId }, enabled: open, retry: false }));
  return {
    group: 'Pods',
    actions: (data?.rows ?? []).flatMap(({ pod, facts }) => [
      {
        id: `pod-${pod.id}`,
        label: pod.name,
        description: pod.imageName,
        keywords: ['pod', pod.id],
        leftSection: <Box size={ICON} aria-hidden />,
        onClick: () => navigate({ page: 'pods', podId: pod.id, tab: 'overview' }),
      },
      ...(facts?.runtime == null
        ? []
        : [
            {
              id: `terminal-${pod.id}`,
              label: `Terminal in ${pod.name}`,
              description: 'Opens one, or shows the one there is',
              keywords: ['shell', pod.id],
              leftSection: <SquareTerminal size={ICON} aria-hidden />,
              onClick: () => navigate({ page: 'terminals', podId: pod.id }),
            },
          ]),
    ]),
  };
}

/** Reversible, so they do it at once; the status bar shows it. */
function usePauseActions(): SpotlightActionGroupData {
  const state = usePause();
  const { pause, resume } = usePausing();
  const ways: { id: string; label: string; description: string; request: PauseRequest }[] = [
    {
      id: 'pause-now',
      label: 'Pause this computer now',
      description: 'Jobs that run go back to the queue',
      request: { when: 'now' },
    },
    {
      id: 'pause-after',
      label: 'Pause this computer after the running job',
      description: 'What runs ends first; nothing else begins',
      request: { when: 'after-job' },
    },
    {
      id: 'pause-half-hour',
      label: 'Pause this computer for 30 minutes',
      description: 'Jobs that run go back to the queue',
      request: { when: 'now', forMs: 30 * 60_000 },
    },
  ];
  const goOn = {
    id: 'resume',
    label: state && isRule(state.source) ? 'Resume this computer anyway' : 'Resume this computer',
    description: state?.message ?? '',
    leftSection: <Play size={ICON} aria-hidden />,
    onClick: () => resume.mutate(),
  };
  return {
    group: 'Machine',
    actions: [
      ...(state !== null && state.state !== 'running' ? [goOn] : []),
      ...(state === null || state.state === 'paused'
        ? []
        : ways.map(({ request, ...way }) => ({
            ...way,
            leftSection: <Pause size={ICON} aria-hidden />,
            onClick: () => pause.mutate(request),
          }))),
    ],
  };
}

function useOtherActions(): SpotlightActionGroupData {
  const highContrast = useAppearance(isHighContrast);
  const address = useEngine((state) => state.status?.address ?? null);
  return {
    group: 'Actions',
    actions: [
      ...themes.map(({ choice, label, icon: Icon }) => ({
        id: `theme-${choice}`,
        label: `Theme: ${label.toLowerCase()}`,
        leftSection: <Icon size={ICON} aria-hidden />,
        onClick: () => chooseTheme(choice),
      })),
      {
        id: 'contrast',
        label: highContrast ? 'Theme: normal contrast' : 'Theme: high contrast',
        leftSection: <Contrast size={ICON} aria-hidden />,
        onClick: () => chooseContrast(!highContrast),
      },
      ...(address === null
        ? []
        : [
            {
              id: 'copy-address',
              label: "Copy the engine's address",
              description: address,
              leftSection: <Copy size={ICON} aria-hidden />,
              onClick: () => void navigator.clipboard.writeText(address).then(() => announce('Copied address')),
            },
          ]),
      {
        id: 'new-endpoint',
        label: 'New endpoint',
        description: 'From a folder, an image or a sample',
        leftSection: <Plus size={ICON} aria-hidden />,
        onClick: () => {
          navigate({ page: 'endpoints', endpointId: null, tab: 'overview' });
          openNewEndpoint('folder');
        },
      },
      {
        id: 'new-pod',
        label: 'Deploy a Pod',
        description: 'A container of an image or a template',
        leftSection: <Plus size={ICON} aria-hidden />,
        onClick: () => {
          navigate({ page: 'pods', podId: null, tab: 'overview' });
          openNewPod();
        },
      },
      {
        id: 'new-account',
        label: 'Add an account',
        description: 'A cloud, or an engine on another machine',
        leftSection: <Plus size={ICON} aria-hidden />,
        onClick: () => {
          navigate({ page: 'accounts', accountId: null });
          showNewAccount(true);
        },
      },
      {
        id: 'restart-engine',
        label: 'Restart the engine of this computer',
        leftSection: <RotateCw size={ICON} aria-hidden />,
        // A failure is told by the banner, which follows the engine's state.
        onClick: () => void restartEngine().catch(() => undefined),
      },
      {
        id: 'shortcuts',
        label: 'Keyboard shortcuts',
        leftSection: <Keyboard size={ICON} aria-hidden />,
        onClick: toggleShortcuts,
      },
    ],
  };
}
