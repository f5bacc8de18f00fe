import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { MASK } from '#contract/core/secretPatterns.ts';
import { secret } from '#contract/core/secretFields.ts';
import { createAnswerMasks, maskerOf } from './responseMasks.ts';
import { localDocument } from '../openapi/operations/local.ts';
import { managementDocument } from '../openapi/operations/resources.ts';

const env = () => secret('values', z.record(z.string(), z.string()));
const address = () => secret('address', z.string());

describe('what is secret', () => {
  test.each<[string, z.ZodType, unknown, unknown]>([
    ['variables', env(), { A: '1', B: '' }, { A: MASK, B: MASK }],
    ['a field', z.looseObject({ env: env() }), { env: { A: '1' }, more: 1 }, { env: { A: MASK }, more: 1 }],
    ['a list', z.array(z.object({ env: env() })), [{ env: { A: '1' } }], [{ env: { A: MASK } }]],
    ['a record', z.record(z.string(), address()), { a: 'http://h/t' }, { a: `http://h/${MASK}` }],
    ['an optional field', z.object({ env: env().optional() }), {}, {}],
    ['a field with a default', z.object({ env: env().default({}) }), { env: { A: '1' } }, { env: { A: MASK } }],
    ['one of several', z.union([z.string(), z.object({ env: env() })]), { env: { A: '1' } }, { env: { A: MASK } }],
    ['null', z.object({ url: address().nullable() }), { url: null }, { url: null }],
    ['what should be variables and is not', env(), 'A=1', MASK],
  ])('is masked in %s', (_, schema, value, masked) => {
    expect(maskerOf(schema)?.(value)).toEqual(masked);
  });

  test.each([
    ['http://h:1/', 'http://h:1/'],
    ['http://h:1', 'http://h:1/'],
    ['https://name:token@h/', 'https://h/'],
    ['https://h/?token=t', `https://h/${MASK}`],
    ['https://h/services/t', `https://h/${MASK}`],
    ['https://h/#t', `https://h/${MASK}`],
    ['no address', MASK],
  ])('of the address %s is all but its host', (told, masked) => {
    expect(maskerOf(address())?.(told)).toBe(masked);
  });

  test('is not looked for where no schema names it', () => {
    expect(maskerOf(z.object({ env: z.record(z.string(), z.string()), list: z.array(z.unknown()) }))).toBeNull();
  });
});

describe('the answers that the documents tell of', () => {
  const masks = createAnswerMasks([managementDocument('1'), localDocument('1')]);
  const variables = { env: { TOKEN: 't' } };
  const masked = { env: { TOKEN: MASK } };

  test.each<[string, unknown, unknown]>([
    ['/v1/templates', [variables], [masked]],
    ['/v1/templates/{templateId}', variables, masked],
    [
      '/v1/endpoints',
      [{ ...variables, template: variables, workers: [variables] }],
      [{ ...masked, template: masked, workers: [masked] }],
    ],
    ['/v1/pods', [{ ...variables, template: variables }], [{ ...masked, template: masked }]],
    ['/v1/pods/{podId}', variables, masked],
    ['/local/v1/webhooks', [{ url: 'https://h/t' }], [{ url: `https://h/${MASK}` }]],
    ['/local/v1/webhooks/{id}', { url: 'https://h/t' }, { url: `https://h/${MASK}` }],
  ])('GET %s are masked', (path, answer, told) => {
    expect(masks.mask('GET', path, 200, answer)).toEqual(told);
  });

  test('are left as they are where nothing in them is secret', () => {
    const answer = [{ env: 'is no variable here' }];
    expect(masks.mask('GET', '/v1/networkvolumes', 200, answer)).toBe(answer);
  });

  test('are needed of every route', () => {
    expect(() => masks.require('GET', '/v1/templates')).not.toThrow();
    expect(() => masks.require('GET', '/v1/nowhere')).toThrow('GET /v1/nowhere');
  });
});
