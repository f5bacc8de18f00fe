/** Adds a field to an input: its name, its kind and its value. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Autocomplete, Button, Select, Textarea, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { typedOf, writtenOf } from './fieldText.ts';
import styles from './form.module.css';
import type { FieldKind } from './inputFields.ts';
import { t } from '../../../language/text.ts';
import { requiredField } from '../../../ui/theme/requiredField.ts';

type AddedKind = Extract<FieldKind, 'text' | 'number' | 'boolean' | 'json'>;

const kinds: { value: AddedKind; label: string }[] = [
  { value: 'text', label: t`Text` },
  { value: 'number', label: t`Number` },
  { value: 'boolean', label: t`Yes or no` },
  { value: 'json', label: t`JSON` },
];
const answers = [
  { value: 'true', label: t`Yes` },
  { value: 'false', label: t`No` },
];

/** A field that may be added, as it is elsewhere. */
export interface ProposedField {
  name: string;
  kind: FieldKind;
  /** Raw JSON of its value there. */
  raw: string;
}

interface AddFieldProps {
  /** The names that have a field already. */
  taken: readonly string[];
  proposed?: readonly ProposedField[];
  /** Whether its fields show at once. */
  startsOpen?: boolean;
  /** `raw`: the value as JSON. */
  onAdd: (name: string, raw: string) => void;
  /** Called with why the input is not whole while a field is typed and not added, and with null once that is over. */
  onProblem: (name: string, problem: string | null) => void;
}

const NONE: readonly ProposedField[] = [];

const addedKind = (kind: FieldKind, raw: string): AddedKind =>
  kind === 'integer' ? 'number' : kind === 'choice' ? (raw.startsWith('"') ? 'text' : 'json') : kind;

export function AddField({ taken, proposed = NONE, startsOpen = false, onAdd, onProblem }: AddFieldProps) {
  const [open, setOpen] = useState(startsOpen);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    // After the button is there again.
    queueMicrotask(() => opener.current?.focus());
  };
  if (!open) {
    return (
      <Button
        ref={opener}
        size="xs"
        variant="default"
        className={styles.addOpener ?? ''}
        leftSection={<Plus size={12} aria-hidden />}
        onClick={() => setOpen(true)}
      >{t`Add a field`}</Button>
    );
  }
  return (
    <NewField
      taken={taken}
      proposed={proposed}
      onAdd={(name, raw) => {
        onAdd(name, raw);
        close();
      }}
      onCancel={close}
      onProblem={onProblem}
    />
  );
}

interface NewFieldProps extends Required<Omit<AddFieldProps, 'startsOpen'>> {
  onCancel: () => void;
}

function NewField({ taken, proposed, onAdd, onCancel, onProblem }: NewFieldProps) {
  const [name, setName] = useState('');
  const [kind, setKind] = useState<AddedKind>('text');
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const nameField = useRef<HTMLInputElement>(null);
  const valueField = useRef<HTMLDivElement>(null);
  useEffect(() => nameField.current?.focus(), []);

  const shownName = name.trim() === '' ? t`without a name` : name.trim();
  const isTyped = name.trim() !== '' || (typed !== '' && kind !== 'boolean');
  const report = useEffectEvent(onProblem);
  useEffect(() => {
    if (isTyped) report(shownName, t`Add it or cancel it first.`);
    return () => report(shownName, null);
  }, [isTyped, shownName]);

  const free = proposed.filter((field) => !taken.includes(field.name));
  const nameProblem =
    name.trim() === ''
      ? t`Enter the name of the field.`
      : taken.includes(name.trim())
        ? t`There is a field of this name.`
        : null;
  const written = writtenOf(kind, typed);
  const takeName = (next: string) => {
    setName(next);
    const known = free.find((field) => field.name === next.trim());
    if (known === undefined) return;
    const knownKind = addedKind(known.kind, known.raw);
    setKind(knownKind);
    setTyped(typedOf(knownKind, known.raw));
  };
  const takeKind = (value: string | null) => {
    const next = kinds.find((one) => one.value === value)?.value ?? kind;
    setKind(next);
    if (next === 'boolean' && typed !== 'false') setTyped('true');
  };
  const add = (event: { preventDefault: () => void }) => {
    event.preventDefault();
    setTried(true);
    if (nameProblem !== null) nameField.current?.focus();
    else if (!written.ok) valueField.current?.querySelector<HTMLElement>('input, textarea')?.focus();
    else onAdd(name.trim(), written.raw);
  };
  const value = {
    label: t`Value`,
    value: typed,
    error: tried && !written.ok ? written.message : null,
    onChange: (event: { currentTarget: { value: string } }) => setTyped(event.currentTarget.value),
  };
  return (
    <form className={styles.add} aria-label={t`New field`} onSubmit={add} noValidate>
      <div className={styles.addRow}>
        <Autocomplete
          ref={nameField}
          label={t`Name`}
          {...requiredField}
          className={styles.addName ?? ''}
          data={free.map((field) => field.name)}
          comboboxProps={{ withinPortal: false }}
          value={name}
          onChange={takeName}
          error={tried ? nameProblem : null}
          autoComplete="off"
        />
        <Select
          label={t`Kind`}
          className={styles.addKind ?? ''}
          data={kinds}
          comboboxProps={{ withinPortal: false }}
          allowDeselect={false}
          value={kind}
          onChange={takeKind}
        />
      </div>
      <div ref={valueField}>
        {kind === 'boolean' ? (
          <Select
            label={t`Value`}
            w={130}
            data={answers}
            comboboxProps={{ withinPortal: false }}
            allowDeselect={false}
            value={typed}
            onChange={(next) => setTyped(next ?? 'true')}
          />
        ) : kind === 'number' ? (
          <TextInput {...value} inputMode="decimal" w={180} />
        ) : (
          <Textarea
            {...value}
            rows={1}
            classNames={{ input: kind === 'json' ? `${styles.grows} ${styles.mono}` : (styles.grows ?? '') }}
          />
        )}
      </div>
      <div className={styles.addActions}>
        <Button type="submit" size="xs">{t`Add`}</Button>
        <Button size="xs" variant="default" onClick={onCancel}>{t`Cancel`}</Button>
      </div>
    </form>
  );
}
