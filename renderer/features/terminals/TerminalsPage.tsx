/** The Terminals page: shells as tabs of panes. Open terminals return after a reload. */
import { useEffect, useState } from 'react';
import { ActionIcon, Tooltip } from '@mantine/core';
import { Columns2, Keyboard, Maximize2, Minimize2, Rows2, Search, X } from 'lucide-react';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { useCommands } from '../../state/commands.ts';
import { navigate } from '../../state/route.ts';
import { targetAccount } from '../../state/selection.ts';
import { resetZoom, zoom } from '../../state/terminalStyle.ts';
import { PageTitle } from '../../ui/page/PageTitle.tsx';
import { Card } from '../../ui/primitives/Card.tsx';
import { terminalKeys } from '../../ui/page/terminalKeys.ts';
import page from '../../ui/theme/page.module.css';
import { panesOf, withTab, type Pane, type Tab } from '../../ui/terminal/layout.ts';
import { changeLayout } from '../../ui/terminal/terminalStore.ts';
import { newId } from '../../client/newId.ts';
import { JoiningTerminals } from '../../ui/terminal/JoiningTerminals.tsx';
import { CloseQuestion } from '../../ui/terminal/CloseQuestion.tsx';
import { Begin, NewTerminal, showPods } from './NewTerminal.tsx';
import { OtherTargets } from './OtherTargets.tsx';
import { PaneGrid } from './PaneGrid.tsx';
import { SshDialog } from './SshDialog.tsx';
import { TabMenu } from './TabMenu.tsx';
import { TabStrip, type TabStripProps } from './TabStrip.tsx';
import { TerminalPane } from '../../ui/terminal/pane/TerminalPane.tsx';
import styles from './terminals.module.css';
import { showPod, useJoinedTerminals, usePodNames } from '../../ui/terminal/useJoinedTerminals.ts';
import { useTabDrag, type TabDrag } from './useTabDrag.ts';
import { useTerminalPanes, type TerminalPanes } from '../../ui/terminal/useTerminalPanes.ts';
import { sshTarget, targetKey, useSshHosts, useTargets, type NamedTarget, type SshHosts } from './useTargets.ts';
import { counted, t } from '../../language/text.ts';

/** `podId`: opens a terminal into this Pod, unless there is one. */
export default function TerminalsPage({ podId }: { podId: string | null }) {
  const accountId = targetAccount.use();
  /** A shell of this computer is wanted from the page of another target. */
  const [beginsHere, setBeginsHere] = useState(false);
  return (
    <Terminals
      key={accountId}
      accountId={accountId}
      podId={podId}
      beginsHere={beginsHere && accountId === THIS_MACHINE}
      onBeginHere={(isWanted) => {
        setBeginsHere(isWanted);
        if (isWanted) targetAccount.set(THIS_MACHINE);
      }}
    />
  );
}

interface CommandsOf {
  panes: TerminalPanes;
  tabs: readonly Tab[];
  targets: readonly NamedTarget[];
  ssh: SshHosts | null;
  isJoined: boolean;
  titleOf: (pane: Pane) => string;
  close: (panes: Pane[], title: string) => void;
  onFind: (paneId: string) => void;
  onAskForHost: () => void;
}

