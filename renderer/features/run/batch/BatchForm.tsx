/** The list of a batch: typed, pasted, dropped or picked, with the problems of its lines, and the button that sends it. */
import { useDeferredValue, useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import { Button, FileButton, Kbd, NumberInput, Textarea, UnstyledButton } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import * as z from 'zod';
import type { NewBatch } from '#contract/bridge/batch/batches.ts';
import { limits } from '#contract/core/limits.ts';
import { api, errorText } from '../../../client/transport/orpc.ts';
import { useCommands } from '../../../state/commands.ts';
import { personalSettings } from '../../../state/personalSetting.ts';
import { draftKey } from '../../../state/drafts.ts';
import { Card, CardHead } from '../../../ui/primitives/Card.tsx';
import { announce } from '../../../ui/primitives/announce.tsx';
import { isFocusFree, takesPageFocus } from '../../../ui/keyboard/pageFocus.ts';
import { keyLabel } from '../../../ui/keyboard/shortcuts.ts';
import { formatBytes, formatCount } from '../../../ui/text/format.ts';
import runStyles from '../run.module.css';
import styles from './batch.module.css';
import { inputsWords, type BatchTarget } from './batchTarget.ts';
import { useListFile, type ListFile } from './listFile.ts';
import { ListPreview } from './ListPreview.tsx';
import { Misfits, Problems } from './ListProblems.tsx';
import { readInputs, type InputList, type LineProblem, type ListedInput } from './readInputs.ts';
import { useListCheck } from './useListCheck.ts';
import { readFields, type InputField } from '../form/inputFields.ts';
import { inputSourceOf, useInputRules } from '../form/inputSources.ts';
import { useShowBatch } from './useBatch.ts';
import { ReasonButton } from '../../../ui/popover/ReasonButton.tsx';
import { NameInButton } from '../../../ui/page/NameInButton.tsx';
import { newId } from '../../../client/newId.ts';
import { counted, rich, t } from '../../../language/text.ts';

/** By draft key: the list as it was typed or pasted. */
const batchText = personalSettings('batch-text', z.string(), '');

const { atOnce: AT_ONCE } = limits.batch;
const PLACEHOLDER = t`JSON Lines:\n{"prompt": "a quiet harbour"}\n{"prompt": "a busy one"}\n\nor CSV:\nprompt,steps\na quiet harbour,30`;

const NONE: readonly ListedInput[] = [];

function fieldsOf(schema: string | null): readonly InputField[] | null {
  const read = schema === null ? null : readFields(schema);
  return read?.ok ? read.fields : null;
}

const whyNoInputs = (list: InputList | null): string =>
  list === null ? t`Enter or paste a list first.` : t`Correct the lines that cannot be read first.`;

/** What stands below the list: its format, and how many inputs it has. */
function listWords(list: InputList | null): string {
  if (list === null) return t`Paste a list, or drop a file here.`;
  const inputs = inputsWords(list.inputs.length);
  return `${list.format} · ${list.problems.length > 0 ? t`${inputs}, not all readable` : inputs}`;
}

/** A field that takes the focus of the page, also where it is loaded after a person has come there. */
function useFocusOfPage(): RefObject<HTMLTextAreaElement | null> {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (isFocusFree()) field.current?.focus({ preventScroll: true });
  }, []);
  return field;
}

