/** The schema of an input: as the folder declares it, as past inputs have it, or as the person wrote it. */
import { useState, type ReactNode } from 'react';
import { Button, Group, Text } from '@mantine/core';
import { offerUndo } from '../../../ui/undo/offerUndo.tsx';
import { JsonEditor, type JsonEditorKind } from '../editor/JsonEditor.tsx';
import styles from './form.module.css';
import { inferFields, schemaOf, type ReadFields } from './inputFields.ts';
import type { DerivedSchema } from './inputSources.ts';
import { lintSchema } from './lintSchema.ts';
import { counted, rich, t } from '../../../language/text.ts';

interface SchemaEditorProps {
  documentKey: string;
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

const schema: JsonEditorKind = {
  label: t`Schema of the input`,
  hint: t`Enter or paste the JSON Schema of the input, or the rules of the public SDK's validator as JSON.`,
  lint: lintSchema,
  isFirst: false,
};

export default function SchemaEditor(props: SchemaEditorProps) {
  const { documentKey, own, onOwn, state, derived, notices, read, bodies } = props;
  /** Whether the person has emptied the text, to write another one. The derived schema is in use meanwhile. */
  const [isEmptied, setEmptied] = useState(false);
  const inferred = inferFields(bodies);
  const isDerived = own === '' && derived !== null;
  const text = !isDerived ? own : isEmptied ? '' : derived.text;
  const [problem] = lintSchema(text);
  const write = (next: string) => {
    setEmptied(next === '');
    onOwn(next);
  };
  return (
    <div className={styles.schema}>
      <Group gap="4px 8px" mih={26} className={styles.schemaHead}>
        <Text fz="xs" c="dimmed">
          {isDerived ? (
            isEmptied ? (
              t`Write a schema of your own. Until then, the one from ${derived.origin} is used.`
            ) : (
              <>{rich`Read from ${<b>{derived.origin}</b>}. Change the text to use a schema of your own instead.`}</>
            )
          ) : derived !== null ? (
            t`Your own schema. It replaces the one from ${derived.origin}.`
          ) : own === '' ? (
            t`No schema is known yet.`
          ) : (
            t`Your own schema.`
          )}
        </Text>
        {isDerived && isEmptied && (
          <Button
            size="xs"
            variant="default"
            ml="auto"
            onClick={() => setEmptied(false)}
          >{t`Show the one in use`}</Button>
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
      <div className={styles.schemaText}>
        <JsonEditor kind={schema} documentKey={`${documentKey}/schema`} text={text} onChange={write} />
      </div>
      <div className={styles.schemaFoot}>
        {state}
        {notices.map((notice) => (
          <Text key={notice} fz="xs" c="var(--wait)">
            {notice}
          </Text>
        ))}
        <Group gap={8} mih={26}>
          <Text fz="xs" c={problem ? 'var(--bad)' : 'dimmed'} role="status">
            {problem
              ? t`Line ${problem.line}: ${problem.message} The form ignores this schema.`
              : read?.ok
                ? fieldCount(read.fields.length)
                : t`Without a schema, the form is built from the input and the sample.`}
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
    </div>
  );
}
