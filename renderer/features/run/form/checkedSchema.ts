/** A schema of the person or of a folder, as the JSON Schema that inputs are checked against. */
import type { Schema } from '@cfworker/json-schema';
import { isOfBody, isRules } from './inputFields.ts';

export interface CheckedSchema {
  schema: Schema;
  /** Whether it describes the whole body of a request; else its input. */
  isOfBody: boolean;
}

type Members = Readonly<Record<string, unknown>>;

/** Names of types in Python, in the rules of the public SDK's validator. */
const pythonTypes: Readonly<Record<string, string>> = {
  str: 'string',
  float: 'number',
  int: 'integer',
  bool: 'boolean',
  list: 'array',
  dict: 'object',
};
const jsonTypes: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);

/** What stands in these is a value, not a schema. */
const VALUES: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'example', 'examples']);
/** Their members are schemas by names, which may be those of keywords. */
const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The types of JSON Schema; undefined if one has another name and may be anything. */
function typesOf(type: unknown): string[] | undefined {
  const names = [type].flat().map((name) => (typeof name === 'string' ? (pythonTypes[name] ?? name) : ''));
  return names.every((name) => jsonTypes.has(name)) ? names : undefined;
}

/** A bound that a flag beside it makes exclusive, as draft 4 writes it, is a bound of its own in later drafts. */
function boundOf(members: Members, bound: 'minimum' | 'maximum', exclusive: string): Members {
  if (typeof members[exclusive] !== 'boolean') return members;
  const { [bound]: value, [exclusive]: isExclusive, ...others } = members;
  if (value === undefined) return others;
  return { ...others, [isExclusive === true ? exclusive : bound]: value };
}

function convert(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (!isMembers(value)) return value;
  const bounded = boundOf(boundOf(value, 'minimum', 'exclusiveMinimum'), 'maximum', 'exclusiveMaximum');
  const members = Object.entries(bounded).map(([name, member]): [string, unknown] => {
    if (VALUES.has(name)) return [name, member];
    if (name === 'type') return [name, typesOf(member)];
    // A flag of the field itself; its object lists it among the required ones.
    if (name === 'required') return [name, Array.isArray(member) ? member : undefined];
    if (NAMED.has(name) && isMembers(member)) return [name, convertEach(member)];
    return [name, convert(member)];
  });
  const flagged = isMembers(value['properties']) ? flaggedNames(value['properties']) : [];
  const named: unknown[] = Array.isArray(value['required']) ? value['required'] : [];
  return Object.fromEntries([
    ...members.filter(([, member]) => member !== undefined),
    ...(flagged.length > 0 ? [['required', [...new Set([...named, ...flagged])]]] : []),
  ]);
}

const convertEach = (members: Members): Members =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, convert(member)]));

const flaggedNames = (properties: Members): string[] =>
  Object.entries(properties).flatMap(([name, property]) =>
    isMembers(property) && property['required'] === true ? [name] : [],
  );

/** Reads a text that `readFields` can read; null for any other. */
export function checkedSchema(text: string): CheckedSchema | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // It is no JSON, which the editor says.
    return null;
  }
  const converted = convert(isRules(value) ? { properties: value } : value);
  return isMembers(converted) ? { schema: { ...converted }, isOfBody: isOfBody(value) } : null;
}
