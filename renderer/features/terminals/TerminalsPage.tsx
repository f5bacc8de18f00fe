/** The Terminals page: shells in containers, as tabs that can be split; what was open is found again after a reload. */
import { useEffect, useState } from 'react';
import { ActionIcon, Button, Menu, Skeleton, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Columns2, Plus, Rows2, Search, SquareTerminal, X } from 'lucide-react';
import { useLiveView } from '../../client/transport/live.ts';
import { api, orpc } from '../../client/transport/orpc.ts';
import { navigate } from '../../state/route.ts';
import { useSelection } from '../../state/selection.ts';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import { Empty } from '../../ui/primitives/Notice.tsx';
import { Unread } from '../../ui/domain/LoadError.tsx';
import page from '../../ui/theme/page.module.css';
import { joined, split, tabOf, without, type Pane, type Tab } from './layout.ts';
import { TerminalPane } from './TerminalPane.tsx';
import styles from './terminals.module.css';
import { changeLayout, newId, setJoined, useTerminals } from './terminalStore.ts';
import { targetKey, useTargets, type NamedTarget } from './useTargets.ts';

/** `podId`: a terminal into it is opened, unless there is one. */
export default function TerminalsPage({ podId }: { podId: string | null }) {
  const accountId = useSelection((selection) => selection.accountId);
  return <Terminals key={accountId} accountId={accountId} podId={podId} />;
}

function Terminals({ accountId, podId }: { accountId: string; podId: string | null }) {
  const { layout, joined: isJoined } = useTerminals(accountId);
  const targets = useTargets(accountId);
  const [focusedId, setFocused] = useState<string | null>(null);
  const [finding, setFinding] = useState<string | null>(null);
  const sessions = useLiveView(
    useQuery(orpc.terminals.list.queryOptions({ input: { accountId }, enabled: !isJoined, retry: false })),
  );

  useEffect(() => {
    if (isJoined || sessions.now === undefined) return;
    const open = sessions.now;
    changeLayout(accountId, (kept) => joined(kept, open, newId));
    setJoined(accountId);
  }, [accountId, isJoined, sessions.now]);
  useEffect(() => {
    if (!isJoined || podId === null) return;
    changeLayout(accountId, (kept) => {
      const there = kept.tabs.find(({ panes }) => panes.some(({ targetId }) => targetId === podId));
      if (there) return { ...kept, active: there.id };
      const tab = tabOf({ kind: 'pod', targetId: podId }, newId);
      return { tabs: [...kept.tabs, tab], active: tab.id };
    });
    navigate({ page: 'terminals', podId: null }, { replace: true });
  }, [accountId, isJoined, podId]);

  const titleOf = (pane: Pane): string =>
    targets.find((target) => targetKey(target) === targetKey(pane))?.name ?? pane.targetId;
  const all = layout.tabs.flatMap(({ panes }) => panes);
  const active = layout.tabs.find(({ id }) => id === layout.active) ?? null;
  const focused = active?.panes.find(({ id }) => id === focusedId) ?? active?.panes[0] ?? null;

  const begin = ({ kind, targetId }: NamedTarget) =>
    changeLayout(accountId, (kept) => {
      const tab = tabOf({ kind, targetId }, newId);
      return { tabs: [...kept.tabs, tab], active: tab.id };
    });
  /** Its shell ends: a terminal that nobody shows would run on unseen. */
  const close = (pane: Pane) => {
    changeLayout(accountId, (kept) => without(kept, pane.id));
    // One that has ended already is not there any more.
    if (pane.session !== null) void api.terminals.close({ accountId, session: pane.session }).catch(() => undefined);
  };
  const divide = (direction: Tab['direction']) => {
    if (focused) changeLayout(accountId, (kept) => split(kept, focused.id, direction, newId));
  };

  return (
    <div className={page.page}>
      <header className={page.pageHead}>
        <PageTitle />
        <div className={styles.tabs} role="tablist" aria-label="Terminals">
          {layout.tabs.map((tab) => (
            <button
              key={tab.id}
              type="button"
              role="tab"
              id={`tab-${tab.id}`}
              aria-selected={tab === active}
              className={styles.tab}
              onClick={() => changeLayout(accountId, (kept) => ({ ...kept, active: tab.id }))}
            >
              {tab.panes[0] && titleOf(tab.panes[0])}
              {tab.panes.length > 1 && <em>{tab.panes.length}</em>}
            </button>
          ))}
        </div>
        <NewTerminal targets={targets} onBegin={begin} />
        {focused && (
          <div className={styles.tools}>
            <Tool label="Find" icon={Search} onClick={() => setFinding(focused.id)} />
            <Tool label="Split, beside" icon={Columns2} onClick={() => divide('row')} />
            <Tool label="Split, below" icon={Rows2} onClick={() => divide('column')} />
            <Tool label="Close the terminal and end its shell" icon={X} onClick={() => close(focused)} />
          </div>
        )}
      </header>
      <div className={styles.place}>
        <Card grow aria-label="Terminals" role="region">
          {!isJoined && sessions.problem === null && (
            <div className={styles.loading} role="group" aria-label="Loading" aria-busy="true">
              <Skeleton h={12} w="40%" radius={4} />
              <Skeleton h={12} w="25%" radius={4} />
            </div>
          )}
          {!isJoined && sessions.problem !== null && (
            <Unread
              capability="pods"
              title="The terminals could not be read"
              problem={sessions.problem}
              retry={sessions.retry}
            />
          )}
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
                    title={`Terminal ${all.indexOf(pane) + 1} in ${titleOf(pane)}`}
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
        <ActionIcon aria-label="New terminal" disabled={targets.length === 0}>
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
        title="Nothing to open a terminal into"
        action={<Button onClick={() => navigate({ page: 'pods', podId: null, tab: 'overview' })}>Show Pods</Button>}
      >
        Terminals lead into Pods, and into workers that run in containers. Deploy a Pod first.
      </Empty>
    );
  }
  return (
    <div className={page.begin}>
      <strong>No terminal is open</strong>
      <p>Open one into:</p>
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
            <span>{target.reason ?? (target.kind === 'pod' ? 'a Pod that runs' : 'a worker in a container')}</span>
          </button>
        ))}
      </div>
    </div>
  );
}
