/**
 * Reads which input a folder declares, without running it: the rules of its Python handler, a JSON Schema beside the
 * handler, `.runpod/hub.json`; and its `test_input.json`.
 */
import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { messageOf } from '#contract/core/errors.ts';
import type { DeclaredInput } from '#contract/local/folder.ts';
import { inherited } from '../process/envAllowlist.ts';
import { isFile } from './handlerFile.ts';
import { parseLenientJson } from './lenientJson.ts';

const run = promisify(execFile);

const SCHEMA_FILES = ['input_schema.json', 'schema.json'];
const TEST_FILE = 'test_input.json';
const HUB_FILE = '.runpod/hub.json';
const READ_TIMEOUT_MS = 20_000;
/** Longer files are no declaration of an input. */
const MOST_BYTES = 1024 * 1024;

const objectSchema = z.looseObject({});
const requestSchema = z.looseObject({ input: objectSchema });
const hubSchema = z.looseObject({
  inputSchema: objectSchema.optional(),
  config: z.looseObject({ inputSchema: objectSchema.optional() }).optional(),
});
/** The output of `input_schema.py`. */
const rulesSchema = z.object({
  schema: objectSchema.nullable(),
  file: z.string().nullable(),
  line: z.int().nullable(),
  problem: z.string().nullable(),
  read: z.array(z.string()),
});
type Rules = z.infer<typeof rulesSchema>;
type Schema = NonNullable<DeclaredInput['schema']>;

/** A declaration, null without one, or a sentence about one that cannot be read. */
type Declared<T> = T | string | null;

interface DeclaredInputs {
  /**
   * Reads the folder as it is now.
   *
   * @param handler The handler's path in the folder; null without one.
   * @param python The Python that runs the handler; null for other handlers, and where there is none.
   */
  read(folder: string, handler: string | null, python: string | null): Promise<DeclaredInput>;
  /** A text that differs once a file has changed that the last `read` of these used, or that the next one may use. */
  version(folder: string, handler: string | null, python: string | null): string;
}

/** The text of a file; null where there is none. Throws where it is too long or unreadable. */
function textOf(file: string): string | null {
  if (!isFile(file)) return null;
  if (statSync(file).size > MOST_BYTES) throw new Error(`It is larger than ${MOST_BYTES / 1024 / 1024} MiB.`);
  return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
}

const reasonOf = (error: unknown): string => (error instanceof z.ZodError ? z.prettifyError(error) : messageOf(error));

/** The last line that a program has written before it failed; empty without one. */
const lastLineOf = (error: unknown): string =>
  error instanceof Error && 'stderr' in error ? (String(error.stderr).trim().split('\n').at(-1) ?? '') : '';

/** Reads one file of the folder; a fault becomes a sentence with the name of the file. */
function readOne<T>(folder: string, name: string, parse: (text: string) => T | null): Declared<T> {
  try {
    const text = textOf(path.join(folder, name));
    return text === null ? null : parse(text);
  } catch (error) {
    return `${name} cannot be read: ${reasonOf(error)}`;
  }
}

/** The folders in which files beside the handler are searched, as paths in `folder`: its own first. */
function placesOf(handler: string | null): string[] {
  const own = handler === null ? '.' : path.posix.dirname(handler);
  return own === '.' ? [''] : [`${own}/`, ''];
}

/** The first of the files that is there. */
function firstOf<T>(
  folder: string,
  handler: string | null,
  names: readonly string[],
  parse: (name: string, text: string) => T,
): Declared<T> {
  for (const place of placesOf(handler)) {
    for (const name of names) {
      const result = readOne(folder, place + name, (text) => parse(place + name, text));
      if (result !== null) return result;
    }
  }
  return null;
}

const ofHub = (folder: string): Declared<Schema> =>
  readOne(folder, HUB_FILE, (text) => {
    const hub = hubSchema.parse(parseLenientJson(text));
    const schema = hub.inputSchema ?? hub.config?.inputSchema;
    return schema ? { text: JSON.stringify(schema, null, 2), file: HUB_FILE, line: null } : null;
  });

