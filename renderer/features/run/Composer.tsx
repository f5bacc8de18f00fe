/** The left side of Run: the request body, its policy, its size, its code, and the one button that sends it. */
import { useDeferredValue, useState, type ReactNode } from 'react';
import { Kbd } from '@mantine/core';
import { useCommands } from '../../state/commands.ts';
import { Play } from 'lucide-react';
import { useShallow } from 'zustand/react/shallow';
import type { RunMode } from '#contract/app/ledger.ts';
import { Card } from '../../ui/primitives/Card.tsx';
import { keyLabel } from '../../ui/keyboard/shortcuts.ts';
import { CodeLinks, type CodeRequest } from './code/CodePopover.tsx';
import { bodySize, lintRequest, type BodySize } from './editor/lintRequest.ts';
import { inputTab, useEmptyFields, type InputSource } from './form/inputSources.ts';
import { useInputFiles, useUploading } from './files/inputFiles.ts';
import { InputTabs } from './form/InputTabs.tsx';
import { PolicyRow } from './editor/PolicyRow.tsx';
import { formatCount } from '../../ui/text/format.ts';
import { formatEstimate } from '../../ui/text/money.ts';
import { useRequestedStart } from './useRequestedStart.ts';
import { rangeWords, type UsualRuns } from './usualRuns.ts';
import styles from './run.module.css';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { NameInButton } from '../../ui/page/NameInButton.tsx';
import { rich, t } from '../../language/text.ts';

interface ComposerProps {
  draftKey: string;
  source: InputSource;
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
  isUnstored: boolean;
  code: Omit<CodeRequest, 'body' | 'mode'> | null;
  sending: boolean;
  /** What a job of the endpoint usually takes; null if there are too few. */
  usual: UsualRuns | null;
  /** US dollars that such a job costs about; null if that is not known. */
  cost: number | null;
  onRun: () => void;
}

/** From this share of the limit on, the size of the body is shown. */
const NOTED_SHARE = 0.05;

