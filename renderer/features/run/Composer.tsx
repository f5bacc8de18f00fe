/** The left side of Run: the request body, its policy, its size, its code, and the one button that sends it. */
import { Suspense, useDeferredValue, useState } from 'react';
import { Button, Group, Kbd, Skeleton, Tooltip, UnstyledButton } from '@mantine/core';
import { Play } from 'lucide-react';
import type { RunMode } from '#contract/app/ledger.ts';
import { Card } from '../../ui/primitives/Card.tsx';
import { keyLabel } from '../../ui/primitives/shortcuts.ts';
import { lazyPart } from '../../ui/primitives/lazyPart.ts';
import { CodeLinks } from './CodePopover.tsx';
import { bodySize, lintRequest } from './lintRequest.ts';
import { PolicyRow } from './PolicyRow.tsx';
import styles from './run.module.css';
import type { SnippetRequest } from './snippets.ts';

const JsonEditor = lazyPart(() => import('./JsonEditor.tsx'));

interface ComposerProps {
  draftKey: string;
  text: string;
  onText: (text: string) => void;
  sample: string | null;
  mode: RunMode;
  /** "this computer", "work account": stands on the button. */
  targetName: string;
  /** Whether a run there costs money. */
  spends: boolean;
  /** Why nothing can be sent now, for a person; null when it can. */
  blocked: string | null;
  unkept: boolean;
  code: Omit<SnippetRequest, 'body' | 'mode'> | null;
  sending: boolean;
  onRun: () => void;
}

export function Composer(props: ComposerProps) {
  const { draftKey, text, onText, sample, mode, targetName, spends, blocked, unkept, code, sending, onRun } = props;
  const [reveal, setReveal] = useState(0);
  const [asked, setAsked] = useState<string | null>(null);
  // The size may lag behind the typing of a large body; the send itself looks at the text as it is.
  const shown = useDeferredValue(text);
  const size = bodySize(shown, mode);
  const problem = asked === shown ? lintRequest(shown)[0] : undefined;

  const run = () => {
    if (blocked !== null || sending) return;
    setAsked(text);
    if (lintRequest(text).length > 0) setReveal((count) => count + 1);
    else if (!bodySize(text, mode).tooLarge) onRun();
  };

  const hint = blocked ?? (problem ? `Not sent. Line ${problem.line}: ${problem.message}` : sizeHint(size, mode));
  return (
    <>
      <Card grow aria-label="Request">
        <div className={styles.cardHead}>
          <h2>Input</h2>
          {sample !== null && sample !== text && (
            <UnstyledButton className={styles.codeLink} onClick={() => onText(sample)}>
              Use the sample
            </UnstyledButton>
          )}
        </div>
        <div className={styles.editor}>
          <Suspense fallback={<EditorSkeleton />}>
            <JsonEditor documentKey={draftKey} text={text} onChange={onText} onRun={run} revealProblem={reveal} />
          </Suspense>
        </div>
        <div className={styles.row}>
          <PolicyRow text={text} onChange={onText} />
          {unkept && <span className={styles.quiet}>Too large to be kept over a reload</span>}
        </div>
        <div className={styles.row}>
          <span className={styles.size} data-wrong={size.tooLarge || undefined}>
            {size.words}
            <span
              className={styles.meter}
              role="meter"
              aria-label="Size of the body"
              aria-valuemin={0}
              aria-valuemax={size.limit}
              aria-valuenow={Math.min(size.bytes, size.limit)}
              aria-valuetext={size.words}
            >
              <i style={{ width: `${Math.min(100, (100 * size.bytes) / size.limit)}%` }} />
            </span>
          </span>
          <CodeLinks request={code && { ...code, mode, body: shown }} />
        </div>
      </Card>
      <div className={styles.send}>
        <Tooltip label={blocked} disabled={blocked === null}>
          <Button
            leftSection={<Play size={13} fill="currentColor" aria-hidden />}
            rightSection={<Kbd aria-hidden>{keyLabel('Mod+Enter')}</Kbd>}
            aria-keyshortcuts="Control+Enter Meta+Enter"
            aria-disabled={blocked !== null || undefined}
            {...(blocked !== null && { 'data-disabled': true })}
            data-spends={spends || undefined}
            loading={sending}
            onClick={run}
          >
            Run on {targetName}
            {spends && ' · costs money'}
          </Button>
        </Tooltip>
        {hint !== null && (
          <p className={styles.hint} data-wrong={problem !== undefined || size.tooLarge || undefined} role="alert">
            {hint}
          </p>
        )}
      </div>
    </>
  );
}

function sizeHint(size: { tooLarge: boolean; words: string }, mode: RunMode): string | null {
  if (!size.tooLarge) return null;
  const way = mode === 'run' ? 'Wait for the result instead (20 MB), or pass' : 'Pass';
  return `The body is too large: ${size.words}. ${way} a link to the data.`;
}

export function EditorSkeleton() {
  const widths = ['8%', '24%', '86%', '40%', '12%', '6%'];
  return (
    <Group gap={9} p="14px 18px" style={{ flexDirection: 'column', alignItems: 'flex-start' }} aria-hidden>
      {widths.map((width, index) => (
        <Skeleton key={index} h={10} w={width} ml={index > 0 && index < 5 ? 26 : 10} radius={4} />
      ))}
    </Group>
  );
}
