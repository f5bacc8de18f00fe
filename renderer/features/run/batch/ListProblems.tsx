/** What is wrong with the lines of a list. */
import { Button } from '@mantine/core';
import { formatCount } from '../../../ui/text/format.ts';
import styles from './batch.module.css';
import type { InputList, LineProblem, ListedInput } from './readInputs.ts';
import { counted, t } from '../../../language/text.ts';

const SHOWN_PROBLEMS = 8;

interface ProblemsProps {
  list: InputList;
  isLeftOut: boolean;
  onLeaveOut: (out: boolean) => void;
}

export function Problems({ list: { inputs, problems }, isLeftOut, onLeaveOut }: ProblemsProps) {
  const unreadable = counted(
    problems.length,
    'one line cannot be read',
    '{0} lines cannot be read',
    formatCount(problems.length),
  );
  return (
    <div className={styles.problems} data-tone={isLeftOut ? 'wait' : undefined} role="alert">
      <strong>
        {isLeftOut ? t`Only the other lines are sent: ${unreadable}.` : t`Nothing is sent: ${unreadable}.`}
      </strong>
      <Lines problems={problems} nameOf={lineName} />
      {inputs.length > 0 && (
        <Button size="xs" variant="default" mt={6} onClick={() => onLeaveOut(!isLeftOut)}>
          {isLeftOut ? t`Do not leave them out` : t`Leave them out`}
        </Button>
      )}
    </div>
  );
}

/** What does not fit the schema of the endpoint. The handler decides, so it may be sent. */
export function Misfits({ misfits, inputs }: { misfits: readonly LineProblem[]; inputs: readonly ListedInput[] }) {
  const lines = new Set(misfits.map(({ line }) => line)).size;
  return (
    <div className={styles.problems} data-tone="wait" role="status">
      <strong>
        {counted(
          lines,
          'One line does not match the schema. You can still send the list.',
          '{0} lines do not match the schema. You can still send the list.',
          formatCount(lines),
        )}
      </strong>
      <Lines problems={misfits} nameOf={(line) => inputName(inputs, line)} />
    </div>
  );
}

const lineName = (line: number): string => t`Line ${line}`;

/** The number that an input has in the tables of the batch, and its line where that is another one, as in a CSV. */
function inputName(inputs: readonly ListedInput[], line: number): string {
  const number = inputs.findIndex((input) => input.line === line) + 1;
  return number === line ? lineName(line) : t`No. ${number} (line ${line})`;
}

function Lines({ problems, nameOf }: { problems: readonly LineProblem[]; nameOf: (line: number) => string }) {
  const more = problems.length - SHOWN_PROBLEMS;
  return (
    <ul>
      {problems.slice(0, SHOWN_PROBLEMS).map(({ line, message }) => (
        <li key={`${line} ${message}`}>
          <b>{nameOf(line)}</b> {message}
        </li>
      ))}
      {more > 0 && <li>{t`and ${formatCount(more)} more`}</li>}
    </ul>
  );
}
