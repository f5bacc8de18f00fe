/** The row of a job: its SQL and its codec, derived from the table of fields (domain/jobs/jobFields.ts). */
import { jobStatuses } from '#contract/api/job.ts';
import { isFixed, jobFieldNames, jobFields, type JobFieldName, type JobRecord } from '../../domain/jobs/jobFields.ts';
import { compile } from '../../domain/core/compile.ts';
import type { JobField } from '../../domain/jobs/jobFields.ts';

export type Column = string | number | Uint8Array | null;
/**
 * The values in the order of the columns. At a million rows, creating an object for each would be most of the cost of a
 * read.
 */
export type JobRow = Column[];

/** Encrypts and decrypts the secret texts of a row. */
export interface RowSecrets {
  seal(text: string): Column;
  /** Null where the text cannot be decrypted. `seq`: the number of the job. */
  open(sealed: Column, seq: number): string | null;
}

const columnsOf = (names: readonly JobFieldName[]): string[] => names.map((name) => jobFields[name].column);
const changing = jobFieldNames.filter((name) => !isFixed(name));

/** The columns of a select, in the order of a row. */
export const selectColumns = columnsOf(jobFieldNames).join(', ');
export const insertSql = `INSERT INTO job (${selectColumns}) VALUES (${jobFieldNames.map(() => '?').join(', ')})`;
/** The SQL of an update. Its last parameter is the number of the job. */
export const updateSql = `UPDATE job SET ${columnsOf(changing)
  .map((column) => `${column} = ?`)
  .join(', ')} WHERE seq = ?`;
/** The index of a field in a row. */
export const placeOf = (name: JobFieldName): number => jobFieldNames.indexOf(name);

const SEQ = placeOf('seq');
const statusNumbers: Readonly<Record<string, number>> = Object.fromEntries(
  jobStatuses.map((status, index) => [status, index]),
);

/** JavaScript code that converts the value of a column to the value of a field. */
const decoding: Record<JobField['kind'], (value: string) => string> = {
  number: (value) => value,
  text: (value) => value,
  flag: (value) => `${value} === 1`,
  status: (value) => `statuses[${value}]`,
  secret: (value) => `${value} === null ? null : secrets.open(${value}, row[${SEQ}])`,
};
/** JavaScript code that converts the value of a field to the value of a column. */
const encoding: Record<JobField['kind'], (value: string) => string> = {
  number: (value) => value,
  text: (value) => value,
  flag: (value) => `${value} ? 1 : 0`,
  status: (value) => `statusNumbers[${value}]`,
  secret: (value) => `${value} === null ? null : secrets.seal(${value})`,
};

const decodeRow = compile<(row: JobRow, secrets: RowSecrets, statuses: readonly string[]) => JobRecord>(
  ['row', 'secrets', 'statuses'],
  `return { ${jobFieldNames.map((name, place) => `${name}: ${decoding[jobFields[name].kind](`row[${place}]`)}`).join(', ')} };`,
);
const encoder = (
  names: readonly JobFieldName[],
): ((record: JobRecord, secrets: RowSecrets, statusNumbers: Readonly<Record<string, number>>) => JobRow) =>
  compile(
    ['record', 'secrets', 'statusNumbers'],
    `return [${names.map((name) => encoding[jobFields[name].kind](`record.${name}`)).join(', ')}];`,
  );
const encodeRow = encoder(jobFieldNames);
const encodeUpdate = encoder([...changing, 'seq']);

export interface JobRowCodec {
  decode(row: JobRow): JobRecord;
  /** The values for an insert. */
  encode(record: JobRecord): JobRow;
  /** The values for an update. */
  encodeChanges(record: JobRecord): JobRow;
}

export const createJobRowCodec = (secrets: RowSecrets): JobRowCodec => ({
  decode: (row) => decodeRow(row, secrets, jobStatuses),
  encode: (record) => encodeRow(record, secrets, statusNumbers),
  encodeChanges: (record) => encodeUpdate(record, secrets, statusNumbers),
});
