import { expect, it } from 'vitest';
import { machineOf } from '../../../../test/support/page/machine.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { RuntimesCard } from './RuntimesCard.tsx';

const containers = { available: false, name: null, version: null, address: null, problem: 'Docker is installed.' };

it.each([
  ['stopped', 'not running'],
  ['refused', 'not usable'],
  ['missing', 'not found'],
  [undefined, 'not found'],
] as const)('containers that are %s are said to be %s', (obstacle, words) => {
  const machine = { ...machineOf(), containers: { ...containers, ...(obstacle && { obstacle }) } };
  const { screen } = renderPage(<RuntimesCard machine={machine} />);
  expect(screen.getByText('Containers').closest('li')).toHaveTextContent(words);
});