/** When each file was changed last, and its size. */
const versionOf = (files: readonly string[]): string =>
  files
    .map((file) => statSync(file, { throwIfNoEntry: false }))
    .map((stat) => `${stat?.mtimeMs} ${stat?.size}`)
    .join();

/**
 * Where an input may be declared, beside the files that the handler reads. The folder itself changes with each new file
 * in it.
 */
const declaringFiles = (folder: string, handler: string | null): string[] =>
  [
    '',
    HUB_FILE,
    ...placesOf(handler).flatMap((place) => [...SCHEMA_FILES, TEST_FILE].map((name) => place + name)),
    ...(handler === null ? [] : [handler]),
  ].map((name) => path.join(folder, name));

export function createDeclaredInputs(workerKitDir: string): DeclaredInputs {
  /** By handler and program. A result is valid while the files that it was read from stay the same. */
  const cached = new Map<string, { version: string; rules: Rules | string }>();

  async function ask(folder: string, handler: string, python: string): Promise<Rules | string> {
    const script = path.join(workerKitDir, 'python', 'input_schema.py');
    const options = {
      cwd: folder,
      timeout: READ_TIMEOUT_MS,
      windowsHide: true,
      maxBuffer: MOST_BYTES,
      env: { ...inherited(process.env), PYTHONIOENCODING: 'utf-8', PYTHONDONTWRITEBYTECODE: '1' },
    };
    try {
      const { stdout } = await run(python, [script, handler], options);
      return rulesSchema.parse(JSON.parse(stdout));
    } catch (error) {
      // Also where the output has another form: a Python may write words of its own before it.
      return `The input that ${handler} declares cannot be read: ${lastLineOf(error) || reasonOf(error)}`;
    }
  }

  const keyOf = (folder: string, handler: string, python: string): string => `${path.join(folder, handler)}\0${python}`;
  const filesOf = (folder: string, handler: string, rules: Rules | string): string[] =>
    typeof rules === 'string' ? [path.join(folder, handler)] : rules.read;

  async function rulesOf(folder: string, handler: string, python: string): Promise<Rules | string> {
    const key = keyOf(folder, handler, python);
    const before = cached.get(key);
    if (before && before.version === versionOf(filesOf(folder, handler, before.rules))) return before.rules;
    const rules = await ask(folder, handler, python);
    cached.set(key, { version: versionOf(filesOf(folder, handler, rules)), rules });
    return rules;
  }

  async function ofHandler(folder: string, handler: string, python: string): Promise<Declared<Schema>> {
    const rules = await rulesOf(folder, handler, python);
    if (typeof rules === 'string') return rules;
    if (rules.schema === null || rules.file === null) return rules.problem && `${handler}: ${rules.problem}`;
    const file = path.relative(folder, rules.file).replaceAll(path.sep, '/');
    return { text: JSON.stringify(rules.schema, null, 2), file, line: rules.line };
  }

  return {
    async read(folder, handler, python) {
      const schemas = [
        handler === null || python === null ? null : await ofHandler(folder, handler, python),
        firstOf(folder, handler, SCHEMA_FILES, (file, text): Schema => {
          objectSchema.parse(JSON.parse(text));
          return { text: text.trim(), file, line: null };
        }),
        ofHub(folder),
      ];
      const test = firstOf(folder, handler, [TEST_FILE], (file, text) => {
        const request = requestSchema.safeParse(JSON.parse(text));
        if (!request.success) throw new Error('It is no request: it needs an object "input".');
        return { file, body: text.trim() };
      });
      return {
        schema: schemas.find((schema) => schema !== null && typeof schema !== 'string') ?? null,
        test: typeof test === 'string' ? null : test,
        notices: [...schemas, test].filter((one) => typeof one === 'string'),
      };
    },
    version(folder, handler, python) {
      const known = handler === null || python === null ? undefined : cached.get(keyOf(folder, handler, python));
      const imported = handler === null || !known ? [] : filesOf(folder, handler, known.rules);
      return versionOf([...declaringFiles(folder, handler), ...imported]);
    },
  };
}