export function BatchForm({
  endpoint,
  targetName,
  spends,
  blocked,
  onStarted,
}: BatchTarget & { onStarted: (batchId: string) => void }) {
  const { accountId, id: endpointId } = endpoint;
  const key = draftKey(accountId, endpointId);
  const typed = batchText.use(key);
  const { file, problem: fileProblem, choose, remove } = useListFile(key);
  const [atOnce, setAtOnce] = useState<number | string>(AT_ONCE.default);
  const newest = file?.text ?? typed;
  const text = useDeferredValue(newest);
  const list = useMemo(() => readInputs(text), [text]);
  /** The list whose unreadable lines the person leaves out; a change of it asks again. */
  const [leftOutOf, setLeftOutOf] = useState<string | null>(null);
  const needsLines = leftOutOf !== newest;
  const inputs = list?.inputs ?? NONE;
  const schema = useInputRules(inputSourceOf(endpoint), key);
  const misfits = useListCheck(schema, inputs);
  const show = useShowBatch();
  const start = useMutation({
    mutationFn: (batch: NewBatch) => api.batches.start(batch),
    onSuccess: (batch) => {
      show(batch);
      onStarted(batch.batchId);
      announce(t`Started a batch of ${inputsWords(batch.total)}`);
    },
  });
  const take = async (picked: File | null | undefined) => {
    if (!picked) return;
    start.reset();
    await choose(picked);
  };

  const isAtOnceWrong = typeof atOnce !== 'number' || atOnce < AT_ONCE.min || atOnce > AT_ONCE.max;
  const count = list === null || (needsLines && list.problems.length > 0) ? 0 : list.inputs.length;
  const cannot = blocked ?? (isAtOnceWrong ? t`Parallel jobs: ${AT_ONCE.min} to ${AT_ONCE.max}.` : null);
  const noInputs = count > 0 ? null : whyNoInputs(list);
  const run = () => {
    // A key may come before the list that was typed last is read.
    const { inputs: read = [], problems = [] } = (text === newest ? list : readInputs(newest)) ?? {};
    if (cannot !== null || isAtOnceWrong || start.isPending || read.length === 0) return;
    if (needsLines && problems.length > 0) return;
    start.mutate({ batchId: newId(), accountId, endpointId, endpointName: endpoint.name, atOnce, inputs: read });
  };
  useCommands([
    (cannot ?? noInputs) === null &&
      !start.isPending && {
        label: t`Run ${inputsWords(count)} on ${targetName}`,
        keys: 'Mod+Enter',
        isMain: true,
        ...(spends && { description: t`Costs money` }),
        run,
      },
  ]);
  const problem = fileProblem ?? (start.isError ? errorText(start.error) : null);
  return (
    <>
      <Card
        grow
        aria-label={t`List of inputs`}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          if (event.dataTransfer.files.length === 0) return;
          event.preventDefault();
          void take(event.dataTransfer.files[0]);
        }}
      >
        <CardHead title={t`List of inputs`}>
          <FileButton accept=".jsonl,.ndjson,.json,.csv,.tsv,.txt" onChange={(picked) => void take(picked)}>
            {(props) => <UnstyledButton {...props} className={runStyles.codeLink}>{t`Choose a file`}</UnstyledButton>}
          </FileButton>
        </CardHead>
        {file === null ? (
          <ListText
            text={typed}
            onText={(next) => {
              batchText.set(key, next);
              if (start.isError) start.reset();
            }}
          />
        ) : (
          <ChosenFile
            file={file}
            list={list}
            misfits={misfits}
            schema={schema}
            onRemove={remove}
            onEdit={() => {
              batchText.set(key, file.text);
              remove();
            }}
          />
        )}
        {list !== null && list.problems.length > 0 && (
          <Problems list={list} isLeftOut={!needsLines} onLeaveOut={(out) => setLeftOutOf(out ? newest : null)} />
        )}
        {list?.problems.length === 0 && misfits.length > 0 && <Misfits misfits={misfits} inputs={inputs} />}
        <div className={runStyles.row}>
          <span className={runStyles.quiet} role="status">
            {listWords(list)}
          </span>
          <AtOnceField value={atOnce} isWrong={isAtOnceWrong} onChange={setAtOnce} />
        </div>
        <WorkersNote endpoint={endpoint} />
      </Card>
      <SendRow
        label={sendLabel(count, targetName, spends)}
        spends={spends}
        isSending={start.isPending}
        whyNot={cannot ?? noInputs}
        hint={problem ?? cannot}
        isWrong={problem !== null}
        onRun={run}
      />
    </>
  );
}

function ListText({ text, onText }: { text: string; onText: (text: string) => void }) {
  const field = useFocusOfPage();
  return (
    <Textarea
      {...takesPageFocus}
      ref={field}
      aria-label={t`Inputs, JSON Lines or CSV`}
      placeholder={PLACEHOLDER}
      spellCheck={false}
      value={text}
      onChange={(event) => onText(event.currentTarget.value)}
      variant="unstyled"
      classNames={{ root: styles.fill ?? '', wrapper: styles.fill ?? '', input: styles.text ?? '' }}
    />
  );
}

