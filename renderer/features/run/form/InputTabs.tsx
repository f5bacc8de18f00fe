/** The input of a request as a form, as JSON, and its schema. The JSON text is the one truth of all three. */
import { useDeferredValue, useMemo, useState } from 'react';
import { Group, Skeleton, Stack, Tabs } from '@mantine/core';
import { keepDocument, saveAgain, useSaved, useSavedFeed } from '../../../client/saved/savedStore.ts';
import { useCommands } from '../../../state/commands.ts';
import { SavedState, Unsaved } from '../../../ui/saved/SavedState.tsx';
import { formatCount } from '../../../ui/text/format.ts';
import { lazyPart } from '../../../ui/primitives/lazyPart.ts';
import { FileRows } from '../files/FileRows.tsx';
import { FileWayMenu } from '../files/FileWayMenu.tsx';
import { InsertFile } from '../files/InsertFile.tsx';
import { useAttendedInput } from '../files/inputFiles.ts';
import styles from '../run.module.css';
import forms from './form.module.css';
import type { InputCheck } from './inputChecks.ts';
import { readFields } from './inputFields.ts';
import { useInputCheck } from './useInputCheck.ts';
import { inputTab, inputTabs, schemaAt, useDeclaredInput, useDerivedSchema, type InputSource } from './inputSources.ts';
import { BoldWidth } from '../../../ui/tabs/BoldWidth.tsx';
import { t } from '../../../language/text.ts';

const RequestEditor = lazyPart(
  () => import('../editor/RequestEditor.tsx'),
  () => <EditorSkeleton />,
);
const InputForm = lazyPart(
  () => import('./InputForm.tsx'),
  () => <FormSkeleton />,
);
const SchemaEditor = lazyPart(
  () => import('./SchemaEditor.tsx'),
  () => <EditorSkeleton />,
);

const tabNames = { form: t`Form`, json: t`JSON`, schema: t`Schema` };

interface InputTabsProps {
  draftKey: string;
  source: InputSource;
  text: string;
  onText: (text: string) => void;
  sample: string | null;
  /** Most bytes of the body. */
  limitBytes: number;
  /** A number that grows when the JSON is to show its first problem. */
  revealProblem: number;
  /** The required fields that held back the run because they are empty. */
  empty: readonly string[];
  /** Called with what is wrong with a field of the form, and with null once it is right. */
  onFieldProblem: (name: string, problem: string | null) => void;
}

export function InputTabs({
  draftKey,
  source,
  text,
  onText,
  sample,
  limitBytes,
  revealProblem,
  empty,
  onFieldProblem,
}: InputTabsProps) {
  const tab = inputTab.use(draftKey);
  const ref = schemaAt(draftKey);
  useSavedFeed(ref);
  const { list: schemas, ...reading } = useSaved(ref);
  const ownDocument = schemas.find(({ name }) => name === '');
  const own = ownDocument?.text ?? '';
  const declared = useDeclaredInput(source);
  const derived = useDerivedSchema(source, declared, own === '' && tab !== 'json');
  const schema = own === '' ? (derived?.text ?? '') : own;
  const read = useMemo(() => (schema.trim() === '' ? null : readFields(schema)), [schema]);
  // A large input is read after the typing. Fields of past inputs are no rule for the next one.
  const checked = useDeferredValue(text);
  const hasRules = own !== '' || declared?.schema != null;
  const check = useInputCheck(hasRules && read?.ok === true ? schema : null, checked);
  useCommands(
    inputTabs
      .filter((other) => other !== tab)
      .map((other) => ({ label: t`Input: ${tabNames[other]}`, run: () => inputTab.set(draftKey, other) })),
  );
  const [picked, setPicked] = useState<File[] | null>(null);
  useAttendedInput(draftKey, text, onText);
  // A problem is shown where it stands.
  const [revealed, setRevealed] = useState(revealProblem);
  if (revealed !== revealProblem) {
    setRevealed(revealProblem);
    if (tab !== 'json') inputTab.set(draftKey, 'json');
  }
  return (
    <Tabs
      value={tab}
      onChange={(value) => inputTab.set(draftKey, inputTabs.find((known) => known === value) ?? 'json')}
      className={styles.inputTabs ?? ''}
    >
      <div className={styles.inputHead}>
        <Tabs.List aria-label={t`Input`}>
          {inputTabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              <BoldWidth>{tabNames[name]}</BoldWidth>
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Group gap={2} wrap="nowrap">
          {tab !== 'schema' && <FileWayMenu />}
          {tab === 'json' && <InsertFile onPick={setPicked} />}
        </Group>
      </div>
      {tab !== 'schema' && <FileRows draftKey={draftKey} />}
      <Tabs.Panel value="form" className={styles.editor ?? ''}>
        {tab === 'form' && !reading.isRead && <SavedState {...reading} />}
        {tab === 'form' && reading.isRead && derived === undefined && <FormSkeleton />}
        {tab === 'form' && reading.isRead && derived !== undefined && (
          <InputForm
            text={text}
            onText={onText}
            fields={read?.ok ? read.fields : null}
            sample={sample}
            misfits={check.misfits}
            missing={empty}
            files={{ draftKey, limitBytes }}
            onFieldProblem={onFieldProblem}
            onJson={() => inputTab.set(draftKey, 'json')}
          />
        )}
      </Tabs.Panel>
      <Tabs.Panel value="json" className={styles.editor ?? ''}>
        <RequestEditor
          documentKey={draftKey}
          text={text}
          onChange={onText}
          revealProblem={revealProblem}
          picked={picked}
          limitBytes={limitBytes}
        />
      </Tabs.Panel>
      {tab === 'json' && <Misfits {...check} />}
      {tab === 'form' && check.problem !== null && <Misfits {...check} />}
      <Tabs.Panel value="schema" className={styles.editor ?? ''}>
        {tab === 'schema' && !reading.isRead && <SavedState {...reading} />}
        {tab === 'schema' && reading.isRead && derived === undefined && <EditorSkeleton />}
        {tab === 'schema' && reading.isRead && derived !== undefined && (
          <SchemaEditor
            documentKey={draftKey}
            own={own}
            onOwn={(next) => keepDocument(ref, next === '' ? null : next)}
            state={<Unsaved problem={ownDocument?.problem ?? null} onRetry={() => saveAgain(ref)} />}
            derived={derived}
            notices={declared?.notices ?? []}
            read={read}
            bodies={sample === null ? [text] : [text, sample]}
          />
        )}
      </Tabs.Panel>
    </Tabs>
  );
}

/** Below the JSON: what of it does not fit the schema. */
function Misfits({ misfits, more, problem }: InputCheck) {
  if (misfits.length === 0 && problem === null) return null;
  return (
    <div className={forms.misfits} role="status">
      {problem ?? t`Does not match the schema. You can still send it.`}
      {misfits.length > 0 && (
        <ul>
          {misfits.map(({ words }) => (
            <li key={words}>{words}</li>
          ))}
          {more > 0 && <li>{t`And ${formatCount(more)} more.`}</li>}
        </ul>
      )}
    </div>
  );
}

/** Stands for the fields of the form: a label and a field for each. */
const FormSkeleton = () => (
  <Stack gap={14} p="14px 18px" aria-hidden>
    {['18%', '24%', '14%'].map((width) => (
      <div key={width}>
        <Skeleton h={10} w={width} mb={8} radius={4} />
        <Skeleton h={30} radius={6} />
      </div>
    ))}
  </Stack>
);

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
