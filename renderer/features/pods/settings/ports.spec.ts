import { expect, it } from 'vitest';
import { completePort, portProblem, portsProblem } from './ports.ts';

it.each([
  ['8888', '8888/http'],
  ['22', '22/tcp'],
  [' 8080/TCP ', '8080/tcp'],
  [':7860', '7860/http'],
  ['ssh', 'ssh'],
])('%j is completed to %j', (text, port) => {
  expect(completePort(text)).toBe(port);
});

it.each([
  ['8888/http', null],
  ['', null],
  ['8888', 'Enter the kind of port 8888, too: 8888/http or 8888/tcp.'],
  ['8888/udp', 'A port is http or tcp, not udp: write 8888/http or 8888/tcp.'],
  ['8080:80', 'A port is a number and its kind, such as 8888/http or 22/tcp.'],
  ['70000/http', '70000 is not a valid port. Ports are numbers from 1 to 65535.'],
  ['0', '0 is not a valid port. Ports are numbers from 1 to 65535.'],
  ['22/http', 'Port 22 is already listed, as 22/tcp.'],
])('of %j it is said: %j', (text, problem) => {
  expect(portProblem(text, ['22/tcp'])).toBe(problem);
});

it.each(['8', '8888', '8888/', '8888/ht', '8888/tc'])('%j is right while it is being typed', (text) => {
  expect(portProblem(text, [], true)).toBeNull();
});

it('a port that is typed and cannot become right is told at once', () => {
  for (const text of ['x', '70000', '22', '88/u']) expect(portProblem(text, ['22/tcp'], true)).not.toBeNull();
});

it('of a list the first problem is told, and one above the limit', () => {
  expect(portsProblem(['80/http', '80/tcp', 'x'])).toBe('Port 80 is already listed, as 80/http.');
  const many = Array.from({ length: 21 }, (_, index) => `${index + 1}/http`);
  expect(portsProblem(many)).toBe('A Pod has 20 ports at most.');
  expect(portsProblem(many.slice(1))).toBeNull();
});