export function Composer(props: ComposerProps) {
  const { draftKey, source, text, onText, sample, mode, targetName, spends, blocked, isUnstored, code } = props;
  const { sending, usual, cost, onRun } = props;
  const [reveal, setReveal] = useState(0);
  const [checkedText, setCheckedText] = useState<string | null>(null);
  const tab = inputTab.use(draftKey);
  const emptyIn = useEmptyFields(source, draftKey);
  /** The text that was not sent because of its empty fields. Sent again unchanged, it is meant so. */
  const [heldText, setHeldText] = useState<string | null>(null);
  const empty = heldText === text ? emptyIn(text) : [];
  // The size may lag behind the typing of a large body; the send itself looks at the text as it is.
  const shown = useDeferredValue(text);
  const size = bodySize(shown, mode);
  const problem = checkedText === shown ? lintRequest(shown)[0] : undefined;

  const [fieldProblems, setFieldProblems] = useState<ReadonlyMap<string, string>>(new Map());
  // An invalid value of a field of the form is not in the text. The text must not be sent without it.
  const noteField = (name: string, problem: string | null) =>
    setFieldProblems((before) => {
      if (problem === (before.get(name) ?? null)) return before;
      const next = new Map(before);
      if (problem === null) next.delete(name);
      else next.set(name, problem);
      return next;
    });
  const [fieldProblem] = fieldProblems;

  // Its address is not in the text yet.
  const uploading = useUploading(draftKey);
  const files = useInputFiles(useShallow(({ list }) => list.filter((one) => one.draftKey === draftKey)));

  const run = () => {
    if (blocked !== null || sending || fieldProblem !== undefined || uploading !== null) return;
    setCheckedText(text);
    if (lintRequest(text).length > 0) setReveal((count) => count + 1);
    else if (heldText !== text && emptyIn(text).length > 0) setHeldText(text);
    else if (!bodySize(text, mode).tooLarge) {
      setHeldText(null);
      onRun();
    }
  };

  useRequestedStart(draftKey, source, sending, run);
  // From anywhere on the page; a dialog above it has keys of its own.
  useCommands([
    {
      label: t`Run on ${targetName}`,
      keys: 'Mod+Enter',
      isMain: true,
      ...(spends && { description: t`Costs money` }),
      run,
    },
  ]);

  const wrongField = fieldProblem && t`The field ${fieldProblem[0]}: ${fieldProblem[1]}`;
  const hint =
    blocked ??
    wrongField ??
    uploading ??
    (empty.length > 0
      ? t`Not sent. ${empty.join(', ')}: required and empty. Enter a value, or run again to send it so.`
      : null) ??
    (problem ? t`Not sent. Line ${problem.line}: ${problem.message}` : sizeHint(size, mode));
  return (
    <>
      {/* The fields of a form are read one after the other. Text is edited in a place that stays. */}
      <Card grow={tab === 'form' ? 'content' : true} aria-label={t`Request`}>
        <InputTabs
          draftKey={draftKey}
          source={source}
          text={text}
          onText={onText}
          sample={sample}
          limitBytes={size.limit}
          revealProblem={reveal}
          empty={empty}
          onFieldProblem={noteField}
        />
        <div className={styles.row} data-wraps>
          <PolicyRow text={text} onChange={onText} />
          {isUnstored && <span className={styles.quiet}>{t`Too large to keep after a reload`}</span>}
          {size.bytes > size.limit * NOTED_SHARE && <SizeMeter size={size} />}
        </div>
        <div className={styles.row}>
          <span className={styles.quiet}>{usual !== null && usualWords(usual, cost)}</span>
          <CodeLinks request={code && { ...code, mode, body: shown, files }} />
        </div>
      </Card>
      <div className={styles.send}>
        <ReasonButton
          leftSection={<Play size={13} fill="currentColor" aria-hidden />}
          rightSection={<Kbd aria-hidden>{keyLabel('Mod+Enter')}</Kbd>}
          aria-keyshortcuts="Control+Enter Meta+Enter"
          whyNot={blocked}
          data-spends={spends || undefined}
          loading={sending}
          onClick={run}
        >
          {!spends
            ? rich`Run on ${<NameInButton name={targetName} />}`
            : cost === null
              ? rich`Run on ${<NameInButton name={targetName} />} · costs money`
              : rich`Run on ${<NameInButton name={targetName} />} · ${formatEstimate(cost)}`}
        </ReasonButton>
        {hint !== null && (
          <p
            className={styles.hint}
            data-wrong={
              problem !== undefined || fieldProblem !== undefined || empty.length > 0 || size.tooLarge || undefined
            }
            role="alert"
          >
            {hint}
          </p>
        )}
      </div>
    </>
  );
}

function SizeMeter({ size }: { size: BodySize }) {
  return (
    <span className={styles.size} data-wrong={size.tooLarge || undefined}>
      {size.words}
      <span
        className={styles.meter}
        role="meter"
        aria-label={t`Size of the body`}
        aria-valuemin={0}
        aria-valuemax={size.limit}
        aria-valuenow={Math.min(size.bytes, size.limit)}
        aria-valuetext={size.words}
      >
        <i style={{ width: `${Math.min(100, (100 * size.bytes) / size.limit)}%` }} />
      </span>
    </span>
  );
}

/** `cost`: US dollars; null if it is not known. */
function usualWords(usual: UsualRuns, cost: number | null): ReactNode {
  const range = <b>{rangeWords(usual)}</b>;
  const runs = formatCount(usual.runs);
  return cost === null
    ? rich`Usually ${range} (${runs} jobs)`
    : rich`Usually ${range}, ${<span className={styles.whole}>{formatEstimate(cost)}</span>} (${runs} jobs)`;
}

function sizeHint(size: { tooLarge: boolean; words: string }, mode: RunMode): string | null {
  if (!size.tooLarge) return null;
  return mode === 'run'
    ? t`The body is too large: ${size.words}. Wait for the result instead (20 MB), or pass a link to the data.`
    : t`The body is too large: ${size.words}. Pass a link to the data.`;
}
