/** The page of the management API at /v1/docs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDocsPage } from '../../../main/engine/service/openapi/docsPage.ts';
import { startEngine, type TestEngine } from '../../support/engine/engine.ts';
import type { Answer } from '../../support/http/client.ts';
import { documentSchema, operationsOf, type OpenApiDocument } from '../../support/openapi/document.ts';
import { accepted } from '../../support/resources/resources.ts';

let engine: TestEngine;
let page: Answer;
let document: OpenApiDocument;
beforeAll(async () => {
  engine = await startEngine();
  page = await engine.http.get('/v1/docs', { authorization: null });
  document = documentSchema.parse(accepted(await engine.http.get('/v1/openapi.json', { authorization: null })));
});
afterAll(() => engine.close());

test('the page is served without a key, and may load and run nothing', async () => {
  expect(page.status).toBe(200);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  const policy = page.headers['content-security-policy'] as string;
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
  expect(page.headers['x-content-type-options']).toBe('nosniff');
  expect(page.text).not.toMatch(/<script|<img|<link|<iframe|<form|\bon[a-z]+=|style="|https?:\/\//);
  expect((await engine.http.get('/v1/docs', { headers: { host: 'evil.example' } })).status).toBe(403);
  expect((await engine.http.post('/v1/docs', {})).status).toBe(405);
});

test('the page tells of every operation and every schema of the document, and its links lead somewhere', () => {
  const ids = new Set([...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const wanted = [
    ...operationsOf(document).map(({ operationId }) => operationId),
    ...Object.keys(document.components.schemas).map((name) => `schema-${name}`),
  ];
  expect(wanted.length).toBeGreaterThan(40);
  expect(wanted.filter((id) => !ids.has(id))).toEqual([]);
  const links = [...page.text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  expect(links.filter((id) => !ids.has(id))).toEqual([]);
  for (const { path } of operationsOf(document)) expect(page.text).toContain(path);
});

test('what a document says is text in the page, whatever it is', () => {
  const evil = '<script>alert("1")</script>\'&';
  const { html } = createDocsPage(
    JSON.stringify({
      info: { title: evil, version: evil, description: evil },
      tags: [{ name: evil, description: evil }],
      paths: {
        [`/${evil}`]: {
          get: {
            operationId: evil,
            tags: [evil],
            summary: evil,
            description: evil,
            parameters: [{ name: evil, in: 'query', description: evil, schema: { enum: [evil] } }],
            responses: { [evil]: { description: evil } },
          },
        },
      },
      components: { schemas: { [evil]: { properties: { [evil]: { type: evil, default: evil } } } }, responses: {} },
    }),
  );
  expect(html).not.toMatch(/<script|alert\("/);
});
