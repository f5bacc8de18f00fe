import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { MASK } from '#contract/core/secretPatterns.ts';
import { secret } from '#contract/core/secretFields.ts';
import { podSchema } from '#contract/api/pod.ts';
import { endpointAnswerSchema, templateAnswerSchema } from '#contract/api/resourceAnswers.ts';
import { volumeSchema } from '#contract/api/resources.ts';
import { webhookDeliverySchema } from '#contract/api/webhook.ts';
import { named, type Shape } from '../openapi/operation.ts';
import { maskAnswer, maskerOf } from './responseMasks.ts';

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
  ])('of the address %s is all but its host', (fullAddress, masked) => {
    expect(maskerOf(address())?.(fullAddress)).toBe(masked);
  });

  test('is not looked for where no schema names it', () => {
    expect(maskerOf(z.object({ env: z.record(z.string(), z.string()), list: z.array(z.unknown()) }))).toBeNull();
  });
});

describe('an answer', () => {
  const operationWith = (shape: Shape | null, status = 200) => ({
    id: 'get',
    group: 'group',
    summary: 'Answers.',
    answers: { [status]: { words: 'The answer.', shape } },
  });
  const template = named('Template', templateAnswerSchema);
  const endpoint = named('Endpoint', endpointAnswerSchema);
  const pod = named('Pod', podSchema);
  const delivery = named('WebhookDelivery', webhookDeliverySchema);
  const variables = { env: { TOKEN: 't' } };
  const masked = { env: { TOKEN: MASK } };

  test.each<[string, Shape, unknown, unknown]>([
    ['a list of templates', { listOf: template }, [variables], [masked]],
    ['a template', template, variables, masked],
    [
      'a list of endpoints',
      { listOf: endpoint },
      [{ ...variables, template: variables, workers: [variables] }],
      [{ ...masked, template: masked, workers: [masked] }],
    ],
    ['a Pod', pod, { ...variables, template: variables }, { ...masked, template: masked }],
    ['one of several', { oneOf: [{ listOf: pod }, template] }, variables, masked],
    ['a list that is one of several', { oneOf: [{ listOf: pod }, template] }, [variables], [masked]],
    ['a webhook delivery', delivery, { url: 'https://h/t' }, { url: `https://h/${MASK}` }],
  ])('with %s is masked', (_, shape, answer, expected) => {
    expect(maskAnswer(operationWith(shape), 200, answer)).toEqual(expected);
  });

  test.each([
    ['without a secret in its schema', operationWith(named('NetworkVolume', volumeSchema))],
    ['without a body', operationWith(null)],
    ['of another status', operationWith(template, 201)],
  ])('%s stays as it is', (_, operation) => {
    expect(maskAnswer(operation, 200, variables)).toBe(variables);
  });
});
