/** The fields of an input: from a schema that the person has, or from inputs as they are. */
import * as z from 'zod';
import { memberAt, readText, type Node } from '../editor/requestText.ts';
import { t } from '../../../language/text.ts';

export type FieldKind = 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'json';

export interface InputField {
  name: string;
  kind: FieldKind;
  description: string | null;
  required: boolean;
  /** Raw JSON of each value that may be chosen; empty for other kinds. */
  choices: readonly string[];
  /** Raw JSON of the value that holds where none is written; null if the schema names none. */
  initial: string | null;
  /** Raw JSON of a value that the schema shows as an example; null without one. */
  example: string | null;
  min: number | null;
  max: number | null;
  /** Whether its text is base64 of a file. */
  isFile: boolean;
}

/** `path`: the names that lead to what cannot be read; empty for the whole schema. */
export type ReadFields = { ok: true; fields: InputField[] } | { ok: false; message: string; path: readonly string[] };

const propertySchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  enum: z.array(z.json()).optional(),
  default: z.json().optional(),
  examples: z.array(z.json()).optional().catch(undefined),
  example: z.json().optional(),
  /** A list names members of the field, for an object. */
  required: z.union([z.boolean(), z.array(z.string())]).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  format: z.string().optional(),
  contentEncoding: z.string().optional(),
});
type Property = z.infer<typeof propertySchema>;

const objectSchema = z.looseObject({
  properties: z.record(
    z.string(),
    z.preprocess((value) => (typeof value === 'boolean' ? {} : value), propertySchema),
  ),
  required: z.array(z.string()).default([]),
});
/** A schema of the whole body, as the schema of the input in it. */
const bodySchema = z
  .looseObject({ properties: z.looseObject({ input: objectSchema }) })
  .transform(({ properties }) => properties.input);
/** The rules of the public SDK's validator, written as JSON: each names its type as Python does. */
const rulesSchema = z.record(z.string(), propertySchema.required({ type: true }));

const kinds: Readonly<Record<string, FieldKind>> = {
  string: 'text',
  str: 'text',
  number: 'number',
  float: 'number',
  integer: 'integer',
  int: 'integer',
  boolean: 'boolean',
  bool: 'boolean',
};

/** Fields with these names hold files, whatever their schema says. */
const FILE_NAMES =
  /(?:^|_)(?:image|img|picture|pic|photo|mask|sketch|audio|speech|video|clip|file|document|pdf)(?:_?(?:b64|base64|data))?$|base64|b64/i;

/** A value that may be a whole number or another one is a number. */
function kindOfTypes(types: readonly string[]): FieldKind {
  const named = new Set(types.map((type) => kinds[type] ?? 'json'));
  if (named.has('number')) named.delete('integer');
  const [kind = 'json', ...others] = named;
  return others.length === 0 ? kind : 'json';
}

const jsonOf = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));

function fieldOf(name: string, property: Property, isRequired: boolean): InputField {
  const types = [property.type ?? []].flat();
  const kind = property.enum ? 'choice' : kindOfTypes(types.filter((type) => type !== 'null'));
  return {
    name,
    kind,
    description: property.description ?? null,
    required: isRequired || property.required === true,
    choices: (property.enum ?? []).map((value) => JSON.stringify(value)),
    initial: jsonOf(property.default),
    example: jsonOf(property.examples?.[0] ?? property.example),
    min: property.minimum ?? null,
    max: property.maximum ?? null,
    isFile:
      kind === 'text' &&
      (property.contentEncoding === 'base64' || property.format === 'binary' || FILE_NAMES.test(name)),
  };
}

const readRules = (value: unknown) => rulesSchema.safeParse(value);

/** Whether a schema is rules of the public SDK's validator. */
export const isRules = (value: unknown): boolean => !hasProperties(value) && readRules(value).success;

/** Reads a JSON Schema of the input or of the whole body, or rules of the public SDK's validator. */
export function readFields(schema: string): ReadFields {
  let value: unknown;
  try {
    value = JSON.parse(schema);
  } catch {
    // JSON.parse throws for one reason only, which the message says.
    return { ok: false, message: t`This is not valid JSON.`, path: [] };
  }
  const object = isOfBody(value) ? bodySchema.safeParse(value) : objectSchema.safeParse(value);
  if (object.success) {
    const { properties, required } = object.data;
    const fields = Object.entries(properties).map(([name, property]) =>
      fieldOf(name, property, required.includes(name)),
    );
    return { ok: true, fields };
  }
  const rules = readRules(value);
  if (rules.success) {
    return { ok: true, fields: Object.entries(rules.data).map(([name, rule]) => fieldOf(name, rule, false)) };
  }
  const [issue] = hasProperties(value) ? object.error.issues : [];
  const path = (issue?.path ?? []).map(String);
  const message = wanted(path) ?? t`A schema has "properties", or a rule with a "type" for each field.`;
  return { ok: false, message, path };
}

