import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { hostsOfConfig } from './sshConfig.ts';

describe('the hosts of ~/.ssh/config', () => {
  const homes: string[] = [];
  afterEach(async () => {
    for (const home of homes.splice(0)) await rm(home, { recursive: true });
  });

  /** By the name in the folder `.ssh`. */
  async function homeWith(files: Record<string, string>): Promise<string> {
    const home = await mkdtemp(join(tmpdir(), 'hangar-home-'));
    homes.push(home);
    for (const [name, text] of Object.entries(files)) {
      const file = join(home, '.ssh', name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    return home;
  }
  const hostsIn = async (config: string) => (await hostsOfConfig(await homeWith({ config }))).hosts;

  it('are the names of its Host lines, each once, without patterns', async () => {
    const config = [
      '# Host comment',
      'Host web db',
      '  HostName 10.0.0.5',
      'host="gate way" build # old',
      '\tHOST = cache\r',
      'Host *.example.org !bad web ?',
      'HostKeyAlgorithms ssh-ed25519',
      'Match host other',
    ].join('\n');
    expect(await hostsIn(config)).toEqual(['web', 'db', 'build', 'cache']);
  });

  it('leave out what the program would not take as the name of a host', async () => {
    expect(await hostsIn('Host -oProxyCommand=id a;b me@web web:22 fine')).toEqual(['fine']);
  });

  it('come from the files that it includes, too, and a file that includes itself does no harm', async () => {
    const home = await homeWith({
      config: 'Include conf.d/* ~/.ssh/extra\nHost last\nInclude gone',
      'conf.d/10-work': 'Host work\nInclude config',
      'conf.d/20-home': 'Host home',
      'conf.d/.hidden': 'Host hidden',
      extra: 'Host extra',
    });
    const { hosts, unread } = await hostsOfConfig(home);
    expect(hosts.toSorted()).toEqual(['extra', 'home', 'last', 'work']);
    expect(unread).toMatch(/10-work was not read|config was not read/);
  });

  it('are none without the file, and an unreadable one is named', async () => {
    expect(await hostsOfConfig(await homeWith({}))).toEqual({ hosts: [], unread: null });
    const { hosts, unread } = await hostsOfConfig(await homeWith({ 'config/inside': '' }));
    expect(hosts).toEqual([]);
    expect(unread).toMatch(/config cannot be read: EISDIR/);
  });
});
