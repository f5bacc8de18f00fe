import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { skipFor } from '../../support/core/skip.ts';
import { makeGround, whyNoGround, type Ground } from '../../support/containers/bridge.ts';

const networkOf = ({ bridge }: Ground): string | undefined =>
  /inet (\S+)/.exec(
    spawnSync('busybox', ['ip', '-4', 'address', 'show', 'dev', bridge], { encoding: 'utf8' }).stdout,
  )?.[1];

test('engines that run at the same time have networks of their own', skipFor(whyNoGround()), () => {
  const grounds: Ground[] = [];
  try {
    // With networks by chance alone, two of so many are the same in 19 of 20 runs.
    while (grounds.length < 40) grounds.push(makeGround());
    expect(new Set(grounds.map(networkOf)).size).toBe(40);
  } finally {
    for (const ground of grounds) ground.clear();
  }
});
