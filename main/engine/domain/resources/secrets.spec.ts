import { expect, test } from 'vitest';
import { createFakeClock } from '../../../../test/support/core/fakeClock.ts';
import { createSecrets } from './secrets.ts';

const ids = { random: (bytes: number) => 'ab'.repeat(bytes), digest: (text: string) => text };

/** Name → value; null for a secret that is encrypted with a missing key. */
function secretsWith(values: Record<string, string | null>) {
  const stored = new Map(Object.entries(values));
  const load = () => [...stored.keys()].map((name) => ({ id: name, name, description: null, createdAt: '' }));
  const store = {
    load,
    save: ({ id }: { id: string }, value: string) => void stored.set(id, value),
    delete: (id: string) => void stored.delete(id),
    value: (id: string) => stored.get(id) ?? null,
  };
  return createSecrets(store, ids, createFakeClock());
}

test('references are filled in wherever they stand in a value, and others stay as they are written', () => {
  const { fillIn } = secretsWith({ a: '1', 'b-2': 'x$&y' });
  expect(
    fillIn({ A: '{{ RUNPOD_SECRET_a }}+{{RUNPOD_SECRET_b-2}}', B: '{{ RUNPOD_SECRET_c }}', C: '{{ a }}' }),
  ).toEqual({
    A: '1+x$&y',
    B: '{{ RUNPOD_SECRET_c }}',
    C: '{{ a }}',
  });
});

test('the value of a secret is not searched for references', () => {
  expect(secretsWith({ a: '{{ RUNPOD_SECRET_a }}' }).fillIn({ A: '{{ RUNPOD_SECRET_a }}' })).toEqual({
    A: '{{ RUNPOD_SECRET_a }}',
  });
});

test('a secret that cannot be read keeps what refers to it from starting, and nothing else', () => {
  const { fillIn } = secretsWith({ lost: null });
  expect(() => fillIn({ A: '{{ RUNPOD_SECRET_lost }}' })).toThrow(/"lost" is encrypted with a key that is not there/);
  expect(fillIn({ A: 'b' })).toEqual({ A: 'b' });
});