interface ChosenFileProps {
  file: ListFile;
  /** Null while nothing of it is read. */
  list: InputList | null;
  misfits: readonly LineProblem[];
  /** The schema of the endpoint; null without one. */
  schema: string | null;
  onRemove: () => void;
  /** Shows the list as text. */
  onEdit: () => void;
}

/** A longer text makes its field slow. */
const EDITED_CHARS = 1_000_000;

function ChosenFile({ file: { name, text }, list, misfits, schema, onRemove, onEdit }: ChosenFileProps) {
  const fields = useMemo(() => fieldsOf(schema), [schema]);
  const { inputs, problems } = list ?? { inputs: NONE, problems: [] };
  return (
    <div className={styles.file}>
      <div className={styles.fileHead}>
        <strong>{name}</strong>
        <span>
          {formatBytes(text.length)} · {inputsWords(inputs.length)}
        </span>
        {text.length <= EDITED_CHARS && <Button size="xs" variant="default" onClick={onEdit}>{t`Edit as text`}</Button>}
        <Button size="xs" variant="default" onClick={onRemove}>{t`Remove`}</Button>
      </div>
      <ListPreview inputs={inputs} unreadable={problems.length} misfits={misfits} fields={fields} />
    </div>
  );
}

interface AtOnceFieldProps {
  value: number | string;
  isWrong: boolean;
  onChange: (value: number | string) => void;
}

function AtOnceField({ value, isWrong, onChange }: AtOnceFieldProps) {
  return (
    <span className={styles.atOnce}>
      <label htmlFor="batch-at-once">{t`Parallel jobs`}</label>
      <NumberInput
        id="batch-at-once"
        size="xs"
        w={64}
        min={AT_ONCE.min}
        max={AT_ONCE.max}
        allowDecimal={false}
        value={value}
        onChange={onChange}
        error={isWrong}
      />
    </span>
  );
}

/** How many jobs run at once is decided by the workers, whatever is sent at once. */
function WorkersNote({ endpoint: { imageName, workersMax } }: Pick<BatchTarget, 'endpoint'>) {
  // Nothing is known of an endpoint that was named by its id, and one that is paused has no workers.
  if (imageName === null || workersMax === 0) return null;
  return (
    <p className={styles.workers}>
      {counted(
        workersMax,
        'The endpoint has at most one worker: the other jobs wait in its queue.',
        'The endpoint has at most {0} workers, and starts more than one only while jobs wait.',
        formatCount(workersMax),
      )}
    </p>
  );
}

interface SendRowProps {
  label: ReactNode;
  spends: boolean;
  isSending: boolean;
  /** Why nothing can be sent, for a person; null when it can. */
  whyNot: string | null;
  /** Text below the button; null for none. */
  hint: string | null;
  /** Whether the text says why the last list was not taken. */
  isWrong: boolean;
  onRun: () => void;
}

function SendRow({ label, spends, isSending, whyNot, hint, isWrong, onRun }: SendRowProps) {
  return (
    <div className={runStyles.send}>
      <ReasonButton
        leftSection={<Play size={13} fill="currentColor" aria-hidden />}
        rightSection={<Kbd aria-hidden>{keyLabel('Mod+Enter')}</Kbd>}
        aria-keyshortcuts="Control+Enter Meta+Enter"
        whyNot={whyNot}
        data-spends={spends || undefined}
        loading={isSending}
        onClick={onRun}
      >
        {label}
      </ReasonButton>
      {hint !== null && (
        <p className={runStyles.hint} data-wrong={isWrong || undefined} role="alert">
          {hint}
        </p>
      )}
    </div>
  );
}

/** What the button says. `count`: the inputs that can be sent. */
function sendLabel(count: number, targetName: string, spends: boolean): ReactNode {
  const name = <NameInButton name={targetName} />;
  if (count === 0) return spends ? rich`Run the list on ${name} · costs money` : rich`Run the list on ${name}`;
  const inputs = inputsWords(count);
  return spends ? rich`Run ${inputs} on ${name} · costs money` : rich`Run ${inputs} on ${name}`;
}
