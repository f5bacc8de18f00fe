import { ORPCError } from '@orpc/client';
import { waitFor } from '@testing-library/react';
import { gql } from 'urql';
import * as z from 'zod';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { setAnswers } from '../../test/support/page/app.ts';
import { errorText } from './transport/orpc.ts';
import { graphqlClient, readGraphql } from './graphql.ts';

const QUERY = gql`
  query Types($count: Int) {
    gpuTypes(count: $count) {
      id
    }
  }
`;
const ask = (accountId = 'work') => graphqlClient(accountId).query<unknown>(QUERY, { count: 2 }).toPromise();
/** What a person reads of a query that failed. */
const refusal = () => readGraphql('work', QUERY, { count: 2 }, z.unknown()).then(() => null, errorText);

afterEach(() => vi.unstubAllGlobals());

describe('an operation of the page', () => {
  it('goes to the app with its account, and to no address', async () => {
    const calls: unknown[] = [];
    const fetched = vi.fn();
    vi.stubGlobal('fetch', fetched);
    setAnswers({
      graphql: {
        ask: (input) => {
          calls.push(input);
          return { data: { gpuTypes: [{ id: 'L4' }] }, errors: [] };
        },
      },
    });
    const { data, error } = await ask();
    expect(data).toMatchObject({ gpuTypes: [{ id: 'L4' }] });
    expect(error).toBeUndefined();
    expect(calls).toEqual([
      { accountId: 'work', query: expect.stringContaining('query Types') as string, variables: { count: 2 } },
    ]);
    expect(fetched).not.toHaveBeenCalled();
  });

  it('is asked again each time', async () => {
    let calls = 0;
    setAnswers({ graphql: { ask: () => ({ data: { gpuTypes: [{ id: `call ${++calls}` }] }, errors: [] }) } });
    await ask();
    expect((await ask()).data).toMatchObject({ gpuTypes: [{ id: 'call 2' }] });
  });

  it('says what the service found wrong, and why there is no answer, in the words of either', async () => {
    setAnswers({ graphql: { ask: () => ({ data: null, errors: [{ message: 'No such field.' }] }) } });
    expect(await refusal()).toBe('No such field.');
    setAnswers({
      graphql: {
        ask: () => {
          throw new ORPCError('SERVICE_UNAVAILABLE', { message: 'The engine cannot be reached.' });
        },
      },
    });
    expect(await refusal()).toBe('The engine cannot be reached.');
  });

  it('is cancelled when nobody waits for it any more', async () => {
    let receivedSignal: AbortSignal | null = null;
    setAnswers({
      graphql: {
        ask: (_, signal) => {
          receivedSignal = signal;
          return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('gone'))));
        },
      },
    });
    const { unsubscribe } = graphqlClient('work')
      .query<unknown>(QUERY, {})
      .subscribe(() => undefined);
    await waitFor(() => expect(receivedSignal).not.toBeNull());
    unsubscribe();
    await waitFor(() => expect(receivedSignal?.aborted).toBe(true));
  });
});
