/** Commands within advice. */
import { describe, expect, it } from 'vitest';
import { commandsIn, readAdvice } from './commandsIn.ts';

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

  it('is a text and steps where a sentence ends with its command', () => {
    const advice =
      'No engine was found. Install Docker on Debian or Ubuntu: sudo apt-get install docker.io. Then allow yourself ' +
      'to use it: sudo usermod -aG docker $USER. Another one is named by DOCKER_HOST.';
    expect(readAdvice(advice)).toEqual({
      text: 'No engine was found. Another one is named by DOCKER_HOST.',
      steps: [
        { label: 'Install Docker on Debian or Ubuntu', command: 'sudo apt-get install docker.io' },
        { label: 'Then allow yourself to use it', command: 'sudo usermod -aG docker $USER' },
      ],
    });
  });

  it('starts a service in a step, and "service" elsewhere is a word', () => {
    const command = 'sudo service docker start';
    expect(readAdvice(`It does not run. Start it: ${command}.`).steps).toEqual([{ label: 'Start it', command }]);
    expect(commandsIn('The service answers, and the service is busy.')).toEqual([]);
  });

  it('keeps its text where a command is within a sentence', () => {
    const advice = 'Start it (sudo systemctl start docker), then check again.';
    expect(readAdvice(advice)).toEqual({
      text: advice,
      steps: [{ label: null, command: 'sudo systemctl start docker' }],
    });
  });

  it('without a command has nothing to copy', () => {
    expect(commandsIn('The file "handler.py" was not found. Start Docker Desktop, or Podman.')).toEqual([]);
  });
});
