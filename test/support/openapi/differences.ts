/**
 * Compares what two OpenAPI documents say of the same operations: parameters, bodies and answers, down to each field.
 */
import { isDeepStrictEqual } from 'node:util';

type Json = Record<string, unknown>;

/** A schema without the ways in which versions of OpenAPI write the same thing. */
interface Shape {
  /** Its name in the components of the document; null where it stands in place. */
  readonly name: string | null;
  /** What it says of the value itself, by keyword. */
  readonly facts: Readonly<Record<string, unknown>>;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: ReadonlySet<string>;
  /** Of the items of a list, or of the values of a map. */
  readonly inner: { readonly sign: '[]' | '{}'; readonly schema: unknown } | null;
}

const FACTS = ['format', 'default', 'minimum', 'maximum', 'minLength', 'maxLength'];
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const keysOf = (...objects: readonly object[]): string[] => [...new Set(objects.flatMap((one) => Object.keys(one)))];

/** Reads the schemas of one document. */
function reader(document: Json) {
  const resolve = (reference: string): unknown =>
    reference
      .replace(/^#\//, '')
      .split('/')
      .reduce<unknown>((at, step) => objectOf(at)[step], document);

  return function shapeOf(schema: unknown): Shape {
    const { $ref, allOf, anyOf, oneOf, ...own } = objectOf(schema);
    const [only, ...more] = listOf(allOf);
    const reference = $ref ?? (more.length === 0 ? objectOf(only)['$ref'] : undefined);
    if (typeof reference === 'string') {
      const shape = shapeOf(resolve(reference));
      const name = Object.keys(shape.properties).length > 0 ? reference.slice(reference.lastIndexOf('/') + 1) : null;
      const facts = Object.fromEntries(Object.entries(own).filter(([key]) => FACTS.includes(key)));
      return { ...shape, name, facts: { ...shape.facts, ...facts } };
    }
    const choices = listOf(anyOf ?? oneOf);
    const isNull = (one: unknown): boolean => objectOf(one)['type'] === 'null';
    const values = choices.filter((one) => !isNull(one));
    if (values.length === 1) {
      const shape = shapeOf({ ...objectOf(values[0]), ...own });
      if (values.length === choices.length) return shape;
      return { ...shape, facts: { ...shape.facts, type: [...listOf(shape.facts['type']), 'null'].sort() } };
    }
    const { type, nullable, items, properties, additionalProperties, required } = own;
    const isMap = type === 'object' && properties === undefined;
    const valuesOf =
      items ?? (Object.keys(objectOf(additionalProperties)).length > 0 ? additionalProperties : undefined);
    const types = [
      ...listOf(type),
      ...(typeof type === 'string' ? [type] : []),
      ...(nullable === true ? ['null'] : []),
    ];
    const choice = own['enum'] ?? ('const' in own ? [own['const']] : undefined);
    return {
      name: null,
      facts: {
        type: types.sort(),
        ...(choice === undefined ? {} : { enum: choice }),
        ...Object.fromEntries(FACTS.flatMap((key) => (own[key] === undefined ? [] : [[key, own[key]]]))),
      },
      properties: objectOf(properties),
      required: new Set(listOf(required) as string[]),
      inner: isMap
        ? valuesOf === undefined
          ? null
          : { sign: '{}', schema: valuesOf }
        : items === undefined
          ? null
          : { sign: '[]', schema: items },
    };
  };
}

type Answers = Readonly<Record<string, { schema: unknown } | string | null>>;

interface OperationParts {
  readonly id: unknown;
  readonly parameters: ReadonlyMap<string, Json>;
  readonly body: { readonly required: boolean; readonly schema: unknown } | null;
  /** Status → the schema of its JSON, the type of what is no JSON, or null for nothing. */
  readonly answers: Answers;
}

/** The operations of a document by `METHOD /path`, without the `base` of their paths. */
function operationsOf(document: Json, base: string): Map<string, OperationParts> {
  const { responses: shared } = objectOf(document['components']);
  const contentOf = (of: Json): { schema: unknown } | string | null => {
    const named = typeof of['$ref'] === 'string' ? of['$ref'].slice(of['$ref'].lastIndexOf('/') + 1) : null;
    const { content } = named === null ? of : objectOf(objectOf(shared)[named]);
    if (content === undefined) return null;
    const json = objectOf(content)['application/json'];
    return json === undefined ? (Object.keys(objectOf(content))[0] ?? null) : { schema: objectOf(json)['schema'] };
  };
  const parts = (operation: Json): OperationParts => {
    const { operationId, parameters, requestBody, responses } = operation;
    const body = requestBody === undefined ? null : contentOf(objectOf(requestBody));
    return {
      id: operationId,
      parameters: new Map(
        listOf(parameters).map((one) => [
          `${String(objectOf(one)['in'])} ${String(objectOf(one)['name'])}`,
          objectOf(one),
        ]),
      ),
      body:
        body === null
          ? null
          : { required: objectOf(requestBody)['required'] === true, schema: objectOf(body)['schema'] },
      answers: Object.fromEntries(
        Object.entries(objectOf(responses)).map(([status, response]) => [status, contentOf(objectOf(response))]),
      ),
    };
  };
  return new Map(
    Object.entries(objectOf(document['paths'])).flatMap(([path, item]) =>
      Object.entries(objectOf(item))
        .filter(([method]) => METHODS.has(method))
        .map(([method, operation]): [string, OperationParts] => [
          `${method.toUpperCase()} ${path.startsWith(base) ? path.slice(base.length) : path}`,
          parts(objectOf(operation)),
        ]),
    ),
  );
}

const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > 1;
const inWords = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

/** `place keyword: …`; of a list of names only what one of the two does not have. */
function factLine(place: string, key: string, published: unknown, here: unknown): string {
  if (['enum', 'default'].includes(key) && isLong(published) && isLong(here)) {
    const missing = published.filter((one) => !here.includes(one));
    const added = here.filter((one) => !published.includes(one));
    return `${place} ${key}: ${[
      ...(missing.length > 0 ? [`not here ${inWords(missing)}`] : []),
      ...(added.length > 0 ? [`only here ${inWords(added)}`] : []),
    ].join(', ')}`;
  }
  const short = (value: unknown): string =>
    Array.isArray(value) && value.length > 6 ? `a list of ${value.length}` : inWords(value);
  return `${place} ${key}: published ${short(published)}, here ${short(here)}`;
}

const isSame = (key: string, published: unknown, here: unknown): boolean => {
  const sorted = (value: unknown) => (key === 'enum' ? listOf(value).map(String).sort() : value);
  return isDeepStrictEqual(sorted(published), sorted(here));
};

/**
 * Every difference in a line of its own, in the order of the published document; empty where there is none. A schema
 * that both documents name is compared once, under that name. `base` stands before the paths of `here` alone.
 */
export function differencesOf(publishedDocument: object, hereDocument: object, base: string): string[] {
  const [readPublished, readHere] = [reader(publishedDocument as Json), reader(hereDocument as Json)];
  const lines: string[] = [];
  const seen = new Set<string>();
  const named: (() => void)[] = [];

  function compareShapes(place: string, published: Shape, here: Shape, isSent: boolean): void {
    for (const key of ['type', 'enum', ...FACTS]) {
      const [one, other] = [published.facts[key], here.facts[key]];
      if (!isSame(key, one, other)) lines.push(factLine(place, key, one, other));
    }
    for (const name of keysOf(published.properties, here.properties)) {
      const at = `${place}.${name}`;
      if (!(name in here.properties)) lines.push(`${at}: not here`);
      else if (!(name in published.properties)) lines.push(`${at}: only here`);
      else {
        const [wasRequired, isRequired] = [published.required.has(name), here.required.has(name)];
        const word = isSent ? 'required' : 'always answered';
        if (wasRequired !== isRequired) lines.push(`${at} ${word}: published ${wasRequired}, here ${isRequired}`);
        compare(at, published.properties[name], here.properties[name], isSent);
      }
    }
    if (published.inner && here.inner && published.inner.sign === here.inner.sign) {
      compare(`${place}${here.inner.sign}`, published.inner.schema, here.inner.schema, isSent);
    } else if (published.inner || here.inner) {
      lines.push(
        `${place} items: published ${published.inner?.sign ?? 'nothing'}, here ${here.inner?.sign ?? 'nothing'}`,
      );
    }
  }

  function compare(place: string, publishedSchema: unknown, hereSchema: unknown, isSent: boolean): void {
    const [published, here] = [readPublished(publishedSchema), readHere(hereSchema)];
    if (here.name === null) {
      compareShapes(place, published, here, isSent);
      return;
    }
    const pair = `${published.name} ${here.name}`;
    if (published.name !== null && published.name !== here.name) {
      lines.push(`${place} schema: published ${published.name}, here ${here.name}`);
    }
    if (seen.has(pair)) return;
    seen.add(pair);
    const name = published.name === null ? `${place} (${here.name})` : here.name;
    named.push(() => compareShapes(name, published, here, isSent));
  }

  function compareAnswers(operation: string, published: Answers, here: Answers): void {
    const statuses = keysOf(published, here);
    const listed = (what: string, those: readonly string[]): void => {
      if (those.length > 0) lines.push(`${operation} ${what}: ${those.join(', ')}`);
    };
    listed(
      'answers not here',
      statuses.filter((status) => !(status in here)),
    );
    listed(
      'answers only here',
      statuses.filter((status) => !(status in published)),
    );
    const shared = statuses.filter((status) => status in published && status in here);
    const isOnlyHere = (status: string): boolean => published[status] === null && here[status] !== null;
    listed('bodies only here', shared.filter(isOnlyHere));
    listed(
      'bodies not here',
      shared.filter((status) => published[status] !== null && here[status] === null),
    );
    for (const status of shared) {
      const [one, other] = [published[status] ?? null, here[status] ?? null];
      if (one === null || other === null) continue;
      if (typeof one === 'object' && typeof other === 'object') {
        compare(`${operation} ${status} answer`, one.schema, other.schema, false);
      } else if (one !== other) {
        const typeOf = (body: object | string): string => (typeof body === 'string' ? body : 'application/json');
        lines.push(`${operation} ${status} type: published ${typeOf(one)}, here ${typeOf(other)}`);
      }
    }
  }

  const [published, here] = [operationsOf(publishedDocument as Json, ''), operationsOf(hereDocument as Json, base)];
  for (const operation of new Set([...published.keys(), ...here.keys()])) {
    const [one, other] = [published.get(operation), here.get(operation)];
    if (!one || !other) {
      lines.push(`${operation}: ${one ? 'not here' : 'only here'}`);
      continue;
    }
    if (one.id !== other.id) lines.push(`${operation} id: published ${inWords(one.id)}, here ${inWords(other.id)}`);
    for (const name of new Set([...one.parameters.keys(), ...other.parameters.keys()])) {
      const [from, to] = [one.parameters.get(name), other.parameters.get(name)];
      const place = `${operation} ${name}`;
      if (!from || !to) lines.push(`${place}: ${from ? 'not here' : 'only here'}`);
      else {
        const [wasRequired, isRequired] = [from['required'] === true, to['required'] === true];
        if (wasRequired !== isRequired) lines.push(`${place} required: published ${wasRequired}, here ${isRequired}`);
        compare(place, from['schema'], to['schema'], true);
      }
    }
    if (one.body && other.body) {
      if (one.body.required !== other.body.required) {
        lines.push(`${operation} body required: published ${one.body.required}, here ${other.body.required}`);
      }
      compare(`${operation} body`, one.body.schema, other.body.schema, true);
    } else if (one.body || other.body) lines.push(`${operation} body: ${one.body ? 'not here' : 'only here'}`);
    compareAnswers(operation, one.answers, other.answers);
  }
  for (let next = named.shift(); next; next = named.shift()) next();
  return lines;
}
