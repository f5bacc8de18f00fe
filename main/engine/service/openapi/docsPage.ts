/** An OpenAPI document as a page to read: plain HTML that needs no script and loads nothing. */
import { createHash } from 'node:crypto';
import { docsStyle } from './docsStyle.ts';

export interface DocsPage {
  readonly html: string;
  /** The hash of its style, for a policy that allows no other. */
  readonly styleHash: string;
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
}
type Content = Record<string, { schema: Schema }>;
interface Answer {
  $ref?: string;
  description?: string;
  content?: Content;
}
interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, Answer>;
}
interface Document {
  info: { title: string; version: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Answer> };
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const text = (value: string): string => value.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
/** Words of the document: text between backticks is code. */
const words = (value: string): string => text(value).replace(/`([^`]+)`/g, '<code>$1</code>');
const code = (value: unknown): string => `<code>${text(JSON.stringify(value))}</code>`;
const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);
const slug = (value: string): string => value.replaceAll(/[^a-zA-Z0-9]+/g, '-');

function typeOf(schema: Schema): string {
  const { $ref, items, anyOf, oneOf, additionalProperties, type } = schema;
  if ($ref !== undefined) {
    const name = text(nameOf($ref));
    return `<a href="#schema-${name}">${name}</a>`;
  }
  const several = anyOf ?? oneOf;
  if (several) return several.map(typeOf).join(' or ');
  if (schema.const !== undefined) return code(schema.const);
  if (items) return `list of ${typeOf(items)}`;
  if (schema.enum) return schema.enum.length > 6 ? 'one of these' : schema.enum.map(code).join(' or ');
  if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0 && !schema.properties) {
    return `map of ${typeOf(additionalProperties)}`;
  }
  return text([type ?? 'any'].flat().join(' or '));
}

/** Longer lists of values stand below the type. */
function valuesOf(schema: Schema): string {
  const values = schema.enum ?? schema.items?.enum ?? [];
  return values.length > 6 ? `<span class="values">${values.map(code).join(' ')}</span>` : '';
}

function boundsOf({ minimum, maximum, minLength, maxLength, maxItems }: Schema): string[] {
  const range = (least: number | undefined, most: number | undefined, unit: string): string[] => {
    if (least !== undefined && most !== undefined) return [`${least} to ${most}${unit}`];
    if (most !== undefined) return [`at most ${most}${unit}`];
    return least === undefined ? [] : [`at least ${least}${unit}`];
  };
  return [
    ...(minLength === 1 && maxLength === undefined ? ['not empty'] : range(minLength, maxLength, ' characters')),
    ...range(minimum, maximum, ''),
    ...range(undefined, maxItems, ' items'),
  ];
}

/** A row of a table. `mark`: the text beside the name. */
function row(name: string, schema: Schema, mark: string, description = schema.description): string {
  const more = [
    ...(description === undefined ? [] : [words(description)]),
    ...boundsOf(schema),
    // A long default is left out: the description has it.
    ...(schema.default === undefined || JSON.stringify(schema.default).length > 80
      ? []
      : [`default ${code(schema.default)}`]),
  ];
  return `<tr><td><code>${text(name)}</code>${mark}</td><td><span class="type">${typeOf(schema)}</span>${valuesOf(schema)}${
    more.length > 0 ? `<span class="more">${more.join(' · ')}</span>` : ''
  }</td></tr>`;
}

const REQUIRED = '<span class="must">required</span>';
const SOMETIMES = '<span class="may">not always</span>';

const table = (rows: readonly string[], first: string): string =>
  `<table><thead><tr><th>${first}</th><th>What it is</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;

/** The fields of a schema. `sent`: of a request, not of an answer. */
function fields(schema: Schema, sent: boolean): string {
  const { properties = {}, required = [] } = schema;
  const mark = (name: string): string => {
    if (sent) return required.includes(name) ? REQUIRED : '';
    return required.includes(name) ? '' : SOMETIMES;
  };
  const rows = Object.entries(properties).map(([name, field]) => row(name, field, mark(name)));
  return rows.length > 0 ? table(rows, 'Field') : `<p class="type">${typeOf(schema)}</p>`;
}

