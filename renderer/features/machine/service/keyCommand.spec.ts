/** The command that makes a key. */
import { describe, expect, it } from 'vitest';
import { keyCommand } from './keyCommand.ts';

describe('the command for a key', () => {
  it('asks the real address, takes the key it needs from the environment, and survives any name', () => {
    const command = keyCommand('http://127.0.0.1:47800', `it's "mine"`, 'jobs');
    expect(command).toContain(`'http://127.0.0.1:47800/local/v1/api-keys'`);
    expect(command).toContain('Bearer $HANGAR_API_KEY');
    expect(command).toContain(`-d '{"name":"it'\\''s \\"mine\\"","scope":"jobs"}'`);
  });
});
