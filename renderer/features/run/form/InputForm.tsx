/** The input as a form. It reads and writes the JSON text itself, so the two are one. */
import { useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react';
import {
  ActionIcon,
  Button,
  Checkbox,
  FileButton,
  Group,
  Select,
  Text,
  Textarea,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { FileUp, X } from 'lucide-react';
import { formatBytes } from '../../../ui/text/format.ts';
import { Empty } from '../../../ui/primitives/Notice.tsx';
import { hasFiles } from '../../../ui/files/strayDrops.ts';
import { readMedia, type Media } from '../../../ui/output/media.ts';
import { useMediaBytes } from '../../../ui/output/useMediaBytes.ts';
import { takeFiles } from '../files/inputFiles.ts';
import { writeMember } from '../editor/memberText.ts';
import { AddField, type ProposedField } from './AddField.tsx';
import { controlOf, descriptionOf, placeholderOf, typedOf, writtenOf } from './fieldText.ts';
import styles from './form.module.css';
import type { Misfit } from './inputChecks.ts';
import { inferFields, readInput, type InputField } from './inputFields.ts';
import { t } from '../../../language/text.ts';

interface InputFormProps {
  text: string;
  onText: (text: string) => void;
  /** The fields of the schema; null without one. */
  fields: readonly InputField[] | null;
  /** An input as the endpoint's author wrote it; null if there is none. */
  sample: string | null;
  /** What does not fit the schema. */
  misfits: readonly Misfit[];
  /** The required fields that held back the run because they are empty. */
  missing?: readonly string[];
  /** Shows the JSON. */
  onJson: () => void;
  /** Where its files belong, and the most bytes of the whole body; null for an input that takes no files. */
  files: { draftKey: string; limitBytes: number } | null;
  /** Fields that may be added, as another input has them. */
  proposed?: readonly ProposedField[];
  /** Whether the fields of a new field show at once. */
  opensAdd?: boolean;
  /** What stands in place of the fields while there are none. */
  empty?: ReactNode;
  /** Called with what is wrong with a field, and with null once it is right. */
  onFieldProblem: (name: string, problem: string | null) => void;
}

export default function InputForm({
  text,
  onText,
  fields,
  sample,
  misfits,
  missing = [],
  onJson,
  files,
  proposed = [],
  opensAdd = false,
  empty = <NoFields />,
  onFieldProblem,
}: InputFormProps) {
  const input = readInput(text);
  if (input === null) {
    return (
      <Empty
        title={t`The JSON cannot be read`}
        action={<Button variant="default" onClick={onJson}>{t`Show the JSON`}</Button>}
      >{t`The form shows the members of "input". Correct the JSON first; nothing is lost.`}</Empty>
    );
  }
  const known = fields ?? [];
  const others = inferFields(sample === null ? [text] : [text, sample]).filter(
    ({ name }) => !known.some((field) => field.name === name) && (fields === null || input.has(name)),
  );
  const all = [...known, ...others];
  const write = (name: string, raw: string | null) => onText(writeMember(text, 'input', name, raw));
  return (
    <div className={styles.form}>
      {all.length === 0 && empty}
      {all.map((field) => (
        <Field
          key={field.name}
          field={field}
          value={input.get(field.name)}
          misfits={misfits.filter(({ name }) => name === field.name)}
          isMissing={missing.includes(field.name)}
          onProblem={(problem) => onFieldProblem(field.name, problem)}
          onWrite={(raw) => write(field.name, raw)}
          onFile={
            files &&
            ((file) =>
              void takeFiles({
                draftKey: files.draftKey,
                files: [file],
                usedBytes: text.length - (input.get(field.name)?.raw.length ?? 0),
                limitBytes: files.limitBytes,
                writeNow([value = '']) {
                  write(field.name, JSON.stringify(value));
                  return true;
                },
                writeLater: (now, [value = '']) =>
                  readInput(now) === null ? null : writeMember(now, 'input', field.name, JSON.stringify(value)),
              }))
          }
        />
      ))}
      <AddField
        taken={all.map(({ name }) => name)}
        proposed={proposed}
        startsOpen={opensAdd}
        onAdd={write}
        onProblem={onFieldProblem}
      />
    </div>
  );
}

const NoFields = () => (
  <Empty
    title={t`No fields are known yet`}
  >{t`Add a field, enter an input as JSON, or add a schema. The form is built from any of them.`}</Empty>
);

type Value = Parameters<typeof controlOf>[1];

interface FieldProps {
  field: InputField;
  value: Value;
  /** Why its value does not fit the schema. */
  misfits: readonly Misfit[];
  /** Whether it held back the run because it is empty. */
  isMissing: boolean;
  onProblem: (problem: string | null) => void;
  /** Raw JSON, or null to leave the field out. */
  onWrite: (raw: string | null) => void;
  /** Null: it takes no files. */
  onFile: ((file: File) => void) | null;
}

function Field({ field, value, misfits, isMissing, onProblem, onWrite, onFile }: FieldProps) {
  const control = controlOf(field, value);
  const shared = {
    label: field.name,
    description: descriptionOf(field),
    required: field.required,
    withAsterisk: field.required,
  };
  return (
    <div className={styles.field}>
      {control === 'boolean' ? (
        <Checkbox
          label={field.name}
          description={descriptionOf(field)}
          checked={(value?.raw ?? field.initial) === 'true'}
          onChange={(event) => onWrite(String(event.currentTarget.checked))}
        />
      ) : control === 'choice' ? (
        <Select
          {...shared}
          placeholder={placeholderOf(field)}
          data={field.choices.map((raw) => ({ value: raw, label: typedOf('text', raw) }))}
          value={value?.raw ?? null}
          allowDeselect={!field.required}
          onChange={onWrite}
        />
      ) : (
        <TypedField
          key={control}
          field={field}
          control={control}
          value={value}
          isMissing={isMissing}
          onProblem={onProblem}
          onWrite={onWrite}
          onFile={onFile}
          shared={shared}
        />
      )}
      {misfits.length > 0 && (
        <div role="status">
          {misfits.map(({ words }) => (
            <Text key={words} fz="xs" c="var(--wait)" mt={4}>
              {words}
            </Text>
          ))}
        </div>
      )}
      {value !== undefined && !field.required && (
        <Tooltip label={t`Leave it out`}>
          <ActionIcon
            className={styles.leave}
            aria-label={t`Leave ${field.name} out`}
            size={20}
            onClick={() => onWrite(null)}
          >
            <X size={12} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  );
}

interface TypedFieldProps extends Omit<FieldProps, 'misfits'> {
  control: 'text' | 'number' | 'integer' | 'json' | 'boolean' | 'choice';
  shared: { label: string; description: string | undefined; required: boolean; withAsterisk: boolean };
}

/** Longer texts are described: a browser types into no field of a megabyte. */
const TYPED_CHARS = 20_000;

function TypedField({ field, control, value, isMissing, onProblem, onWrite, onFile, shared }: TypedFieldProps) {
  /** What is typed and is no value yet, such as "1."; null while the text has it. */
  const [typed, setTyped] = useState<string | null>(null);
  const current = value === undefined ? '' : typedOf(control, value.raw);
  const shown = typed ?? current;
  const written = typed === null ? null : writtenOf(control, typed);
  const problem = written && !written.ok ? written.message : null;

  const report = useEffectEvent(onProblem);
  useEffect(() => {
    report(problem);
    return () => report(null);
  }, [problem]);

  const type = (next: string) => {
    const result = writtenOf(control, next);
    setTyped(result.ok ? null : next);
    if (result.ok) onWrite(result.raw);
  };
  const take = (file: File | undefined | null) => {
    if (!file || onFile === null) return;
    setTyped(null);
    onFile(file);
  };

  // Its name may not tell that a text is a file.
  const takesDrop = control === 'text' && onFile !== null;
  const isLong = current.length > TYPED_CHARS || (field.isFile && readMedia(current) !== null);
  const input = {
    ...shared,
    value: shown,
    error: problem ?? (isMissing ? t`Enter a value: this field is required.` : null),
    placeholder: placeholderOf(field),
    onChange: (event: { currentTarget: { value: string } }) => type(event.currentTarget.value),
  };
  return (
    <div
      onDragOver={(event) => takesDrop && hasFiles(event) && event.preventDefault()}
      onDrop={(event) => {
        if (!takesDrop || event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        take(event.dataTransfer.files[0]);
      }}
    >
      {isLong ? (
        <LongValue field={field} text={current} problem={problem} />
      ) : control === 'text' ? (
        <Textarea {...input} rows={1} classNames={{ input: styles.grows ?? '' }} />
      ) : control === 'json' ? (
        <Textarea {...input} rows={1} classNames={{ input: `${styles.grows} ${styles.mono}` }} />
      ) : (
        <TextInput
          {...input}
          inputMode={control === 'integer' ? 'numeric' : 'decimal'}
          classNames={{ wrapper: styles.number ?? '' }}
        />
      )}
      {field.isFile && onFile !== null && (
        <Group gap={8} mt={6}>
          <FileButton onChange={take}>
            {(props) => (
              <Button
                {...props}
                size="xs"
                variant="default"
                leftSection={<FileUp size={12} aria-hidden />}
              >{t`Choose a file…`}</Button>
            )}
          </FileButton>
          <Text fz="xs" c="dimmed">{t`or drop it here`}</Text>
        </Group>
      )}
    </div>
  );
}

interface LongValueProps {
  field: InputField;
  text: string;
  problem: string | null;
}

function LongValue({ field, text, problem }: LongValueProps) {
  const { name: label } = field;
  const description = descriptionOf(field);
  const media = useMemo(() => readMedia(text), [text]);
  return (
    <div role="group" aria-label={label}>
      <Text fz="var(--text)">{label}</Text>
      {description !== undefined && (
        <Text fz="xs" c="dimmed">
          {description}
        </Text>
      )}
      <Text fz="xs" c="dimmed">
        {media?.sizeBytes == null
          ? t`Text of ${formatBytes(text.length)}. Open the JSON tab to read it.`
          : `${media.type.name} · ${formatBytes(media.sizeBytes)}`}
      </Text>
      {media?.type.kind === 'image' && media.source.kind !== 'remote' && <ChosenPicture media={media} label={label} />}
      {problem !== null && (
        <Text fz="xs" c="var(--bad)" role="alert">
          {problem}
        </Text>
      )}
    </div>
  );
}

/** The picture that a field has, small. */
function ChosenPicture({ media, label }: { media: Media; label: string }) {
  const { loaded } = useMediaBytes(media, true);
  return loaded?.type.kind === 'image' ? (
    <img className={styles.picture} src={loaded.address} alt={t`Picture in ${label}`} />
  ) : (
    <div className={styles.picture} aria-hidden />
  );
}
