/** The benchmark: every goal beside its peer, in one run on one machine. README.md says how to read it. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Running, type Bench, type Group } from './bench.ts';
import { goalsOf, numberOf, readFlags } from './flags.ts';
import { balancingGoals } from './goals/balancing.ts';
import { commitGoals } from './goals/commits.ts';
import { crowdGoals } from './goals/crowds.ts';
import { depthGoals } from './goals/depth.ts';
import { idleGoals } from './goals/idle.ts';
import { isolationGoals } from './goals/isolation.ts';
import { latencyGoals } from './goals/latency.ts';
import { lifetimeGoals } from './goals/lifetime.ts';
import { memoryGoals } from './goals/memory.ts';
import { pythonGoals } from './goals/python.ts';
import { recordGoals } from './goals/records.ts';
import { retentionGoals } from './goals/retention.ts';
import { streamingGoals } from './goals/streaming.ts';
import { throughputGoals } from './goals/throughput.ts';
import { webhookGoals } from './goals/webhooks.ts';
import { reasonWithoutRedis } from './redis.ts';
import { createBoard } from './report.ts';

const repository = resolve(import.meta.dirname, '../..');
const groups: readonly Group[] = [
  throughputGoals,
  ...latencyGoals,
  commitGoals,
  depthGoals,
  retentionGoals,
  recordGoals,
  streamingGoals,
  isolationGoals,
  idleGoals,
  ...pythonGoals,
  webhookGoals,
  balancingGoals,
  memoryGoals,
  crowdGoals,
  lifetimeGoals,
];

const known = groups.flatMap(({ goals }) => goals);
const USAGE = `npm run bench -- [flags]
  --quick               small sizes and three rounds: a look, not a figure
  --rounds N            how often everything is measured in turn; 4 without
  --only GOAL,GOAL      only these of ${known.join(', ')}
  --source              the engine from source instead of its bundle
  --entry FILE          the engine to measure instead of the one built here
  --outside             raw workers are programs of somebody else instead of processes that the engine starts
  --runpod-python DIR   the source of the published SDK for Python, whose workers are then measured too
`;

const { options, rounds, wanted } = readFlags(USAGE, () => {
  const { values: options } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      entry: { type: 'string', default: join(repository, 'out/main/engine.js') },
      outside: { type: 'boolean', default: false },
      only: { type: 'string' },
      'runpod-python': { type: 'string' },
    },
  });
  const rounds = numberOf('--rounds', options.rounds, { otherwise: options.quick ? 3 : 4, min: 1, max: 100 });
  return { options, rounds, wanted: goalsOf(options.only, known) };
});

const board = createBoard();
const bench: Bench = {
  board,
  rounds,
  quick: options.quick,
  entry: resolve(options.entry),
  outside: options.outside,
  noRedis: reasonWithoutRedis(),
  pythonSdk: options['runpod-python'] === undefined ? null : resolve(options['runpod-python']),
  wants: (...goals) => goals.some((goal) => wanted.includes(goal)),
};
if (bench.noRedis !== null) process.stderr.write(`Without the peer on Redis: ${bench.noRedis}\n`);

let failed = false;
for (const group of groups) {
  if (!bench.wants(...group.goals)) continue;
  try {
    await using running = new Running(bench);
    await group.run(bench, running);
  } catch (error) {
    failed = true;
    process.stderr.write(`\n${(error as Error).stack ?? String(error)}\n`);
    board.skip(group.goals.join(' '), `it failed: ${(error as Error).message}`);
  }
}

process.stdout.write(`\n${board.text()}\n\n`);
const { quick, outside } = bench;
const file = await board.write(join(repository, 'bench-results'), { rounds, quick, outside });
process.stdout.write(`Figures of every round: ${file}\n`);
process.exitCode = failed ? 1 : 0;
