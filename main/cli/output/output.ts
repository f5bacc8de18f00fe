/**
 * The output of a command: tables and sentences for a person, JSON for a program. The command ends when its reader
 * closes the pipe.
 */
import { styleText } from 'node:util';
import { exitCodes } from '../failure.ts';
import { tableLines, type Column } from './table.ts';
import { harmless, widthOf, wrapped } from './text.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export interface Field {
  name: string;
  /** Null and '' are omitted. */
  value: string | null;
  /** Styles the padded name; without it, the name is bold. */
  style?: (cell: string) => string;
}

export interface OutputOptions {
  json: boolean;
  table: boolean;
}

type Stream = NodeJS.WriteStream;

const DEFAULT_WIDTH = 80;

/** Width in cells; null if the stream is no terminal and COLUMNS is not a number. */
function terminalWidth(stream: Stream): number | null {
  if (stream.isTTY && stream.columns > 0) return stream.columns;
  const columns = Number(process.env['COLUMNS']);
  if (Number.isInteger(columns) && columns > 0) return columns;
  return stream.isTTY ? DEFAULT_WIDTH : null;
}

/** Ends quietly when the reader closes the pipe, as `head` does. */
function endWithReader(stream: Stream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? exitCodes.done);
    throw error;
  });
}

export class Output {
  /** Whether a person reads the output, not a program. */
  readonly isForPerson: boolean;
  readonly width: number | null;

  constructor({ json, table }: OutputOptions) {
    this.isForPerson = table || (process.stdout.isTTY && !json);
    this.width = terminalWidth(process.stdout);
    endWithReader(process.stdout);
    endWithReader(process.stderr);
  }

  /** Coloured for standard output, if it supports colours and NO_COLOR allows them. */
  style(style: Style, text: string): string {
    return styleText(style, text, { stream: process.stdout });
  }

  /** One unchanged line. */
  line(text: string): void {
    process.stdout.write(`${text}\n`);
  }

  /** A piece of a line. */
  piece(text: string): void {
    process.stdout.write(text);
  }

  /** One JSON document, on one line. */
  json(value: unknown): void {
    this.line(JSON.stringify(value));
  }

  /**
   * Rows as a table for a person, otherwise one JSON document of `document`, or of the rows. `empty`: the text if there
   * are no rows.
   */
  rows<Row>(columns: readonly Column<Row>[], rows: readonly Row[], empty: string, document: unknown = rows): void {
    if (!this.isForPerson) this.json(document);
    else if (rows.length === 0) this.line(empty);
    else for (const line of tableLines(columns, rows, this.width, (text) => this.style('bold', text))) this.line(line);
  }

  /** One record with its fields for a person, otherwise one JSON document. */
  fields(fields: readonly Field[], document: unknown): void {
    if (!this.isForPerson) {
      this.json(document);
      return;
    }
    const shown = fields.filter((field): field is Field & { value: string } => Boolean(field.value));
    const column = Math.max(...shown.map(({ name }) => widthOf(name))) + 2;
    for (const { name, value, style = (cell: string) => this.style('bold', cell) } of shown) {
      const [first = '', ...others] = this.#linesOf(harmless(value), column);
      this.line(`${style(name.padEnd(column))}${first}`);
      for (const other of others) this.line(`${' '.repeat(column)}${other}`);
    }
  }

  /** A sentence for a person, otherwise one JSON document. */
  answer(sentence: string, document: unknown): void {
    if (this.isForPerson) this.line(harmless(sentence));
    else this.json(document);
  }

  /** A message on standard error, so that it is not part of the answer. */
  note(text: string): void {
    process.stderr.write(`${harmless(text)}\n`);
  }

  /** Wraps a sentence; a text with several lines keeps them. */
  #linesOf(text: string, column: number): string[] {
    const width = (this.width ?? Infinity) - column;
    return text.includes('\n') || width < 20 || widthOf(text) <= width ? text.split('\n') : wrapped(text, width);
  }
}
