/** The Terminals page: shells in containers, as tabs that can be split. Open terminals return after a reload. */
import { useEffect, useState } from 'react';
import { ActionIcon, Button, Menu, Skeleton, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Columns2, Plus, Rows2, Search, SquareTerminal, X } from 'lucide-react';
import { useLiveView } from '../../client/transport/live.ts';
import { api, orpc } from '../../client/transport/orpc.ts';
import { useCommands } from '../../state/commands.ts';
import { navigate } from '../../state/route.ts';
import { targetAccount } from '../../state/selection.ts';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { isApple } from '../../ui/primitives/shortcuts.ts';
import { LoadError } from '../../ui/domain/LoadError.tsx';
import page from '../../ui/theme/page.module.css';
import { joined, split, without, withTab, type Layout, type Pane, type Tab } from './layout.ts';
import { TerminalPane } from './TerminalPane.tsx';
import styles from './terminals.module.css';
import { changeLayout, newId, setJoined, useTerminals } from './terminalStore.ts';
import { targetKey, useTargets, type NamedTarget } from './useTargets.ts';
import { t } from '../../language/text.ts';

/** The keys of the search, which copyRule.ts leaves to the page. */
const FIND_KEYS = isApple ? 'Mod+F' : 'Mod+Shift+F';

/** `podId`: opens a terminal into this Pod, unless there is one. */
export default function TerminalsPage({ podId }: { podId: string | null }) {
  const accountId = targetAccount.use();
  return <Terminals key={accountId} accountId={accountId} podId={podId} />;
}

/**
 * The layout of an account. Its sessions join the layout after they are loaded. Then a terminal into `podId` opens,
 * unless there is one.
 */
function useJoinedTerminals(accountId: string, podId: string | null) {
  const { layout, isJoined } = useTerminals(accountId);
  const sessions = useLiveView(
    useQuery(orpc.terminals.list.queryOptions({ input: { accountId }, enabled: !isJoined, retry: false })),
  );
  useEffect(() => {
    if (isJoined || sessions.now === undefined) return;
    const open = sessions.now;
    changeLayout(accountId, (before) => joined(before, open, newId));
    setJoined(accountId);
  }, [accountId, isJoined, sessions.now]);
  useEffect(() => {
    if (!isJoined || podId === null) return;
    changeLayout(accountId, (before) => {
      const there = before.tabs.find(({ panes }) => panes.some(({ targetId }) => targetId === podId));
      return there ? { ...before, active: there.id } : withTab(before, { kind: 'pod', targetId: podId }, newId);
    });
    navigate({ page: 'terminals', podId: null }, { replace: true });
  }, [accountId, isJoined, podId]);
  return { layout, isJoined, sessions };
}

function Terminals({ accountId, podId }: { accountId: string; podId: string | null }) {
  const { layout, isJoined, sessions } = useJoinedTerminals(accountId, podId);
  const targets = useTargets(accountId);
  const [focusedId, setFocused] = useState<string | null>(null);
  const [finding, setFinding] = useState<string | null>(null);

  const titleOf = (pane: Pane): string =>
    targets.find((target) => targetKey(target) === targetKey(pane))?.name ?? pane.targetId;
  const all = layout.tabs.flatMap(({ panes }) => panes);
  const active = layout.tabs.find(({ id }) => id === layout.active) ?? null;
  const focused = active?.panes.find(({ id }) => id === focusedId) ?? active?.panes[0] ?? null;

  const begin = ({ kind, targetId }: NamedTarget) =>
    changeLayout(accountId, (before) => withTab(before, { kind, targetId }, newId));
  /** Ends the shell, because a terminal without a pane would continue invisibly. */
  const close = (pane: Pane) => {
    changeLayout(accountId, (before) => without(before, pane.id));
    // A terminal that has already ended no longer exists.
    if (pane.session !== null) void api.terminals.close({ accountId, session: pane.session }).catch(() => undefined);
  };
  const divide = (direction: Tab['direction']) => {
    if (focused) changeLayout(accountId, (before) => split(before, focused.id, direction, newId));
  };

  const select = (id: string) => changeLayout(accountId, (before) => ({ ...before, active: id }));
  useCommands([
    ...targets.map(
      (target) => target.reason === null && { label: t`New terminal in ${target.name}`, run: () => begin(target) },
    ),
    focused && { label: t`Find in the terminal`, keys: FIND_KEYS, run: () => setFinding(focused.id) },
    focused && { label: t`Split side by side`, run: () => divide('row') },
    focused && { label: t`Split top and bottom`, run: () => divide('column') },
    focused && { label: t`Close the terminal and end its shell`, run: () => close(focused) },
    ...layout.tabs.map(
      ({ id, panes: [first] }, index) =>
        id !== layout.active &&
        first && { label: t`Show terminal ${index + 1} in ${titleOf(first)}`, run: () => select(id) },
    ),
    isJoined && targets.length === 0 && { label: t`Show Pods`, run: showPods },
  ]);

  return (
    <div className={page.page}>
      <header className={page.pageHead}>
        <PageTitle />
        <TabList layout={layout} titleOf={titleOf} onSelect={select} />
        <NewTerminal targets={targets} onBegin={begin} />
        {focused && (
          <div className={styles.tools}>
            <Tool label={t`Find`} icon={Search} onClick={() => setFinding(focused.id)} />
            <Tool label={t`Split side by side`} icon={Columns2} onClick={() => divide('row')} />
            <Tool label={t`Split top and bottom`} icon={Rows2} onClick={() => divide('column')} />
            <Tool label={t`Close the terminal and end its shell`} icon={X} onClick={() => close(focused)} />
          </div>
        )}
      </header>
      <div className={styles.place}>
        <Card grow aria-label={t`Terminals`} role="region">
          {!isJoined && <Joining {...sessions} />}
          {isJoined && layout.tabs.length === 0 && <Begin targets={targets} onBegin={begin} />}
          {isJoined &&
            layout.tabs.map((tab) => (
              <div
                key={tab.id}
                role="tabpanel"
                aria-labelledby={`tab-${tab.id}`}
                className={styles.panes}
                data-direction={tab.direction}
                hidden={tab !== active}
              >
                {tab.panes.map((pane) => (
                  <TerminalPane
                    key={pane.id}
                    accountId={accountId}
                    pane={pane}
                    title={t`Terminal ${all.indexOf(pane) + 1} in ${titleOf(pane)}`}
                    finding={finding === pane.id}
                    onFind={(open) => setFinding(open ? pane.id : null)}
                    onFocus={() => setFocused(pane.id)}
                    onClose={() => close(pane)}
                  />
                ))}
              </div>
            ))}
        </Card>
      </div>
    </div>
  );
}

