import { describe, expect, test } from 'vitest';
import { reasonPhrase } from './compat.ts';

describe('the words in the status line of a refusal', () => {
  test('are the message, where it is short and plain', () => {
    expect(reasonPhrase('There is no endpoint "x".')).toBe('There is no endpoint "x".');
  });

  test('are one line of ASCII, whatever a client has put into the message', () => {
    expect(reasonPhrase('got "a\r\nSet-Cookie: b\u0000é\u2028".')).toBe('got "a?Set-Cookie: b?".');
  });

  test('are cut where they get long', () => {
    const phrase = reasonPhrase('x'.repeat(5000));
    expect(phrase).toHaveLength(150);
    expect(phrase).toMatch(/x\.\.\.$/);
  });
});