function useTerminalCommands(options: CommandsOf): void {
  const { panes, tabs, targets, ssh, isJoined, titleOf, close, onFind, onAskForHost } = options;
  const { active, focused, shown } = panes;
  const at = active === null ? -1 : tabs.indexOf(active);
  useCommands([
    ...targets.map(
      (target) =>
        target.reason === null && {
          label: target.kind === 'host' ? t`New terminal on this computer` : t`New terminal in ${target.name}`,
          run: () => panes.begin(target),
        },
    ),
    ...(ssh?.hosts ?? []).map((host) => ({
      label: t`New terminal at ${host} over SSH`,
      run: () => panes.begin(sshTarget(host)),
    })),
    ssh?.problem === null && { label: t`New terminal over SSH…`, run: onAskForHost },
    focused && {
      label: t`New terminal in the same place`,
      keys: terminalKeys.open,
      run: () => panes.beginBeside(focused),
    },
    focused && { label: t`Find in the terminal`, keys: terminalKeys.find, run: () => onFind(focused.id) },
    focused && { label: t`Split side by side`, keys: terminalKeys.splitRow, run: () => panes.divide('row') },
    focused && { label: t`Split top and bottom`, keys: terminalKeys.splitColumn, run: () => panes.divide('column') },
    ...tabs.map((tab, index) => {
      const [first] = panesOf(tab.root);
      return (
        focused &&
        tab !== active &&
        first && {
          label: t`Put terminal ${index + 1} in ${titleOf(first)} beside this one`,
          run: () => panes.join(tab.id, focused, 'right'),
        }
      );
    }),
    focused && shown.length > 1 && { label: t`Move the pane to a tab of its own`, run: () => panes.separate(focused) },
    focused && {
      label: t`Close the terminal and end its shell`,
      keys: terminalKeys.close,
      run: () => close([focused], titleOf(focused)),
    },
    shown.length > 1 && {
      label: active !== null && panes.aloneIn(active) !== null ? t`Show all panes` : t`Zoom this terminal`,
      keys: terminalKeys.alone,
      run: panes.toggleAlone,
    },
    shown.length > 1 && { label: t`Next pane`, keys: terminalKeys.nextPane, run: () => panes.toPane(1) },
    shown.length > 1 && { label: t`Previous pane`, keys: terminalKeys.previousPane, run: () => panes.toPane(-1) },
    shown.length > 1 && { label: t`Type into all panes of the tab`, run: panes.toggleBroadcast },
    tabs.length > 1 && { label: t`Next tab`, keys: terminalKeys.nextTab, run: () => panes.toTab(1) },
    tabs.length > 1 && { label: t`Previous tab`, keys: terminalKeys.previousTab, run: () => panes.toTab(-1) },
    active && at > 0 && { label: t`Move the tab to the left`, run: () => panes.move(active.id, at - 1) },
    active && at < tabs.length - 1 && { label: t`Move the tab to the right`, run: () => panes.move(active.id, at + 1) },
    focused && { label: t`Larger text`, keys: terminalKeys.larger, run: () => zoom(1) },
    focused && { label: t`Smaller text`, keys: terminalKeys.smaller, run: () => zoom(-1) },
    focused && { label: t`Default text size`, keys: terminalKeys.usual, run: resetZoom },
    ...tabs.map((tab, index) => {
      const [first] = panesOf(tab.root);
      return (
        tab !== active &&
        first && { label: t`Show terminal ${index + 1} in ${titleOf(first)}`, run: () => panes.select(tab) }
      );
    }),
    isJoined && !targets.some(({ kind }) => kind !== 'host') && { label: t`Show Pods`, run: showPods },
  ]);
}

/**
 * With the name of its place alone, the question would seem to be about that computer itself. Null if the name is
 * clear.
 */
function closedName(closed: readonly Pane[]): string | null {
  const [first] = closed;
  if (first === undefined || closed.some(({ kind }) => kind !== first.kind)) return null;
  const isOne = closed.length === 1;
  if (first.kind === 'host') return isOne ? t`the shell of this computer` : t`the shells of this computer`;
  if (first.kind === 'ssh') return isOne ? t`the terminal at ${first.targetId}` : t`the terminals over SSH`;
  return null;
}

/** A pane that an earlier version stored has no name. */
const deletedName = ({ name }: Pane): string => (name === undefined ? t`Deleted Pod` : t`${name} (deleted)`);

/** The targets, and what a pane is called by its target. */
function usePlaces(accountId: string) {
  const places = useTargets(accountId);
  const { targets, isKnown, unread } = places;
  usePodNames(
    accountId,
    targets.flatMap(({ kind, targetId: id, name }) => (kind === 'pod' ? { id, name } : [])),
  );
  const titleOf = (pane: Pane): string =>
    targets.find((target) => targetKey(target) === targetKey(pane))?.name ??
    (pane.kind === 'pod' && isKnown && unread === null ? deletedName(pane) : (pane.name ?? pane.targetId));
  return { ...places, titleOf };
}

