/** Terminals into containers: what a shell in one has to do. */
import { once } from 'node:events';
import type { Container } from 'dockerode';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openContainerShell, type ContainerShell } from '../../../main/engine/runtime/containers/containerShell.ts';
import { startContainerEngine, whyNoContainers, type TestContainerEngine } from '../../support/containerEngine.ts';
import { makeShellImage } from '../../support/containerImages.ts';
import { until } from '../../support/until.ts';

const none = whyNoContainers();
const IMAGE = 'hangar-shell:1';
const SIZE = { columns: 80, rows: 24 };
const PATIENCE = { withinMs: 20_000, everyMs: 20 };

/** What a shell has printed so far. */
function reading({ output }: ContainerShell): { text(): string } {
  let text = '';
  output.on('data', (data: Buffer) => (text += data.toString())).resume();
  return { text: () => text };
}

if (none !== null) test('containers: shells', ({ skip }) => skip(none));
describe.skipIf(none !== null)('containers: shells', () => {
  let containers: TestContainerEngine;
  let container: Container;
  beforeAll(async () => {
    containers = await startContainerEngine();
    await makeShellImage(containers.docker, IMAGE);
    container = await containers.docker.createContainer({ Image: IMAGE, Cmd: ['sleep', '3600'] });
    await container.start();
  });
  afterAll(async () => {
    await container.remove({ force: true });
    await containers[Symbol.asyncDispose]();
  });
  /** Numbers of the processes of the container that were started so. */
  const processes = async (command: string): Promise<string[]> => {
    const { Processes } = (await container.top()) as { Processes: string[][] };
    return Processes.filter((fields) => fields.at(-1)!.startsWith(command)).map((fields) => fields[1]!);
  };

  test('a shell answers what is typed, knows its size and its kind, and tells how it ended', async () => {
    const shell = await openContainerShell(container, SIZE);
    const { text } = reading(shell);
    shell.write('echo "$TERM"; stty size; echo $((6*7))\r');
    await until('its answers', () => /xterm-256color\r\n24 80\r\n42\r\n/.test(text()), PATIENCE);
    await shell.resize({ columns: 120, rows: 40 });
    shell.write('stty size\r');
    await until('its new size', () => text().includes('40 120\r\n'), PATIENCE);
    expect(text()).not.toContain('\x1e');
    shell.write('exit 7\r');
    expect(await shell.exited).toBe(7);
    await shell.resize(SIZE);
  });

  test('one that is held back holds back what runs in it, loses nothing of it, and can be interrupted', async () => {
    const shell = await openContainerShell(container, SIZE, [
      'sh',
      '-c',
      'trap "echo stopped; exit 3" INT; busybox seq 1 300000; sleep 3600',
    ]);
    let lines = 0;
    let last = '';
    shell.output.on('data', (data: Buffer) => {
      const parts = (last + data.toString()).split('\r\n');
      last = parts.pop()!;
      lines += parts.length;
    });
    await until('it to be held back', async () => (await processes('busybox seq')).length === 1, PATIENCE);
    shell.output.resume();
    await until('all of it', () => lines === 300_000, PATIENCE);
    shell.write('\x03');
    expect(await shell.exited).toBe(3);
    expect(lines).toBe(300_001);
  });

  test('what runs in it ends with it, also a shell that is deaf to being hung up, unless it was started to go on', async () => {
    const shell = await openContainerShell(container, SIZE, [
      'sh',
      '-c',
      'trap "" HUP; echo deaf; while :; do sleep 77; done',
    ]);
    const { text } = reading(shell);
    await until('it to be deaf', () => text().includes('deaf'), PATIENCE);
    await shell.end();
    await until('it to be gone', async () => (await processes('sh -c trap')).length === 0, PATIENCE);
    const polite = await openContainerShell(container, SIZE);
    polite.output.resume();
    polite.write(`sh -c 'trap "" HUP; exec busybox sleep 99' > /dev/null 2>&1 &\r`);
    polite.write('busybox sleep 88\r');
    await until('its command to run', async () => (await processes('busybox sleep 88')).length === 1, PATIENCE);
    await polite.end();
    await until('its command to be gone', async () => (await processes('busybox sleep 88')).length === 0, PATIENCE);
    expect((await processes('busybox sleep 99')).length).toBe(1);
  });

  test('a command that is not there says so in the terminal; an image without a shell refuses in words', async () => {
    const shell = await openContainerShell(container, SIZE, ['nothing-like-it']);
    const { text } = reading(shell);
    expect(await shell.exited).toBe(127);
    expect(text()).toContain('nothing-like-it');
    const bare = await containers.docker.createContainer({
      Image: IMAGE,
      Cmd: ['/bin/sh', '-c', 'rm /bin/sh; exec sleep 3600'],
    });
    try {
      await bare.start();
      await until(
        'its shell to be gone',
        async () => {
          const exec = await bare.exec({ Cmd: ['/bin/ls', '/bin/sh'], AttachStdout: true });
          const listed = await exec.start({});
          await once(listed.resume(), 'end');
          return (await exec.inspect()).ExitCode !== 0;
        },
        PATIENCE,
      );
      await expect(openContainerShell(bare, SIZE)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    } finally {
      await bare.remove({ force: true });
    }
  });

  test('it ends with its container', async () => {
    const other = await containers.docker.createContainer({ Image: IMAGE, Cmd: ['sleep', '3600'] });
    await other.start();
    const shell = await openContainerShell(other, SIZE);
    shell.output.resume();
    await other.remove({ force: true });
    await shell.exited;
    await shell.end();
  });
});
