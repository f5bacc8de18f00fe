/** Commands within advice. */
import { describe, expect, it } from 'vitest';
import { commandsIn } from './commandsIn.ts';

describe('advice', () => {
  it('is searched for commands that can be copied', () => {
    expect(commandsIn('Install it with `sudo apt-get install docker.io`, then run "systemctl start docker".')).toEqual([
      'sudo apt-get install docker.io',
      'systemctl start docker',
    ]);
  });

  it('without a command has nothing to copy', () => {
    expect(commandsIn('The file "handler.py" was not found. Start Docker Desktop.')).toEqual([]);
  });
});
