/** The first inputs of a list as a table, with the field that each column becomes. */
import { useMemo } from 'react';
import { formatCount } from '../../../ui/text/format.ts';
import { readInput, type InputField } from '../form/inputFields.ts';
import styles from './batch.module.css';
import { inputsWords } from './batchTarget.ts';
import type { LineProblem, ListedInput } from './readInputs.ts';
import { counted, t } from '../../../language/text.ts';

const SHOWN_ROWS = 5;
const SHOWN_FIELDS = 12;
/** So many inputs say which fields the list has. */
const READ_ROWS = 100;
const CELL_CHARS = 80;

interface ListPreviewProps {
  inputs: readonly ListedInput[];
  /** How many lines of the list cannot be read. */
  unreadable: number;
  /** What does not fit the schema. */
  misfits: readonly LineProblem[];
  /** The fields of the endpoint's schema; null without one. */
  fields: readonly InputField[] | null;
}

export function ListPreview({ inputs, unreadable, misfits, fields }: ListPreviewProps) {
  const { names, rows } = useMemo(() => previewOf(inputs), [inputs]);
  const known = fields?.map(({ name }) => name);
  const shown = names.slice(0, SHOWN_FIELDS);
  const more = names.length - shown.length;
  const missing = (fields ?? []).filter(({ name, required }) => required && !names.includes(name));
  if (rows.length === 0) return null;
  return (
    <>
      <div className={styles.preview} role="region" aria-label={t`First inputs of the list`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t`No.`}</th>
              {shown.map((name) => (
                <th key={name} scope="col">
                  {name}
                  {known?.includes(name) === false && <small>{t`not in the schema`}</small>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ line, input }, index) => (
              <tr key={index} data-misfit={misfits.some((one) => one.line === line) || undefined}>
                <th scope="row">{index + 1}</th>
                {shown.map((name) => (
                  <td key={name} title={input.get(name)?.slice(0, CELL_CHARS)}>
                    {input.get(name)?.slice(0, CELL_CHARS) ?? <span className={styles.rest}>–</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.previewNote}>
        {shownWords(rows.length, inputs.length, unreadable > 0)}
        {more > 0 && ` ${counted(more, 'One more field is not shown.', '{0} more fields are not shown.')}`}
        {missing.length > 0 && (
          <b>{` ${t`The schema requires ${missing.map(({ name }) => name).join(', ')}, which no input has.`}`}</b>
        )}
      </p>
    </>
  );
}

function shownWords(shown: number, all: number, isPart: boolean): string {
  if (all > shown) {
    return isPart
      ? t`The first ${formatCount(shown)} of ${inputsWords(all)} that can be read.`
      : t`The first ${formatCount(shown)} of ${inputsWords(all)}, as they are sent.`;
  }
  return isPart
    ? counted(all, 'The only input that can be read.', 'The {0} inputs that can be read.', formatCount(all))
    : counted(all, 'The only input, as it is sent.', 'All {0} inputs, as they are sent.', formatCount(all));
}

/** The names of the fields in their order, and the first inputs with their fields as raw JSON. */
function previewOf(inputs: readonly ListedInput[]) {
  const names = new Set<string>();
  for (const { body } of inputs.slice(0, READ_ROWS)) {
    for (const name of readInput(body)?.keys() ?? []) names.add(name);
  }
  const rows = inputs.slice(0, SHOWN_ROWS).map(({ line, body }) => ({
    line,
    input: new Map([...(readInput(body) ?? [])].map(([name, { raw }]) => [name, raw])),
  }));
  return { names: [...names], rows };
}
