import { screen, waitFor } from '@testing-library/react';
import { ORPCError } from '@orpc/server';
import { describe, expect, it } from 'vitest';
import type { Answers } from '../../../../test/support/page/app.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { savedAnswers } from '../../../../test/support/page/saved.ts';
import { useSavedFeed } from '../../../client/saved/savedStore.ts';
import {
  chatsAt,
  conversationRef,
  conversationsNow,
  findConversation,
  removeConversation,
  keepConversation,
  shownConversation,
  titleOf,
  tokenRate,
  useConversations,
  type ChatMessage,
} from './conversations.ts';

const KEY = 'local/e';
const question = (text: string): ChatMessage => ({ role: 'user', text });
const talk = (id: string, text = id) => ({ id, updatedAt: 1, messages: [question(text)] });
const ids = () => conversationsNow(KEY).map(({ id }) => id);

/** Each test begins with a page that has read that nothing is saved. */
async function begin(answers: Answers['saved'] = savedAnswers()): Promise<void> {
  function Feed() {
    useSavedFeed(chatsAt(KEY));
    return <p>{useConversations(KEY).isRead ? 'read' : 'reading'}</p>;
  }
  renderPage(<Feed />, { saved: answers });
  await screen.findByText('read');
}

describe('conversations', () => {
  it('are saved, the newest first', async () => {
    const saved = savedAnswers();
    await begin(saved);
    keepConversation(KEY, { ...talk('one'), updatedAt: 1 });
    keepConversation(KEY, { ...talk('two'), updatedAt: 2 });
    keepConversation(KEY, { ...talk('one', 'again'), updatedAt: 3 });
    expect(ids()).toEqual(['one', 'two']);
    expect(findConversation(KEY, 'one')?.messages).toEqual([question('again')]);
    await waitFor(() =>
      expect(JSON.parse(saved.read(conversationRef(KEY, 'one')).text)).toEqual({
        updatedAt: 3,
        messages: [question('again')],
      }),
    );
  });

  it('stay on the page with the reason when they cannot be saved', async () => {
    await begin({
      ...savedAnswers(),
      save() {
        throw new ORPCError('STORAGE_FULL', { status: 507, message: 'The disk is full.' });
      },
    });
    keepConversation(KEY, talk('one'));
    await waitFor(() => expect(findConversation(KEY, 'one')?.problem).toBe('The disk is full.'));
    expect(findConversation(KEY, 'one')?.messages).toEqual([question('one')]);
  });

  it('are removed, and then not shown', async () => {
    await begin();
    keepConversation(KEY, talk('one'));
    shownConversation.set(KEY, 'one');
    removeConversation(KEY, 'one');
    expect([ids(), shownConversation.get(KEY)]).toEqual([[], null]);
  });

  it('are put back in their place, and shown again unless another one is shown by then', async () => {
    await begin();
    for (const [at, id] of ['old', 'middle', 'new'].entries()) keepConversation(KEY, { ...talk(id), updatedAt: at });
    shownConversation.set(KEY, 'middle');
    removeConversation(KEY, 'middle')();
    expect([ids(), shownConversation.get(KEY)]).toEqual([['new', 'middle', 'old'], 'middle']);
    const putBack = removeConversation(KEY, 'middle');
    shownConversation.set(KEY, 'old');
    putBack();
    expect([ids(), shownConversation.get(KEY)]).toEqual([['new', 'middle', 'old'], 'old']);
  });

  describe('that another window changes meanwhile', () => {
    const ref = conversationRef(KEY, 'one');
    const textOf = (...texts: string[]) => JSON.stringify({ updatedAt: 2, messages: texts.map(question) });
    const messagesIn = ({ text }: { text: string }): unknown => JSON.parse(text);

    async function beginWithOne() {
      const saved = savedAnswers([{ ...ref, text: JSON.stringify({ updatedAt: 1, messages: [question('one')] }) }]);
      await begin(saved);
      await waitFor(() => expect(ids()).toEqual(['one']));
      shownConversation.set(KEY, 'one');
      return saved;
    }

    it('are not removed, are shown again, and a notice says so in the place of Undo', async () => {
      const saved = await beginWithOne();
      // The page does not know it yet when it removes the conversation.
      saved.save({ ...ref, text: textOf('one', 'of the other window') });
      removeConversation(KEY, 'one');
      expect(await screen.findByText('The conversation was not removed')).toBeVisible();
      expect(messagesIn(saved.read(ref))).toMatchObject({ messages: [{}, { text: 'of the other window' }] });
      expect(findConversation(KEY, 'one')?.messages).toHaveLength(2);
      expect(shownConversation.get(KEY)).toBe('one');
      await waitFor(() => expect(screen.queryByText('Removed the conversation one')).toBeNull());
      // Now the page knows all of it.
      removeConversation(KEY, 'one');
      await waitFor(() => expect(() => saved.read(ref)).toThrow('is not saved'));
      expect(ids()).toEqual([]);
    });

    it('are removed where the other window has added nothing', async () => {
      const saved = await beginWithOne();
      saved.save({ ...ref, text: textOf('one') });
      removeConversation(KEY, 'one');
      await waitFor(() => expect(() => saved.read(ref)).toThrow('is not saved'));
      expect(screen.queryByText('The conversation was not removed')).toBeNull();
    });

    it('are put back without the loss of what the other window has saved by then', async () => {
      const saved = await beginWithOne();
      const putBack = removeConversation(KEY, 'one');
      await waitFor(() => expect(() => saved.read(ref)).toThrow('is not saved'));
      saved.save({ ...ref, text: textOf('one', 'of the other window') });
      await waitFor(() => expect(ids()).toEqual(['one']));
      putBack();
      await waitFor(() => expect(findConversation(KEY, 'one')).toMatchObject({ messages: [{}, {}], problem: null }));
      expect(messagesIn(saved.read(ref))).toMatchObject({ messages: [{}, { text: 'of the other window' }] });
    });

    it('are put back as they were', async () => {
      const saved = await beginWithOne();
      const before = saved.read(ref).text;
      const putBack = removeConversation(KEY, 'one');
      await waitFor(() => expect(() => saved.read(ref)).toThrow('is not saved'));
      putBack();
      await waitFor(() => expect(saved.read(ref).text).toBe(before));
      expect(shownConversation.get(KEY)).toBe('one');
    });
  });

  it.each([
    ['  tell me\n about   tides ', 'tell me about tides'],
    ['x'.repeat(80), `${'x'.repeat(59)}…`],
    ['', 'Empty conversation'],
  ])('%j has the title %j', (text, title) => expect(titleOf(talk('one', text))).toBe(title));
});

it('a rate counts the tokens after the first one, and none for an answer that came at once', () => {
  expect(tokenRate({ tokens: 11, streamMs: 2000 })).toBe(5);
  expect(tokenRate({ tokens: 2, streamMs: 2000 })).toBeNull();
  expect(tokenRate({ tokens: 11, streamMs: 10 })).toBeNull();
});