function answerRow(document: Document, status: string, answer: Answer): string {
  const { description = '', content = {} } = answer.$ref
    ? (document.components.responses[nameOf(answer.$ref)] ?? {})
    : answer;
  const [type] = Object.values(content);
  return `<tr><td><code>${text(status)}</code></td><td>${words(description)}${type ? ` <span class="type">${typeOf(type.schema)}</span>` : ''}</td></tr>`;
}

const methodChip = (method: string): string =>
  `<span class="method ${text(method)}">${text(method.toUpperCase())}</span>`;

function operationCard(document: Document, method: string, path: string, operation: Operation): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const [body] = Object.values(requestBody?.content ?? {});
  const bodySchema =
    body?.schema.$ref === undefined ? body?.schema : document.components.schemas[nameOf(body.schema.$ref)];
  return `<details class="card" id="${text(operationId)}"><summary>${methodChip(method)}<span class="path">${text(path)}</span><span class="what">${words(summary)}</span></summary><div class="body">${
    description === undefined ? '' : `<p class="lead">${words(description)}</p>`
  }${
    parameters.length > 0
      ? `<h3>Parameters</h3>${table(
          parameters.map((one) => row(one.name, one.schema, one.required ? REQUIRED : '', one.description)),
          'Name',
        )}`
      : ''
  }${body && bodySchema ? `<h3>Body <small>${typeOf(body.schema)}</small></h3>${fields(bodySchema, true)}` : ''}<h3>Answers</h3>${table(
    Object.entries(responses).map(([status, answer]) => answerRow(document, status, answer)),
    'Status',
  )}</div></details>`;
}

export function createDocsPage(documentText: string): DocsPage {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- createDocument wrote the text, and Document describes it
  const document = JSON.parse(documentText) as Document;
  const { info, tags, paths, components } = document;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
  const groups = tags.map(({ name, description }) => ({
    name,
    description,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  const sent = new Set(
    operations.flatMap(({ operation }) =>
      Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => nameOf(schema.$ref ?? '')),
    ),
  );
  const schemas = Object.entries(components.schemas).sort(([a], [b]) => a.localeCompare(b));
  const menu = groups.map(
    (group) =>
      `<h2>${text(group.name)}</h2><ul>${group.operations
        .map(
          ({ method, path, operation }) =>
            `<li><a href="#${text(operation.operationId)}" title="${text(`${method.toUpperCase()} ${path}`)}">${methodChip(method)}<span>${text(operation.summary)}</span></a></li>`,
        )
        .join('')}</ul>`,
  );
  const sections = groups.map(
    (group) =>
      `<section aria-labelledby="group-${slug(group.name)}"><h2 id="group-${slug(group.name)}">${text(group.name)}</h2><p class="lead">${words(group.description)}</p>${group.operations
        .map(({ method, path, operation }) => operationCard(document, method, path, operation))
        .join('')}</section>`,
  );
  const shapes = schemas.map(
    ([name, schema]) =>
      `<div class="card schema"><h3 id="schema-${text(name)}">${text(name)}</h3>${fields(schema, sent.has(name))}</div>`,
  );
  return {
    styleHash: `sha256-${createHash('sha256').update(docsStyle).digest('base64')}`,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${text(info.title)}</title><style>${docsStyle}</style></head><body><a class="skip" href="#content">Skip to the content</a><nav aria-label="Operations"><div class="name"><i></i>Hangar</div>${menu.join('')}<h2>Schemas</h2><ul>${schemas
      .map(([name]) => `<li><a href="#schema-${text(name)}"><span>${text(name)}</span></a></li>`)
      .join(
        '',
      )}</ul></nav><main id="content"><h1>${text(info.title)}</h1><p class="lead">${words(info.description)}</p><div class="facts"><span class="chip">Version ${text(info.version)}</span><span class="chip">Authorization: Bearer &lt;key&gt;</span><a class="chip" href="/v1/openapi.json">openapi.json</a></div>${sections.join('')}<section aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>${shapes.join('')}</section></main></body></html>`,
  };
}
