import { expect, it } from 'vitest';
import { lintSchema } from './lintSchema.ts';

it.each([
  ['', []],
  ['{"properties": {}}', []],
  ['{"a": {"type": "str"}}', []],
  ['{"properties": {"a": true}}', []],
  ['{\n"a": }', [[7, 2, 'A value is missing before "}".']]],
  ['{\n}\n3', [[4, 3, 'Remove everything after the end of the JSON.']]],
  ['[]', [[0, 1, 'A schema has "properties", or a rule with a "type" for each field.']]],
  ['{"properties": 3}', [[15, 1, '"properties" must be an object with a schema for each field.']]],
  ['{"properties": {"a": 3}}', [[21, 1, '"properties.a" must be a schema: an object, true or false.']]],
  ['{"properties": {"a": {"type": 3}}}', [[30, 1, '"properties.a.type" must be a type name or a list of type names.']]],
  ['{"properties": {"type": {"enum": 3}}}', [[33, 1, '"properties.type.enum" must be a list of values.']]],
  ['{"properties": {}, "required": true}', [[31, 1, '"required" must be a list of field names.']]],
  [
    '{"properties": {"input": {"properties": {"a": {"description": 3}}}}}',
    [[62, 1, '"properties.input.properties.a.description" must be a string.']],
  ],
])('%j has the problems %j', (text, problems) => {
  expect(lintSchema(text).map(({ from, line, message }) => [from, line, message])).toEqual(problems);
});