interface TerminalsProps {
  accountId: string;
  podId: string | null;
  /** Opens a shell of this computer, which is the target. */
  beginsHere: boolean;
  /** False: it was opened. */
  onBeginHere: (isWanted: boolean) => void;
}

function Terminals({ accountId, podId, beginsHere, onBeginHere }: TerminalsProps) {
  const { layout, isJoined, sessions } = useJoinedTerminals(accountId);
  useEffect(() => {
    if (!isJoined || !beginsHere) return;
    onBeginHere(false);
    changeLayout(accountId, (before) => withTab(before, { kind: 'host', targetId: 'host' }, newId));
  }, [accountId, isJoined, beginsHere, onBeginHere]);
  useEffect(() => {
    if (!isJoined || podId === null) return;
    showPod(accountId, podId);
    navigate({ page: 'terminals', podId: null }, { replace: true });
  }, [accountId, isJoined, podId]);
  const { targets, isKnown, unread, retry, titleOf } = usePlaces(accountId);
  const ssh = useSshHosts(accountId);
  const [asksForHost, setAsksForHost] = useState(false);
  const panes = useTerminalPanes(accountId, layout);
  const [finding, setFinding] = useState<string | null>(null);
  /** What the shells call themselves, by the id of the pane. */
  const [shellTitles, setShellTitles] = useState<Readonly<Record<string, string>>>({});
  const { active, focused, shown, broadcastId } = panes;
  const { tabs } = layout;
  const drag = useTabDrag(panes, tabs);

  const close = (closed: Pane[], title: string) => panes.close(closed, closedName(closed) ?? title);
  const namesOf = (tab: Tab) => {
    const inTab = panesOf(tab.root);
    const pane = inTab.find(({ id }) => id === focused?.id) ?? inTab[0];
    const place = pane === undefined ? '' : titleOf(pane);
    const shellTitle = pane === undefined ? '' : (shellTitles[pane.id] ?? '');
    return { title: shellTitle === '' ? place : `${place} · ${shellTitle}`, place };
  };
  const all = tabs.flatMap(({ root }) => panesOf(root));
  const begin = {
    targets,
    unread,
    ssh,
    onBegin: panes.begin,
    onAskForHost: () => setAsksForHost(true),
    onBeginHere: accountId === THIS_MACHINE ? null : () => onBeginHere(true),
  };
  useTerminalCommands({ ...begin, panes, tabs, isJoined, titleOf, close, onFind: setFinding });

  return (
    <div className={page.page}>
      <header className={page.pageHead}>
        <PageTitle />
        <TabBar
          tabs={tabs}
          active={layout.active}
          panes={panes}
          drag={drag}
          namesOf={namesOf}
          onClose={(tab) => close(panesOf(tab.root), namesOf(tab).title)}
        />
        <NewTerminal {...begin} />
        <OtherTargets accountId={accountId} />
        {focused && (
          <Tools
            panes={panes}
            isBroadcast={broadcastId === active?.id}
            isAlone={active !== null && panes.aloneIn(active) !== null}
            onFind={() => setFinding(focused.id)}
            onClose={() => close([focused], titleOf(focused))}
            paneCount={shown.length}
          />
        )}
      </header>
      <div className={styles.body}>
        <Card grow aria-label={t`Terminals`} role="region">
          {(!isJoined || (tabs.length === 0 && !isKnown)) && <JoiningTerminals {...sessions} />}
          {isJoined && tabs.length === 0 && isKnown && <Begin {...begin} retry={retry} />}
          {isJoined &&
            tabs.map((tab) => (
              <PaneGrid
                key={tab.id}
                tab={tab}
                isShown={tab === active}
                isBroadcast={tab.id === broadcastId}
                focusedId={focused?.id ?? null}
                aloneId={panes.aloneIn(tab)?.id ?? null}
                onResize={panes.resize}
                draggedTab={drag.dragged}
                onOwnTab={drag.onOwnTab}
                onDropTab={drag.onDropTab}
              >
                {(pane) => (
                  <TerminalPane
                    accountId={accountId}
                    pane={pane}
                    title={t`Terminal ${all.indexOf(pane) + 1} in ${titleOf(pane)}`}
                    finding={finding === pane.id}
                    onFind={(open) => setFinding(open ? pane.id : null)}
                    onFocus={() => panes.setFocused(pane.id)}
                    onClose={() => close([pane], titleOf(pane))}
                    onShellTitle={(name) => setShellTitles((before) => ({ ...before, [pane.id]: name }))}
                    onTyped={(data) => panes.typeIntoAll(tab, data)}
                    onHandle={(handle) => panes.setHandle(pane.id, handle)}
                  />
                )}
              </PaneGrid>
            ))}
        </Card>
      </div>
      <CloseQuestion closing={panes.closing} onAnswered={panes.answerClosing} />
      {asksForHost && ssh !== null && (
        <SshDialog
          ssh={ssh}
          onConnect={(destination) => panes.begin(sshTarget(destination))}
          onClose={() => setAsksForHost(false)}
        />
      )}
    </div>
  );
}

