/** `npm run bench:page`: what a person waits for on the page, in a browser and beside bare pages. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { openLongLedger } from '../../support/ledger/longLedger.ts';
import { goalsOf, numberOf, readFlags } from '../flags.ts';
import { createBoard } from '../report.ts';
import { startBareServer } from './barePages.ts';
import { firstLoad, largeAnswer, readiness, scrolling, streaming, type PageBench } from './goals.ts';
import { startHostPage } from './hostPage.ts';
import { firstPrompt } from './prompt.ts';
import { stateChanges } from './states.ts';
import { steadyMemory, terminalEcho, terminalOutput } from './terminals.ts';
import { uploading } from './uploading.ts';
import { THIS_MACHINE } from '#contract/app/account.ts';

const JOBS = 100_000;
const goals = {
  LOAD: firstLoad,
  READY: readiness,
  LIST: scrolling,
  STREAM: streaming,
  JSON: largeAnswer,
  UPLOAD: uploading,
  TERMINAL: terminalOutput,
  ECHO: terminalEcho,
  STATE: stateChanges,
  PROMPT: firstPrompt,
  TOP: steadyMemory,
};
type Goal = keyof typeof goals;

const known = Object.keys(goals);
const USAGE = `npm run bench:page -- [flags]
  --quick           small sizes and two rounds: a look, not a figure
  --rounds N        how often everything is measured in turn; 4 without
  --only GOAL,GOAL  only these of ${known.join(', ')}
  --minutes N       for how long TOP runs; 3 without
`;

const { options, rounds, topMinutes, wanted } = readFlags(USAGE, () => {
  const { values: options } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      only: { type: 'string' },
      minutes: { type: 'string' },
    },
  });
  const rounds = numberOf('--rounds', options.rounds, { otherwise: options.quick ? 2 : 4, min: 1, max: 100 });
  const topMinutes = numberOf('--minutes', options.minutes, { otherwise: options.quick ? 1 : 3, min: 1, max: 1440 });
  return { options, rounds, topMinutes, wanted: goalsOf(options.only, known) };
});

/** A ledger file in which so many jobs were sent to this computer. */
function longLedgerFile(): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'hangar-bench-page-'));
  try {
    const path = join(folder, 'ledger.db');
    openLongLedger(path, JOBS).stop();
    const file = new DatabaseSync(path);
    file.exec(`UPDATE entries SET account_id = '${THIS_MACHINE}'; DELETE FROM tallies;
      INSERT INTO tallies SELECT seq >> 12, account_id, endpoint_id, status, count(*) FROM entries GROUP BY 1, 2, 3, 4;
      PRAGMA journal_mode = DELETE;`);
    file.close();
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** 10 MB of JSON: a list of small objects. */
const large = JSON.stringify(
  Array.from({ length: 100_000 }, (_, id) => ({
    id,
    name: `number ${id}`,
    text: 'some text of a fixed length, 60 characters or so',
  })),
);

const board = createBoard();
let failed = false;
{
  await using hostPage = await startHostPage({
    files: wanted.includes('LIST') ? { 'ledger.db': longLedgerFile() } : {},
  });
  await using bare = await startBareServer(large);
  const sizes = options.quick
    ? { streamSeconds: 5, scrollSeconds: 2, uploadMb: 128, lines: 50_000 }
    : { streamSeconds: 60, scrollSeconds: 5, uploadMb: 512, lines: 200_000 };
  const bench: PageBench = { board, rounds, hostPage, bare, topMinutes, ...sizes };
  for (const goal of wanted as Goal[]) {
    try {
      await goals[goal](bench);
    } catch (error) {
      failed = true;
      process.stderr.write(`\n${(error as Error).stack ?? String(error)}\n`);
      board.skip(goal, `it failed: ${(error as Error).message}`);
    }
  }
}

process.stdout.write(`\n${board.text()}\n\n`);
const file = await board.write(join(resolve(import.meta.dirname, '../../..'), 'bench-results'), { page: true, rounds });
process.stdout.write(`Figures of every round: ${file}\n`);
process.exitCode = failed ? 1 : 0;
