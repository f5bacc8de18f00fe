/** The command palette: pages, endpoints, recent jobs, and all global actions. */
import type { KeyboardEvent } from 'react';
import { Kbd } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import type { Account } from '#contract/app/account.ts';
import { pauseDurations } from '#contract/app/pauseDurations.ts';
import type { PauseRequest } from '#contract/local/machine.ts';
import {
  isActionsGroup,
  Spotlight,
  useSpotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from '@mantine/spotlight';
import {
  Contrast,
  Columns3,
  Copy,
  Download,
  Keyboard,
  KeyRound,
  ListVideo,
  Plus,
  Pause,
  Play,
  RotateCw,
  Search,
  Target,
  Zap,
} from 'lucide-react';
import { useAccounts } from '../../client/accounts.ts';
import { requestRestart, useEngine } from '../../client/engine.ts';
import { usePause, usePausing } from '../../client/machine.ts';
import { errorText, orpc } from '../../client/transport/orpc.ts';
import { chooseContrast, chooseTheme, isHighContrast, useAppearance } from '../../state/appearance.ts';
import { useCommandsNow, type Command } from '../../state/commands.ts';
import { askForImage, paletteStore, showNewApiKey, toggleShortcuts } from '../../state/overlays.ts';
import { navigate } from '../../state/route.ts';
import { startOf } from '../../state/routePath.ts';
import { lastEndpoint, targetAccount } from '../../state/selection.ts';
import { accountInSentence } from '../../ui/text/accountName.ts';
import { copyText } from '../../ui/clipboard/copyText.ts';
import type { ShellPage } from '../../ui/page/definePage.tsx';
import { keyLabel } from '../../ui/keyboard/shortcuts.ts';
import { isRule } from '../../ui/text/pauseLabels.ts';
import { pageActions } from './hostMessages.ts';
import styles from './shell.module.css';
import { themes } from './menus/themes.ts';
import { ActionText } from './palette/ActionText.tsx';
import { setPaletteQuery } from './palette/useTypedAhead.ts';
import * as words from './palette/keywords.ts';
import { usePaletteEndpoints } from './palette/endpoints.tsx';
import { usePaletteJobs } from './palette/recentJobs.tsx';
import { usePodActions } from './palette/pods.tsx';
import { findActions } from './palette/search.ts';
import { tabsGroup } from './palette/tabs.tsx';
import { t, translated } from '../../language/text.ts';

const ICON = 15;
/** Below the search field of the title bar. */
const PALETTE_TOP = 'min(72px, 12dvh)';

/**
 * Enter runs the first action where none is chosen. The palette chooses one as the person types, and what a page that still
 * loads adds after that is not chosen.
 */
function runFirstAction(event: KeyboardEvent<HTMLElement>): void {
  const palette = event.currentTarget.closest('[role=dialog]');
  if (event.key !== 'Enter' || !palette || palette.querySelector('[data-selected]')) return;
  palette.querySelector<HTMLElement>('[data-action]')?.click();
}

export default function Palette({ pages }: { pages: readonly ShellPage[] }) {
  const { opened: open, query } = useSpotlight(paletteStore);
  const target = targetAccount.use();
  const hasImages = useAccounts()?.find(({ id }) => id === target)?.kind === 'engine';
  const ofPage = commandsGroup(useCommandsNow(open));
  const endpoints = usePaletteEndpoints(open);
  const jobs = usePaletteJobs(open, query);
  const search = {
    matchIds: new Set(jobs.matchIds),
    queryOnly: new Set(endpoints.queryOnly),
    mayGuess: !jobs.isSearching,
  };
  // After what the page declares: places, things, and what is the same on every page.
  const others = [
    pagesGroup(pages),
    tabsGroup(hasImages),
    endpoints.group,
    jobs.group,
    usePodActions(open),
    useTargetActions(),
    usePauseActions(),
    useOtherActions(open),
  ];
  // What the page declares stands there alone.
  const declared = new Set(ofPage.actions.map(({ label }) => label));
  const groups = [
    ofPage,
    ...others.map(({ group, actions }) => ({ group, actions: actions.filter(({ label }) => !declared.has(label)) })),
  ];
  return (
    <Spotlight
      actions={groups.filter((group) => group.actions.length > 0)}
      // The shell has the shortcuts: it loads the palette at the first of them.
      store={paletteStore}
      // With what was typed while the palette was loaded; without this, it begins empty.
      query={query}
      onQueryChange={setPaletteQuery}
      shortcut={null}
      nothingFound={jobs.isSearching ? t`Searching…` : t`Nothing found`}
      filter={(query, actions) =>
        findActions(query, actions.filter(isActionsGroup), search).map(({ group, matches }) => ({
          group,
          actions: matches.map((one) => ({ ...one.action, children: <ActionText {...one} /> })),
        }))
      }
      scrollable
      maxHeight={440}
      // Its list changes its height while a person types: only a palette that hangs from the top keeps its input in place.
      centered={false}
      yOffset={PALETTE_TOP}
      // The label belongs to the dialog, not to the frame around it.
      attributes={{ content: { 'aria-label': t`Command palette` } }}
      searchProps={{
        leftSection: <Search size={ICON} aria-hidden />,
        placeholder: t`Search or run a command`,
        'aria-label': t`Search or run a command`,
        onKeyDown: runFirstAction,
      }}
      overlayProps={{ blur: 0 }}
      classNames={{
        overlay: styles.paletteOverlay ?? '',
        content: styles.palette ?? '',
        search: styles.paletteSearch ?? '',
        actionsList: styles.paletteList ?? '',
        action: styles.paletteAction ?? '',
        actionBody: styles.paletteBody ?? '',
        actionLabel: styles.paletteLabel ?? '',
        actionDescription: styles.paletteDescription ?? '',
        actionSection: styles.paletteSection ?? '',
        actionsGroup: styles.paletteGroup ?? '',
      }}
    />
  );
}

/** What the page declares, such as Run with its keys. */
function commandsGroup(commands: readonly Command[]): SpotlightActionGroupData {
  return {
    group: t`On this page`,
    actions: commands.map(({ label, keys, description, run }) => ({
      id: `command-${label}`,
      label,
      ...(description !== undefined && { description }),
      leftSection: <Zap size={ICON} aria-hidden />,
      ...(keys !== undefined && { rightSection: <Kbd size="xs">{keyLabel(keys)}</Kbd> }),
      // The palette closes first, so that a dialog of the command gets the focus.
      onClick: () => void setTimeout(run),
    })),
  };
}

function pagesGroup(pages: readonly ShellPage[]): SpotlightActionGroupData {
  return {
    group: t`Pages`,
    actions: pages.map(({ route, title, key, icon: Icon }) => ({
      id: `page-${route}`,
      label: title,
      keywords: words.pageKeywords[route],
      leftSection: <Icon size={ICON} aria-hidden />,
      ...(key !== null && { rightSection: <Kbd size="xs">{keyLabel(key)}</Kbd> }),
      onClick: () => navigate(startOf(route)),
    })),
  };
}

/** Changes the target account; accounts that cost money say so. */
function useTargetActions(): SpotlightActionGroupData {
  const chosen = targetAccount.use();
  const others = (useAccounts() ?? []).filter(({ id }) => id !== chosen);
  return {
    group: t`Targets`,
    actions: others.map(({ id, name, kind }) => ({
      id: `target-${id}`,
      label: t`Switch to ${accountInSentence(id, name)}`,
      description: kind === 'cloud' ? t`Jobs there cost money` : t`A Hangar engine`,
      keywords: ['target', 'account'],
      leftSection: <Target size={ICON} aria-hidden />,
      onClick: () => targetAccount.set(id),
    })),
  };
}

/** These actions are reversible, so they run immediately; the status bar shows the result. */
function usePauseActions(): SpotlightActionGroupData {
  const state = usePause();
  const { pause, resume } = usePausing();
  const ways: { id: string; label: string; description: string; request: PauseRequest }[] = [
    {
      id: 'pause-now',
      label: t`Pause this computer now`,
      description: t`Running jobs go back to the queue`,
      request: { when: 'now' },
    },
    {
      id: 'pause-after',
      label: t`Pause this computer after the running job`,
      description: t`Running jobs finish; no new ones start`,
      request: { when: 'after-job' },
    },
    ...pauseDurations.map(({ command, forMs }) => ({
      id: `pause-${forMs}`,
      label: translated(command.title),
      description: t`Running jobs go back to the queue`,
      request: { when: 'now' as const, forMs },
    })),
  ];
  const goOn = {
    id: 'resume',
    label: state && isRule(state.source) ? t`Resume this computer anyway` : t`Resume this computer`,
    description: state?.message ?? '',
    leftSection: <Play size={ICON} aria-hidden />,
    onClick: () => resume.mutate(),
  };
  return {
    group: t`Machine`,
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

function showRestartFailure(error: unknown): void {
  notifications.show({ title: t`The engine was not restarted`, message: errorText(error), 'data-tone': 'bad' });
}

function useOtherActions(open: boolean): SpotlightActionGroupData {
  const highContrast = useAppearance(isHighContrast);
  const address = useEngine((state) => state.status?.address ?? null);
  const accountId = targetAccount.use();
  const account = useAccounts()?.find(({ id }) => id === accountId);
  const { data: endpoints } = useQuery(orpc.endpoints.list.queryOptions({ input: { accountId }, enabled: open }));
  const endpointId = lastEndpoint.use(accountId) ?? endpoints?.[0]?.id ?? null;
  return {
    group: t`Actions`,
    actions: [
      ...themes.map(({ choice, label, icon: Icon }) => ({
        id: `theme-${choice}`,
        label: t`Theme: ${label}`,
        keywords: words.themeKeywords,
        leftSection: <Icon size={ICON} aria-hidden />,
        onClick: () => chooseTheme(choice),
      })),
      {
        id: 'compare',
        label: t`Compare endpoints`,
        description: t`One input on several endpoints, side by side`,
        keywords: ['run', 'columns'],
        leftSection: <Columns3 size={ICON} aria-hidden />,
        onClick: () => navigate({ page: 'run', endpointId: null, view: 'compare' }),
      },
      {
        id: 'contrast',
        label: highContrast ? t`Theme: normal contrast` : t`Theme: high contrast`,
        keywords: words.contrastKeywords,
        leftSection: <Contrast size={ICON} aria-hidden />,
        onClick: () => chooseContrast(!highContrast),
      },
      ...(address === null
        ? []
        : [
            {
              id: 'copy-address',
              label: t`Copy the engine's address`,
              description: address,
              keywords: words.addressKeywords,
              leftSection: <Copy size={ICON} aria-hidden />,
              onClick: () => void copyText(address, t`Copied address`),
            },
          ]),
      {
        id: 'batch',
        label: t`Run a list of inputs`,
        description: t`A batch: JSON Lines or CSV, on one endpoint`,
        keywords: ['batch', 'csv', 'jsonl'],
        leftSection: <ListVideo size={ICON} aria-hidden />,
        onClick: () => navigate({ page: 'run', endpointId, view: 'batch' }),
      },
      {
        id: 'new-endpoint',
        label: t`New endpoint`,
        description: t`From a folder, an image or a sample`,
        keywords: words.endpointKeywords,
        leftSection: <Plus size={ICON} aria-hidden />,
        onClick: pageActions['new-endpoint'],
      },
      {
        id: 'new-pod',
        label: t`Deploy a Pod`,
        description: t`A container from an image or a template`,
        keywords: words.podKeywords,
        leftSection: <Plus size={ICON} aria-hidden />,
        onClick: pageActions['new-pod'],
      },
      ...(account?.kind === 'engine'
        ? [
            {
              id: 'pull-image',
              label: t`Pull an image…`,
              description: t`To the computer of the target, before something needs it`,
              keywords: words.imageKeywords,
              leftSection: <Download size={ICON} aria-hidden />,
              onClick: () => {
                navigate({ page: 'resources', tab: 'images', volumeId: null, path: '' });
                askForImage(true);
              },
            },
          ]
        : []),
      newKeyAction(account),
      {
        id: 'new-account',
        label: t`Add an account`,
        description: t`A cloud, or an engine on another machine`,
        keywords: words.accountKeywords,
        leftSection: <Plus size={ICON} aria-hidden />,
        onClick: pageActions['new-account'],
      },
      {
        id: 'restart-engine',
        label: t`Restart the engine of this computer`,
        keywords: words.restartKeywords,
        leftSection: <RotateCw size={ICON} aria-hidden />,
        onClick: () => void requestRestart().catch(showRestartFailure),
      },
      {
        id: 'shortcuts',
        label: t`Keyboard shortcuts`,
        keywords: words.shortcutKeywords,
        leftSection: <Keyboard size={ICON} aria-hidden />,
        onClick: toggleShortcuts,
      },
    ],
  };
}

/** Only an engine creates keys here: a cloud does so on its own site. */
function newKeyAction(account: Account | undefined): SpotlightActionData {
  const place = account?.kind === 'engine' ? accountInSentence(account.id, account.name) : t`this computer`;
  return {
    id: 'new-key',
    label: t`New API key for ${place}`,
    description: t`For a script or another computer`,
    keywords: words.keysKeywords,
    leftSection: <KeyRound size={ICON} aria-hidden />,
    onClick: () => {
      navigate({ page: 'settings', tab: 'keys' });
      showNewApiKey(true);
    },
  };
}