interface TabBarProps extends Pick<TabStripProps, 'tabs' | 'active' | 'namesOf' | 'onClose'> {
  panes: TerminalPanes;
  drag: TabDrag;
}

/** The tabs, and the menu of one of them. */
function TabBar({ panes, drag, ...props }: TabBarProps) {
  const { tabs, namesOf, onClose } = props;
  const [menu, setMenu] = useState<{ tab: Tab; at: { x: number; y: number } } | null>(null);
  return (
    <>
      <TabStrip
        {...props}
        onSelect={(id) => panes.select(tabs.find((tab) => tab.id === id))}
        onMove={panes.move}
        isAlone={(tab) => panes.aloneIn(tab) !== null}
        dragged={drag.dragged}
        onDrag={drag.onDrag}
        onMenu={(tab, at) => setMenu({ tab, at })}
      />
      {menu !== null && (
        <TabMenu
          {...menu}
          tabs={tabs}
          title={namesOf(menu.tab).title}
          focused={panes.focused}
          onMove={panes.move}
          onJoin={panes.join}
          onSeparate={panes.separate}
          onClose={onClose}
          onLeave={() => setMenu(null)}
        />
      )}
    </>
  );
}

interface ToolsProps {
  panes: TerminalPanes;
  isBroadcast: boolean;
  /** One pane is shown, and the others are hidden. */
  isAlone: boolean;
  paneCount: number;
  onFind: () => void;
  onClose: () => void;
}

function Tools({ panes, isBroadcast, isAlone, paneCount, onFind, onClose }: ToolsProps) {
  return (
    <div className={styles.tools}>
      {isBroadcast && <span className={styles.broadcast}>{t`Typing goes to all ${paneCount} panes`}</span>}
      {isAlone && (
        <span className={styles.broadcast}>
          {counted(paneCount - 1, '{0} pane of the tab is hidden', '{0} panes of the tab are hidden')}
        </span>
      )}
      {paneCount > 1 && (
        <Tool
          label={isAlone ? t`Show all panes` : t`Zoom this terminal`}
          icon={isAlone ? Minimize2 : Maximize2}
          isPressed={isAlone}
          onClick={panes.toggleAlone}
        />
      )}
      {paneCount > 1 && (
        <Tool
          label={t`Type into all panes of the tab`}
          icon={Keyboard}
          isPressed={isBroadcast}
          onClick={panes.toggleBroadcast}
        />
      )}
      <Tool label={t`Find`} icon={Search} onClick={onFind} />
      <Tool label={t`Split side by side`} icon={Columns2} onClick={() => panes.divide('row')} />
      <Tool label={t`Split top and bottom`} icon={Rows2} onClick={() => panes.divide('column')} />
      <Tool label={t`Close the terminal and end its shell`} icon={X} onClick={onClose} />
    </div>
  );
}

interface ToolProps {
  label: string;
  icon: typeof Search;
  /** Of a switch. */
  isPressed?: boolean;
  onClick: () => void;
}

function Tool({ label, icon: Icon, isPressed, onClick }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        aria-label={label}
        {...(isPressed !== undefined && { 'aria-pressed': isPressed, 'data-pressed': isPressed || undefined })}
        onClick={onClick}
      >
        <Icon size={15} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
