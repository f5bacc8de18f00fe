/** Rules of what the headless host prints at its start. */
import { describe, expect, it } from 'vitest';
import { forPerson, jsonLines, type Facts } from './announce.ts';

const facts: Facts = {
  version: '1.2.3',
  api: 'http://127.0.0.1:47800',
  ui: null,
  apiKey: 'rpa_of_this_run',
  isOwnKey: false,
  firstKey: null,
  dataDir: '/data',
  canAsk: false,
};

/** The keys of an output, each with the line below it, which says what the key is for. */
const keysOf = (output: string): string[] => [...output.matchAll(/rpa_\w+\n +.*/g)].map(([text]) => text);

describe('the lines for a person', () => {
  it('name the lasting key alone at the first start, and say that it is for scripts', () => {
    const keys = keysOf(forPerson({ ...facts, firstKey: 'rpa_first' }));
    expect(keys).toEqual([expect.stringMatching(/^rpa_first\n +for your scripts; it stays valid\. Copy it now/)]);
  });

  it('name the key of the run at a later start, and say how long it is valid', () => {
    const keys = keysOf(forPerson(facts));
    expect(keys).toEqual([expect.stringMatching(/^rpa_of_this_run\n +valid until Hangar stops; "hangar keys create"/)]);
  });

  it.each([null, 'rpa_first'])('name the key of HANGAR_API_KEY alone, with the first key %s', (firstKey) => {
    const keys = keysOf(forPerson({ ...facts, apiKey: 'rpa_own', isOwnKey: true, firstKey }));
    expect(keys).toEqual([expect.stringMatching(/^rpa_own\n +for your scripts; from HANGAR_API_KEY/)]);
  });
});

it('prints both keys at the first start for a program, the key of the run first', () => {
  const lines = jsonLines({ ...facts, firstKey: 'rpa_first' })
    .trimEnd()
    .split('\n');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({ event: 'ready', apiKey: 'rpa_of_this_run' }),
    { event: 'first-key', apiKey: 'rpa_first' },
  ]);
});
