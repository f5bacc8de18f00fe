/** Rules of what is read from a template's readme. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { handlerKinds } from '#contract/app/endpointReadModels.ts';
import { handlerFiles } from '../../services/folders/handlerFiles.ts';
import { descriptionOf, sampleInputOf } from './endpoints.ts';

const readme =
  '# Words\n\nStreams a text,\nword by word.\n\n```sh\ncurl\n```\n\n```json\n{"input": {\n  "a": "```" }}\n```\n\n```json\n{}\n```\n';

describe('a readme', () => {
  it('gives the first fenced json block as the sample input', () => {
    expect(sampleInputOf(readme)).toBe('{"input": {\n  "a": "```" }}');
    expect(sampleInputOf(readme.replaceAll('\n', '\r\n'))).toBe('{"input": {\n  "a": "```" }}');
  });

  it('gives its first paragraph as the description, on one line', () => {
    expect(descriptionOf(readme)).toBe('Streams a text, word by word.');
    expect(descriptionOf('Its code is in `handler.py`; ``a`` too, ` not.')).toBe(
      'Its code is in handler.py; a too, ` not.',
    );
    expect(descriptionOf('# Title\nDirectly below.\n')).toBe('Directly below.');
    expect(descriptionOf('- a list\n\nThen text.')).toBe('Then text.');
  });

  it.each(handlerKinds)('of a new handler that is a %s gives its test input and no description', async (kind) => {
    const resources = fileURLToPath(new URL('../../../../resources', import.meta.url));
    const files = await handlerFiles({ language: 'python', kind, name: 'greeter' }, resources);
    const ofHandler = files['README.md'] ?? '';
    expect(descriptionOf(ofHandler), 'it would stay as it is while the code changes').toBeNull();
    expect(JSON.parse(sampleInputOf(ofHandler) ?? '')).toEqual(JSON.parse(files['test_input.json'] ?? ''));
  });

  it('gives nothing where there is nothing', () => {
    expect(sampleInputOf('')).toBeNull();
    expect(descriptionOf('# Only a title')).toBeNull();
  });
});
