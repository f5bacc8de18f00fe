import { expect, it } from 'vitest';
import { lintSchema } from './lintSchema.ts';

it.each([
  ['', []],
  ['{"properties": {}}', []],
  ['{"a": {"type": "str"}}', []],
  ['{"properties": {"a": true}}', []],
  ['{\n"a": }', [[7, 2, 'A value is missing before "}".']]],
  ['{\n}\n3', [[4, 3, 'Nothing may follow the end of the JSON.']]],
  ['[]', [[0, 1, 'A schema has "properties", or a rule with a "type" for each field.']]],
  ['{"properties": 3}', [[15, 1, '"properties" must be an object with a schema for each field.']]],
  ['{"properties": {"a": 3}}', [[21, 1, '"properties.a" must be a schema: an object, true or false.']]],
  [
    '{"properties": {"a": {"type": 3}}}',
    [[30, 1, '"properties.a.type" must be the name of a type, or a list of such names.']],
  ],
  ['{"properties": {"type": {"enum": 3}}}', [[33, 1, '"properties.type.enum" must be a list of values.']]],
  ['{"properties": {}, "required": true}', [[31, 1, '"required" must be a list of the names of fields.']]],
  [
    '{"properties": {"input": {"properties": {"a": {"description": 3}}}}}',
    [[62, 1, '"properties.input.properties.a.description" must be a text.']],
  ],
])('%j has the problems %j', (text, problems) => {
  expect(lintSchema(text).map(({ from, line, message }) => [from, line, message])).toEqual(problems);
});
