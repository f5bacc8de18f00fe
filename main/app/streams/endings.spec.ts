/**
 * Rules of what is left of a job in the ledger where an answer broke off on its way, or its account was removed: in
 * fake time.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '#contract/core/errors.ts';
import { startOutage, type Outage } from '../../../test/support/streams/outage.ts';

const MINUTE_MS = 60_000;

let at: Outage;
beforeEach(() => (at = startOutage()));
afterEach(() => at.end());

describe('an answer with chunks that breaks off on its way', () => {
  /** Of four chunks the third is lost. */
  async function loseOne(): Promise<void> {
    at.send('j');
    at.service.change('j', { status: 'IN_PROGRESS' });
    await at.pass(1000);
    at.service.write('j', '1', '2');
    await at.pass(2000);
    at.service.breaksOff = 1;
    at.service.write('j', '3');
    await at.pass(5000);
    at.service.write('j', '4');
    await at.pass(5000);
    expect(at.chunksOf('j')).toEqual(['1', '2', '4']);
    expect(at.ledger.entry('j')).toMatchObject({ chunkGap: 'possible' });
  }

  it('leaves no gap where the output is the list of all chunks', async () => {
    await loseOne();
    at.service.end('j', '[1,2,3,4]');
    await at.comesTo('j', 'COMPLETED');
    expect(at.chunksOf('j')).toEqual(['1', '2', '3', '4']);
    expect(at.ledger.entry('j')).toMatchObject({ chunkGap: 'filled', chunkCount: 4, outputBytes: 4 + 9 });
    expect(at.ledger.output('j')).toBe('[1,2,3,4]');
  });

  it('leaves no gap where an engine of Hangar answers the chunks again', async () => {
    await loseOne();
    at.service.end('j', null);
    await at.comesTo('j', 'COMPLETED');
    expect(at.chunksOf('j')).toEqual(['1', '2', '3', '4']);
    expect(at.ledger.entry('j')).toMatchObject({ chunkGap: 'filled', chunkCount: 4 });
  });

  it('is told where nothing says what was lost', async () => {
    at.service.hasLocal = false;
    await loseOne();
    at.service.end('j', null);
    await at.comesTo('j', 'COMPLETED');
    expect(at.chunksOf('j')).toEqual(['1', '2', '4']);
    expect(at.ledger.entry('j')).toMatchObject({ chunkGap: 'possible', chunkCount: 3 });
  });

  /** The app ends while the answer with `lost` is on its way, and starts again. */
  async function endWithout(lost: string, before: string[]): Promise<void> {
    at.send('j');
    at.service.change('j', { status: 'IN_PROGRESS' });
    await at.pass(1000);
    at.service.write('j', ...before);
    await at.pass(2000);
    await at.stop();
    at.service.write('j', lost);
    await at.service.source().jobs.stream('ep', 'j', 0);
    at.service.write('j', '3');
    at.start();
    at.streams.follow(at.ledger.entry('j'));
    await at.pass(2000);
  }

  it('leaves none either where the app itself ended while it was on its way', async () => {
    at.service.hasLocal = false;
    await endWithout('2', ['1']);
    at.service.end('j', '[1,2,3]');
    await at.comesTo('j', 'COMPLETED');
    expect(at.chunksOf('j')).toEqual(['1', '2', '3']);
  });

  it('leaves none where the app ended and an engine answers the chunks again, the first one, too', async () => {
    await endWithout('1', []);
    at.service.end('j', null);
    await at.comesTo('j', 'COMPLETED');
    expect(at.chunksOf('j')).toEqual(['1', '3']);
    expect(at.ledger.entry('j')).toMatchObject({ chunkGap: 'filled' });
  });

  it('is told where the app ended while it was on its way, and nothing says what was lost', async () => {
    at.service.hasLocal = false;
    await endWithout('2', ['1']);
    at.service.end('j', null);
    await at.comesTo('j', 'COMPLETED');
    expect(at.chunksOf('j')).toEqual(['1', '3']);
    expect(at.ledger.entry('j')).toMatchObject({ chunkGap: 'possible' });
  });

  it('is not held against a job that streams nothing', async () => {
    at.send('j');
    at.service.change('j', { status: 'IN_PROGRESS' });
    await at.pass(1000);
    at.service.refuses = new AppError('UNAVAILABLE', 'The connection broke.', { details: { sent: 'maybe' } });
    at.service.write('j');
    await at.pass(30_000);
    expect(at.ledger.entry('j')).toMatchObject({ chunkGap: 'possible' });
    at.service.refuses = null;
    at.service.end('j');
    await at.comesTo('j', 'COMPLETED');
    expect(at.ledger.entry('j')).toMatchObject({ chunkGap: null });
  });
});

describe('an account that is removed', () => {
  it.each(['while it is read', 'while it waits for the network'])(
    'ends its jobs as gone at once, with what came of them: %s',
    async (when) => {
      at.send('j');
      at.service.change('j', { status: 'IN_PROGRESS' });
      await at.pass(1000);
      at.service.write('j', '1', '2');
      await at.pass(2000);
      if (when !== 'while it is read') {
        at.service.cut();
        await at.pass(MINUTE_MS);
      }
      at.compute = () => {
        throw new AppError('NOT_FOUND', 'There is no such account.');
      };
      await at.streams.leave('a');
      expect(at.ledger.entry('j')).toMatchObject({ status: 'GONE', waiting: null, chunkCount: 2 });
      expect(at.ledger.entry('j').error).toMatch(/^Its account was removed/);
    },
  );

  it('leaves the jobs of the others alone', async () => {
    at.send('j');
    await at.pass(1000);
    await at.streams.leave('b');
    await at.pass(1000);
    expect(at.ledger.entry('j')).toMatchObject({ status: 'IN_QUEUE' });
  });
});
