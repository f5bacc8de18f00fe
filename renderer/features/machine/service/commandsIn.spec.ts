/** Commands within advice. */
import { describe, expect, it } from 'vitest';
import { commandsIn } from './commandsIn.ts';

describe('advice', () => {
  it('is searched for commands that can be copied', () => {
    const advice =
      'Install Docker (on Debian and Ubuntu: sudo apt-get install docker.io, then sudo usermod -aG docker $USER and log in again), ' +
      'or Podman with its socket (systemctl --user enable --now podman.socket).';
    expect(commandsIn(advice)).toEqual([
      'sudo apt-get install docker.io',
      'sudo usermod -aG docker $USER',
      'systemctl --user enable --now podman.socket',
    ]);
  });

  it('may quote commands, which are found all the same', () => {
    expect(commandsIn('Run `sudo systemctl start docker`.')).toEqual(['sudo systemctl start docker']);
  });

  it('without a command has nothing to copy', () => {
    expect(commandsIn('The file "handler.py" was not found. Start Docker Desktop, or Podman.')).toEqual([]);
  });
});
