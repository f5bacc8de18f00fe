/**
 * The rules of jobs under random use: operations, workers that die or go silent, failed commits, crashes at any point
 * of a commit, clocks that are set. Everything random comes from one seed, so that a run can be repeated.
 */
import { cancel, read, retry, setTtl, submit } from './clientSteps.ts';
import { edge, move, purge, release } from './queueSteps.ts';
import { finish, stream, take } from './workerSteps.ts';
import { createWorld, type World } from './world.ts';

const STEPS = 120;
const PASSING = [0, 1, 7, 500, 5000, 20_000, 46_000, 61_000, 1_900_000];

type Step = readonly [weight: number, name: string, act: () => void | Promise<void>];

/** The clock of the machine is set. */
async function jump(world: World): Promise<void> {
  // Jobs whose time has passed by the old clock are removed by the old clock.
  await world.settle();
  world.check();
  world.clock.jump(world.oneOf([-7_200_000, -1000, 1000, 7_200_000]));
  // The engine notices within a minute that its clock was set.
  world.clock.advance(60_000);
}

const stepsOf = (world: World): readonly Step[] => [
  [10, 'submit', () => submit(world)],
  [10, 'take', () => take(world, world.workers.any())],
  [8, 'finish', () => finish(world, world.workers.any())],
  [6, 'stream', () => stream(world, world.workers.any())],
  [5, 'read', () => read(world)],
  [3, 'cancel', () => cancel(world)],
  [4, 'retry', () => retry(world)],
  [1, 'purge', () => purge(world)],
  [1, 'setTtl', () => setTtl(world)],
  [3, 'move', () => move(world)],
  [1, 'release', () => release(world)],
  [2, 'edge', () => edge(world)],
  [4, 'advance', () => world.clock.advance(world.oneOf(PASSING))],
  [1, 'jump', () => jump(world)],
  [2, 'die', () => world.die(world.workers.any(), world.random.below(2) === 0)],
  [2, 'register', () => world.registered(world.workers.any())],
  [12, 'commit', world.commit],
  [1, 'fail', world.failCommit],
  [1, 'crash', world.crash],
];

/** Runs one simulation to its end; throws where a rule is broken. `note` receives the name of each step. */
export async function simulate(seed: number, note: (what: string) => void = () => undefined): Promise<void> {
  const world = createWorld(seed);
  const steps = stepsOf(world);
  const total = steps.reduce((sum, [weight]) => sum + weight, 0);
  try {
    for (let step = 0; step < STEPS; step++) {
      let pick = world.random.below(total);
      const [, name, act] = steps.find(([weight]) => (pick -= weight) < 0)!;
      note(`${step} at ${world.clock.elapsed()}: ${name}`);
      await act();
      if (world.random.below(3) > 0) continue;
      await world.settle();
      world.check();
    }
    await world.settle();
    world.check();
  } finally {
    world.stop();
  }
}
