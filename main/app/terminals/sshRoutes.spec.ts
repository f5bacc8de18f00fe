import { describe, expect, it } from 'vitest';
import type { Pod } from '#contract/api/pod.ts';
import { proxyOf, waysOf } from './sshRoutes.ts';

const pod = (fields: Partial<Pod> = {}): Pod =>
  ({ desiredStatus: 'RUNNING', ports: ['8888/http', '22/tcp'], publicIp: null, portMappings: null, ...fields }) as Pod;
const nothing = { direct: null, proxy: null };

describe('ways into a Pod', () => {
  it('are those that it tells of itself', () => {
    const direct = { host: '1.2.3.4', port: 22_001, username: 'root', command: 'ssh x' };
    const proxy = { host: 'ssh.example.org', port: 22, username: 'pod-1f', command: 'ssh y' };
    expect(waysOf(pod({ ssh: { direct, proxy } }), null, null)).toEqual({
      direct: { ...direct, command: 'ssh root@1.2.3.4 -p 22001' },
      proxy: { ...proxy, command: 'ssh pod-1f@ssh.example.org' },
      problem: null,
    });
  });

  it('are the public side of its port 22, and the proxy by the name that its machine has for it', () => {
    const fields = pod({ publicIp: '1.2.3.4', portMappings: { '22': 10_341 } });
    expect(waysOf(fields, { podHostId: 'abc-64411eb2', direct: null }, 'ssh.example.org')).toMatchObject({
      direct: { host: '1.2.3.4', port: 10_341, username: 'root' },
      proxy: { host: 'ssh.example.org', port: 22, username: 'abc-64411eb2' },
      problem: null,
    });
    // What runs now is newer than what the list says.
    const place = { podHostId: null, direct: { ip: '5.6.7.8', port: 10_999 } };
    expect(waysOf(fields, place, null).direct).toMatchObject({ host: '5.6.7.8', port: 10_999 });
  });

  it('are not there for a reason: it is stopped, has no port for it, or none yet', () => {
    expect(waysOf(pod({ desiredStatus: 'EXITED' }), null, null)).toEqual({
      ...nothing,
      problem: expect.stringContaining('is stopped') as string,
    });
    expect(waysOf(pod({ ports: [] }), null, null).problem).toContain('Add 22/tcp to the ports');
    expect(waysOf(pod(), null, null).problem).toContain('no public address yet');
    expect(waysOf(pod({ ssh: { direct: null, proxy: null } }), null, null).problem).toContain('no public address yet');
  });

  it.each(['root; reboot', '-oProxyCommand=x', '$(id)', 'a b', 'a\nb', ''])(
    'are not told with a user or host that a shell would take for its own: %j',
    (text) => {
      const way = { host: '1.2.3.4', port: 22, username: text, command: '' };
      expect(waysOf(pod({ ssh: { direct: way, proxy: null } }), null, null)).toMatchObject(nothing);
      expect(waysOf(pod({ publicIp: text, portMappings: { '22': 1 } }), null, null)).toMatchObject(nothing);
      expect(waysOf(pod(), { podHostId: text, direct: null }, 'ssh.example.org')).toMatchObject(nothing);
    },
  );

  it('know the proxy of a service by its addresses alone', () => {
    expect(proxyOf('https://api.runpod.ai')).toBe('ssh.runpod.io');
    expect(proxyOf('https://runpod.ai.example.org')).toBeNull();
    expect(proxyOf('http://127.0.0.1:1')).toBeNull();
    expect(proxyOf(null)).toBeNull();
  });
});
