/** Rules of what the headless host prints at its start. */
import { describe, expect, it } from 'vitest';
import { anotherLink, forPerson, jsonLines, stoppingDetails, STOPPING, type Facts } from './announce.ts';
import { addressElsewhere, tunnelCommand } from './elsewhere.ts';

const facts: Facts = {
  version: '1.2.3',
  api: 'http://127.0.0.1:47800',
  ui: null,
  apiKey: 'rpa_of_this_run',
  isOwnKey: false,
  elsewhere: null,
  tunnel: null,
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
    expect(keys).toEqual([
      expect.stringMatching(/^rpa_of_this_run\n +valid until Hangar stops\. One that stays valid: in the window/),
    ]);
  });

  it.each([null, 'rpa_first'])('name the key of HANGAR_API_KEY alone, with the first key %s', (firstKey) => {
    const keys = keysOf(forPerson({ ...facts, apiKey: 'rpa_own', isOwnKey: true, firstKey }));
    expect(keys).toEqual([expect.stringMatching(/^rpa_own\n +for your scripts; from HANGAR_API_KEY/)]);
  });
});

describe('for somebody at another computer, the lines', () => {
  const ui = 'http://hangar-1.localhost:47801/?pair=code';

  it('name the address of each in the network, where Hangar listens for others', () => {
    const elsewhere = { ui: 'http://192.168.0.9:47801/?pair=code', api: 'http://192.168.0.9:47800' };
    const output = forPerson({ ...facts, ui, elsewhere });
    expect(output).toContain(`${ui}\n             on other computers: ${elsewhere.ui}\n`);
    expect(output).toContain(`${facts.api}\n             on other computers: ${elsewhere.api}\n`);
    expect(anotherLink(ui, elsewhere.ui)).toContain(elsewhere.ui);
  });

  it('have the command of the tunnel in a session over SSH', () => {
    const tunnel = tunnelCommand('10.0.0.5 51515 10.0.0.9 2222', [ui, facts.api]);
    expect(tunnel).toMatch(/^ssh -N -L 47801:127\.0\.0\.1:47801 -L 47800:127\.0\.0\.1:47800 -p 2222 \S+@10\.0\.0\.9$/);
    expect(forPerson({ ...facts, ui, tunnel })).toContain(`then open the link there:\n  ${tunnel}\n`);
    expect([tunnelCommand(undefined, [ui]), tunnelCommand('', [ui])]).toEqual([null, null]);
  });
});

it.each([
  ['http://hangar-1.localhost:47801/?pair=code', '0.0.0.0', /^http:\/\/.+:47801\/\?pair=code$/],
  ['http://127.0.0.1:47800', '192.168.0.9', /^http:\/\/192\.168\.0\.9:47800$/],
])('%s is reached from other computers if Hangar listens on %s', (address, host, expected) => {
  const elsewhere = addressElsewhere(address, host);
  // A machine without a network has no such address.
  if (elsewhere !== null) expect(elsewhere).toMatch(expected);
  expect(addressElsewhere(address, '127.0.0.1')).toBeNull();
  expect(addressElsewhere('http://192.168.0.9:47800', '192.168.0.9')).toBeNull();
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

describe('the line at a stop', () => {
  it.each([
    ['nothing runs', [], 'Stopping. Press Ctrl+C again to stop at once.\n'],
    [
      'a job runs',
      ['1 job', '2 terminals'],
      'Stopping. Now running: 1 job, 2 terminals. Jobs that do not end within 5 s go back to the queue. Press Ctrl+C again to stop at once.\n',
    ],
    ['no job runs', ['1 terminal'], 'Stopping. Now running: 1 terminal. Press Ctrl+C again to stop at once.\n'],
    [
      'nobody knows',
      null,
      'Stopping. Jobs that do not end within 5 s go back to the queue. Press Ctrl+C again to stop at once.\n',
    ],
  ])('says what becomes of the work where %s', (_what, work, line) => {
    expect(STOPPING + stoppingDetails(work, 'SIGINT')).toBe(line);
  });

  it('names no key for a signal that comes from no keyboard', () =>
    expect(STOPPING + stoppingDetails([], 'SIGTERM')).toBe('Stopping.\n'));
});