export const hasProperties = (value: unknown): value is { properties: unknown } =>
  typeof value === 'object' && value !== null && 'properties' in value;

/** Whether a schema describes the whole body of a request. */
export const isOfBody = (value: unknown): boolean => {
  if (!hasProperties(value)) return false;
  const { properties } = value;
  return (
    typeof properties === 'object' && properties !== null && 'input' in properties && hasProperties(properties.input)
  );
};

/** What is to stand at a place of a schema; null for the whole schema. */
function wanted(path: readonly string[]): string | null {
  if (path.length === 0) return null;
  const name = path.join('.');
  const isInBody = path[1] === 'input' && path[2] === 'properties';
  const place = isInBody ? 2 : path.indexOf('properties');
  // The name of a field may be that of a keyword.
  if (place === path.length - 1) return t`"${name}" must be an object with a schema for each field.`;
  if (place >= 0 && place === path.length - 2) return t`"${name}" must be a schema: an object, true or false.`;
  const keyword = path[place < 0 ? 0 : place + 2] ?? '';
  switch (keyword) {
    case 'type':
      return t`"${name}" must be a type name or a list of type names.`;
    case 'enum':
      return t`"${name}" must be a list of values.`;
    case 'required':
      return place < 0
        ? t`"${name}" must be a list of field names.`
        : t`"${name}" must be true, false or a list of names.`;
    case 'minimum':
    case 'maximum':
      return t`"${name}" must be a number.`;
    default:
      return t`"${name}" must be a string.`;
  }
}

const kindOfNode = ({ kind }: Node, text: string): FieldKind => {
  if (kind === 'string') return 'text';
  if (kind === 'number') return 'number';
  return kind === 'word' && text !== 'null' ? 'boolean' : 'json';
};

/** The members of the input in a body, by their names, as raw JSON; null if the body cannot be read. */
export function readInput(body: string): Map<string, { raw: string; node: Node }> | null {
  const read = readText(body);
  if (!read.ok) return null;
  const input = memberAt(read.root, ['input'])?.value;
  if (input?.kind !== 'object') return null;
  return new Map(
    (input.members ?? []).map(({ name, value }) => [name, { raw: body.slice(value.from, value.to), node: value }]),
  );
}

const isBlank = (raw: string): boolean => /^"(\s|\\[nrt])*"$/.test(raw);

/** The names of the texts that a schema requires, and that a body lacks or has without a character. */
export function emptyFields(schema: string, body: string): string[] {
  const read = readFields(schema);
  const input = readInput(body);
  if (!read.ok || input === null) return [];
  return read.fields
    .filter(({ name, kind, required }) => {
      const raw = input.get(name)?.raw;
      return required && kind === 'text' && (raw === undefined || isBlank(raw));
    })
    .map(({ name }) => name);
}

/** The fields that bodies have, each of the kind that it has in the first of them. */
export function inferFields(bodies: readonly string[]): InputField[] {
  const fields = new Map<string, InputField>();
  for (const body of bodies) {
    for (const [name, { raw, node }] of readInput(body) ?? []) {
      if (fields.has(name)) continue;
      fields.set(name, { ...fieldOf(name, {}, false), kind: kindOfNode(node, raw), isFile: false });
    }
  }
  return [...fields.values()].map((field) => ({
    ...field,
    isFile: field.kind === 'text' && FILE_NAMES.test(field.name),
  }));
}

const typeNames: Readonly<Record<FieldKind, string | undefined>> = {
  text: 'string',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
  choice: undefined,
  json: undefined,
};

/** The fields as a JSON Schema, for a person to go on with. */
export function schemaOf(fields: readonly InputField[]): string {
  const properties = Object.fromEntries(
    fields.map(({ name, kind }) => [name, typeNames[kind] === undefined ? {} : { type: typeNames[kind] }]),
  );
  return JSON.stringify({ type: 'object', properties }, null, 2);
}