interface TabListProps {
  layout: Layout;
  titleOf: (pane: Pane) => string;
  onSelect: (tabId: string) => void;
}

function TabList({ layout, titleOf, onSelect }: TabListProps) {
  return (
    <div className={styles.tabs} role="tablist" aria-label={t`Terminals`}>
      {layout.tabs.map(({ id, panes }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`tab-${id}`}
          aria-selected={id === layout.active}
          className={styles.tab}
          onClick={() => onSelect(id)}
        >
          {panes[0] && titleOf(panes[0])}
          {panes.length > 1 && <em>{panes.length}</em>}
        </button>
      ))}
    </div>
  );
}

const showPods = () => navigate({ page: 'pods', podId: null, tab: 'overview' });

/** Shown until the sessions of the account are loaded, and after a failure. */
function Joining({ problem, retry }: { problem: string | null; retry: () => void }) {
  if (problem !== null) {
    return <LoadError capability="pods" title={t`The terminals could not be read`} problem={problem} retry={retry} />;
  }
  return (
    <div className={styles.loading} role="group" aria-label={t`Loading`} aria-busy="true">
      <Skeleton h={12} w="40%" radius={4} />
      <Skeleton h={12} w="25%" radius={4} />
    </div>
  );
}

function Tool({ label, icon: Icon, onClick }: { label: string; icon: typeof Search; onClick: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} onClick={onClick}>
        <Icon size={15} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

interface TargetsProps {
  targets: readonly NamedTarget[];
  onBegin: (target: NamedTarget) => void;
}

function NewTerminal({ targets, onBegin }: TargetsProps) {
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <ActionIcon aria-label={t`New terminal`} disabled={targets.length === 0}>
          <Plus size={15} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {targets.map((target) => (
          <Menu.Item key={targetKey(target)} disabled={target.reason !== null} onClick={() => onBegin(target)}>
            {target.name}
            {target.reason !== null && `: ${target.reason}`}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Begin({ targets, onBegin }: TargetsProps) {
  if (targets.length === 0) {
    return (
      <Empty
        title={t`No running Pods or containers`}
        action={<Button onClick={showPods}>{t`Show Pods`}</Button>}
      >{t`Terminals open in Pods and in workers that run in containers. Deploy a Pod first.`}</Empty>
    );
  }
  return (
    <div className={page.begin}>
      <strong>{t`No terminal is open`}</strong>
      <p>{t`Open one in:`}</p>
      <div className={page.ways}>
        {targets.map((target) => (
          <button
            key={targetKey(target)}
            type="button"
            className={page.way}
            disabled={target.reason !== null}
            onClick={() => onBegin(target)}
          >
            <SquareTerminal size={20} strokeWidth={1.6} aria-hidden />
            <b>{target.name}</b>
            <span>{target.reason ?? (target.kind === 'pod' ? t`Running Pod` : t`Worker in a container`)}</span>
          </button>
        ))}
      </div>
    </div>
  );
}
