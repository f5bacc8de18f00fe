import { expect, it } from 'vitest';
import { elsewhere } from './compatibility.ts';

it.each(['tcp://localhost:2375', 'tcp://127.0.0.2:2375', 'tcp://[::1]:2375'])('%s is on this machine', (address) => {
  expect(elsewhere({ address, socketPath: null })).toBeNull();
});

it.each(['tcp://127.example.com:2375', 'tcp://gpu-box:2375', 'tcp://[fe80::1]:2375'])(
  '%s is on another machine',
  (address) => {
    expect(elsewhere({ address, socketPath: null })).toContain(`${address} runs on another machine`);
  },
);
