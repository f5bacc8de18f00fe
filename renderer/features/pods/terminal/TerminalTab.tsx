/** One terminal into a Pod. It is a pane of the Terminals page, too, and goes on there. */
import { useEffect, useState } from 'react';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { Search, SquareArrowOutUpRight, X } from 'lucide-react';
import { useCommands } from '../../../state/commands.ts';
import { navigate } from '../../../state/route.ts';
import { resetZoom, zoom } from '../../../state/terminalStyle.ts';
import { terminalKeys } from '../../../ui/page/terminalKeys.ts';
import { Empty } from '../../../ui/primitives/Notice.tsx';
import { CloseQuestion } from '../../../ui/terminal/CloseQuestion.tsx';
import { JoiningTerminals } from '../../../ui/terminal/JoiningTerminals.tsx';
import { panesOf } from '../../../ui/terminal/layout.ts';
import { TerminalPane } from '../../../ui/terminal/pane/TerminalPane.tsx';
import { paneOfPod, showPod, useJoinedTerminals, usePodNames } from '../../../ui/terminal/useJoinedTerminals.ts';
import { useTerminalPanes } from '../../../ui/terminal/useTerminalPanes.ts';
import styles from './terminalTab.module.css';
import { counted, t } from '../../../language/text.ts';

interface TerminalTabProps {
  accountId: string;
  pod: { id: string; name: string };
  /** Why no terminal can be opened, as a title and what to do; null if one can. */
  whyNot: { title: string; text: string } | null;
}

const hasNoOtherPanes = () => false;

/**
 * Whether the keyboard or a text field has the focus. A terminal then leaves it there: the arrows go on from tab to
 * tab. After a click, what a person types is for the terminal.
 */
const isAtKeyboardFocus = (): boolean => document.activeElement?.matches(':focus-visible') ?? false;

export default function TerminalTab({ accountId, pod, whyNot }: TerminalTabProps) {
  const { layout, isJoined, sessions } = useJoinedTerminals(accountId);
  usePodNames(accountId, [pod]);
  const panes = useTerminalPanes(accountId, layout);
  const [isFinding, setFinding] = useState(false);
  /** False once the person has closed it: then the next one begins only when asked for. */
  const [isWanted, setWanted] = useState(true);
  const pane = paneOfPod(layout, pod.id);
  const count = layout.tabs.flatMap(({ root }) => panesOf(root)).filter(({ targetId }) => targetId === pod.id).length;
  const isMissing = isJoined && pane === null && isWanted && whyNot === null;
  useEffect(() => {
    if (isMissing) showPod(accountId, pod.id);
  }, [accountId, pod.id, isMissing]);

  const toTerminals = () => navigate({ page: 'terminals', podId: pod.id });
  const close = () => {
    if (pane === null) return;
    setWanted(false);
    panes.close([pane], pod.name);
  };
  useCommands([
    pane && { label: t`Find in the terminal`, keys: terminalKeys.find, run: () => setFinding(true) },
    pane && { label: t`Open this terminal in Terminals`, run: toTerminals },
    pane && { label: t`Close the terminal and end its shell`, keys: terminalKeys.close, run: close },
    pane && { label: t`Larger text`, keys: terminalKeys.larger, run: () => zoom(1) },
    pane && { label: t`Smaller text`, keys: terminalKeys.smaller, run: () => zoom(-1) },
    pane && { label: t`Default text size`, keys: terminalKeys.usual, run: resetZoom },
  ]);

  if (!isJoined) return <JoiningTerminals {...sessions} />;
  if (pane === null) {
    if (whyNot !== null) return <Empty title={whyNot.title}>{whyNot.text}</Empty>;
    return (
      <Empty
        title={t`No terminal is open`}
        action={<Button onClick={() => setWanted(true)}>{t`Open a terminal`}</Button>}
      />
    );
  }
  return (
    <div className={styles.terminal}>
      <div className={styles.tools}>
        <span className={styles.count}>
          {count > 1 && counted(count, '{0} terminal in this Pod', '{0} terminals in this Pod; the first is shown')}
        </span>
        <Tooltip label={t`Find`}>
          <ActionIcon aria-label={t`Find in the terminal`} onClick={() => setFinding(true)}>
            <Search size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Button
          size="xs"
          variant="default"
          leftSection={<SquareArrowOutUpRight size={12} aria-hidden />}
          onClick={toTerminals}
        >{t`Open in Terminals`}</Button>
        <Tooltip label={t`Close the terminal and end its shell`}>
          <ActionIcon aria-label={t`Close the terminal and end its shell`} onClick={close}>
            <X size={14} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </div>
      <TerminalPane
        key={pane.id}
        accountId={accountId}
        pane={pane}
        title={t`Terminal in ${pod.name}`}
        takesFocus={!isAtKeyboardFocus()}
        isPodShown
        finding={isFinding}
        onFind={setFinding}
        onFocus={() => panes.setFocused(pane.id)}
        onClose={close}
        onShellTitle={() => undefined}
        onTyped={hasNoOtherPanes}
        onHandle={(handle) => panes.setHandle(pane.id, handle)}
      />
      <CloseQuestion closing={panes.closing} onAnswered={panes.answerClosing} />
    </div>
  );
}
