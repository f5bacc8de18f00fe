/** The schema of an input: as the folder declares it, as past inputs have it, or as the person wrote it. */
import type { ReactNode } from 'react';
import { Button, Group, Text, Textarea } from '@mantine/core';
import { offerUndo } from '../../../ui/undo/offerUndo.tsx';
import styles from './form.module.css';
import { inferFields, schemaOf, type ReadFields } from './inputFields.ts';
import type { DerivedSchema } from './inputSources.ts';
import { counted, rich, t } from '../../../language/text.ts';

interface SchemaEditorProps {
  /** The schema of the person; empty without one. */
  own: string;
  onOwn: (schema: string) => void;
  /** Whether the schema of the person is saved. */
  state: ReactNode;
  /** The schema that holds while the person has none; null if nothing is known. */
  derived: DerivedSchema | null;
  /** Why the folder's declaration cannot be read. */
  notices: readonly string[];
  /** What the schema in use says; null without one. */
  read: ReadFields | null;
  /** Bodies from which a schema can begin. */
  bodies: readonly string[];
}

const fieldCount = (count: number): string => counted(count, '{0} field', '{0} fields');

export default function SchemaEditor({ own, onOwn, state, derived, notices, read, bodies }: SchemaEditorProps) {
  const inferred = inferFields(bodies);
  const isDerived = own === '' && derived !== null;
  return (
    <div className={styles.schema}>
      <Group gap="4px 8px" mih={26}>
        <Text fz="xs" c="dimmed">
          {isDerived ? (
            <>{rich`Read from ${(<b>{derived.origin}</b>)}. Paste a schema to use your own instead.`}</>
          ) : derived !== null ? (
            t`Your own schema. It replaces the one from ${derived.origin}.`
          ) : own === '' ? (
            t`No schema is known yet.`
          ) : (
            t`Your own schema.`
          )}
        </Text>
        {isDerived && (
          <Button size="xs" variant="default" ml="auto" onClick={() => onOwn(derived.text)}>{t`Edit a copy`}</Button>
        )}
        {own !== '' && derived !== null && (
          <Button
            size="xs"
            variant="default"
            ml="auto"
            onClick={() => {
              onOwn('');
              offerUndo(t`Removed your schema`, () => onOwn(own));
            }}
          >{t`Remove mine`}</Button>
        )}
      </Group>
      <Textarea
        aria-label={t`Schema of the input`}
        placeholder={t`Paste the JSON Schema of the input, or the rules of the public SDK's validator as JSON.`}
        spellCheck={false}
        value={isDerived ? derived.text : own}
        error={read && !read.ok ? read.message : undefined}
        readOnly={isDerived}
        onPaste={(event) => {
          if (!isDerived) return;
          event.preventDefault();
          onOwn(event.clipboardData.getData('text/plain'));
        }}
        onChange={(event) => onOwn(event.currentTarget.value)}
        classNames={{ root: styles.fill ?? '', wrapper: styles.fill ?? '', input: `${styles.mono} ${styles.fill}` }}
      />
      {state}
      {notices.map((notice) => (
        <Text key={notice} fz="xs" c="var(--wait)">
          {notice}
        </Text>
      ))}
      <Group gap={8} mih={26}>
        <Text fz="xs" c="dimmed" role="status">
          {read === null
            ? t`Without a schema, the form is built from the input and the sample.`
            : read.ok
              ? fieldCount(read.fields.length)
              : t`The form ignores this schema.`}
        </Text>
        {own === '' && derived === null && inferred.length > 0 && (
          <Button
            size="xs"
            variant="default"
            ml="auto"
            onClick={() => onOwn(schemaOf(inferred))}
          >{t`Start from this input`}</Button>
        )}
      </Group>
    </div>
  );
}
