/** What stands below or over the screen of a terminal: its connection, and questions before a copy or a paste. */
import { Button } from '@mantine/core';
import { useAway } from '../../../client/away.ts';
import { ConfirmDialog } from '../../primitives/ConfirmDialog.tsx';
import { Notice } from '../../primitives/Notice.tsx';
import { NoShellNotice, type NoShellNoticeProps } from '../NoShellNotice.tsx';
import { SshQuestionNotice } from '../../domain/SshQuestionNotice.tsx';
import pieces from '../../theme/pieces.module.css';
import { counted, t } from '../../../language/text.ts';
import { beginningOf, type PendingPaste } from './pasteGuard.ts';
import type { LinkState } from './terminalLink.ts';
import styles from '../terminal.module.css';
import { copyText } from '../../clipboard/copyText.ts';

/** How the end of a shell is told without a special reason; "has ended" by engines of earlier versions. */
const PLAIN_END = /^The shell (exited|has ended)/;

interface ConnectionNoticeProps {
  state: LinkState;
  /** Whether its shell is at the other end of the person's `ssh` program. */
  isSsh: boolean;
  /** The state of its Pod, in which there is no shell; false if that is not the reason. */
  noShell: false | Pick<NoShellNoticeProps, 'accountId' | 'row' | 'isPodShown'>;
  onRetry: () => void;
  /** Starts the next shell after the end of one. */
  onNext: () => void;
  onClose: () => void;
}

export function ConnectionNotice({ state, isSsh, noShell, onRetry, onNext, onClose }: ConnectionNoticeProps) {
  const away = useAway();
  const retry = <Button size="xs" variant="default" onClick={onRetry}>{t`Retry now`}</Button>;
  // The banner says why, and when it is tried again.
  if (state.kind === 'lost' && away !== null)
    return <p className={pieces.asOf}>{t`Not connected. What you type is not sent.`}</p>;
  if (state.kind === 'lost') {
    return (
      <Notice
        tone="wait"
        title={t`Connection lost.`}
        action={retry}
      >{t`${state.why} Hangar keeps trying. Press Enter to try now.`}</Notice>
    );
  }
  // A list that was read before the Pod was made does not have it.
  const isWaiting = state.kind === 'attaching' && state.waitsFor !== null && noShell !== false && noShell.row !== null;
  if (noShell !== false && (isWaiting || state.kind === 'ended' || (state.kind === 'refused' && !state.question))) {
    return (
      <NoShellNotice
        {...noShell}
        isWaiting={isWaiting}
        // A shell that was refused begins by itself once its Pod is started.
        onStart={state.kind === 'ended' ? onNext : () => undefined}
        onClose={onClose}
      />
    );
  }
  if (state.kind === 'attaching' && state.waitsFor !== null) {
    return (
      <Notice tone="wait" title={t`Its container is not running yet.`}>
        {t`The terminal opens as soon as the container runs. What you type is kept until then.`}
        {/* What an engine says that knows no step. The title says as much. */}
        {state.waitsFor !== 'Its container is not running yet.' && ` ${t`Now: ${state.waitsFor}`}`}
      </Notice>
    );
  }
  if (state.kind === 'refused') {
    if (state.question !== null)
      return <SshQuestionNotice question={state.question} why={state.why} onAnswered={onRetry} />;
    return (
      <Notice tone="bad" title={t`No connection.`} action={retry}>
        {state.why}
      </Notice>
    );
  }
  if (state.kind !== 'ended') return null;
  const answers = (
    <>
      <Button size="xs" variant="default" onClick={onNext}>
        {isSsh ? t`Connect again` : t`New shell`}
      </Button>
      <Button size="xs" variant="default" onClick={onClose}>{t`Close`}</Button>
    </>
  );
  return (
    <Notice
      tone="off"
      title={state.exitCode === null ? state.reason : t`The shell exited with code ${state.exitCode}.`}
      action={answers}
    >
      {/* Of most shells the reason says no more than the exit code. */}
      {state.exitCode !== null && !PLAIN_END.test(state.reason) && `${state.reason} `}
      {isSsh ? t`Press Enter to connect again.` : t`Press Enter for a new one.`}
    </Notice>
  );
}

/** A program asks to copy a text (OSC 52). It is copied only after a click, because a program can replace a copied command. */
export function CopyRequest({ text, onAnswered }: { text: string; onAnswered: () => void }) {
  const start = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return (
    <Notice
      tone="wait"
      title={counted(
        text.length,
        'A program in this terminal wants to copy {0} character.',
        'A program in this terminal wants to copy {0} characters.',
      )}
      action={
        <>
          <Button
            size="xs"
            variant="default"
            onClick={() => {
              void copyText(text);
              onAnswered();
            }}
          >{t`Copy`}</Button>
          <Button size="xs" variant="default" onClick={onAnswered}>{t`Ignore`}</Button>
        </>
      }
    >
      <code>{start}</code>
    </Notice>
  );
}

interface PasteQuestionProps {
  /** Null while nothing is asked. */
  paste: PendingPaste | null;
  onAnswered: (isWanted: boolean) => void;
}

export function PasteQuestion({ paste, onAnswered }: PasteQuestionProps) {
  return (
    <ConfirmDialog
      opened={paste !== null}
      onClose={() => onAnswered(false)}
      title={counted(paste?.lines ?? 0, 'Paste {0} line?', 'Paste {0} lines?')}
      action={t`Paste`}
      busy={false}
      problem={null}
      onConfirm={() => onAnswered(true)}
    >
      {paste !== null && <Pasted paste={paste} />}
    </ConfirmDialog>
  );
}

function Pasted({ paste }: { paste: PendingPaste }) {
  const { text, more } = beginningOf(paste);
  return (
    <>
      <p>
        {paste.isHeldBack
          ? t`The program in the terminal runs none of it until you press Enter.`
          : t`The shell runs each line as a command, as soon as it arrives.`}
      </p>
      <pre className={styles.pasted}>{text}</pre>
      {more > 0 && <p>{counted(more, 'and {0} more line', 'and {0} more lines')}</p>}
    </>
  );
}
