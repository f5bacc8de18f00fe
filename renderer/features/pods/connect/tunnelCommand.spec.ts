import { expect, it } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { tunnelCommand } from './tunnelCommand.ts';

const http = (port: number, at: string) => ({
  text: `${port}/http`,
  type: 'http',
  address: `http://p-${port}.${at}/`,
});
const tcp = { text: '22/tcp', type: 'tcp', address: '127.0.0.1:49153' };

it('forwards each port once, and tcp ports of this computer', () => {
  const ports = [http(8888, 'localhost:47800'), http(8188, 'localhost:47800'), tcp];
  const both = 'ssh -N -L 47800:127.0.0.1:47800 -L 49153:127.0.0.1:49153 192.168.1.5';
  expect(tunnelCommand(THIS_MACHINE, ports, '192.168.1.5')).toBe(both);
  // The tcp port of another Hangar is on its computer, not on that of this page.
  expect(tunnelCommand('box', ports, 'gpu')).toBe('ssh -N -L 47800:127.0.0.1:47800 gpu');
});

it('names an address of IPv6 as ssh reads it', () => {
  expect(tunnelCommand(THIS_MACHINE, [tcp], '[fd00::5]')).toBe('ssh -N -L 49153:127.0.0.1:49153 fd00::5');
});

it('is missing where no port is local', () => {
  const far = { text: '80/http', type: 'http', address: 'https://p-80.proxy.example/' };
  expect(tunnelCommand(THIS_MACHINE, [far, { ...tcp, address: null }], 'gpu')).toBeNull();
});
