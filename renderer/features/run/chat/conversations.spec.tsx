import { describe, expect, it, vi } from 'vitest';
import { rereadSettings } from '../../../state/personalSetting.ts';
import {
  chatBody,
  chatCode,
  conversations,
  findConversation,
  removeConversation,
  keepConversation,
  shownConversation,
  titleOf,
  tokenRate,
  type ChatMessage,
} from './conversations.ts';

const KEY = 'local/e';
const question = (text: string): ChatMessage => ({ role: 'user', text });
const talk = (id: string, text = id) => ({ id, updatedAt: 1, messages: [question(text)] });
const ids = () => conversations.get(KEY).map(({ id }) => id);

describe('conversations', () => {
  it('survive a reload, the newest first', () => {
    keepConversation(KEY, talk('one'));
    keepConversation(KEY, talk('two'));
    keepConversation(KEY, talk('one', 'again'));
    rereadSettings();
    expect(ids()).toEqual(['one', 'two']);
    expect(findConversation(KEY, 'one')?.messages).toEqual([question('again')]);
  });

  it('are at most thirty, and the oldest give way to long ones', () => {
    for (let at = 0; at < 35; at += 1) keepConversation(KEY, talk(`c${at}`));
    expect([ids().length, ids()[0]]).toEqual([30, 'c34']);
    keepConversation(KEY, talk('long', 'x'.repeat(399_997)));
    expect(ids()).toEqual(['long', 'c34']);
    expect(keepConversation(KEY, talk('longer', 'x'.repeat(500_000)))).toBe(true);
    expect(ids()).toEqual(['longer']);
  });

  it('give way to the newest one where the browser stores little, and say where it stores nothing', () => {
    keepConversation(KEY, talk('one'));
    const write = vi.spyOn(Storage.prototype, 'setItem').mockImplementation((_, text) => {
      if (text.includes('"one"')) throw new Error('full');
    });
    expect(keepConversation(KEY, talk('two'))).toBe(true);
    expect(ids()).toEqual(['two']);
    write.mockImplementation(() => {
      throw new Error('full');
    });
    expect(keepConversation(KEY, talk('three'))).toBe(false);
    expect(ids()).toEqual(['three', 'two']);
    write.mockRestore();
  });

  it('are removed, and then not shown', () => {
    keepConversation(KEY, talk('one'));
    shownConversation.set(KEY, 'one');
    removeConversation(KEY, 'one');
    expect([ids(), shownConversation.get(KEY)]).toEqual([[], null]);
  });

  it('are put back in their place, and shown again unless another one is shown by then', () => {
    for (const [at, id] of ['old', 'middle', 'new'].entries()) keepConversation(KEY, { ...talk(id), updatedAt: at });
    shownConversation.set(KEY, 'middle');
    removeConversation(KEY, 'middle')();
    expect([ids(), shownConversation.get(KEY)]).toEqual([['new', 'middle', 'old'], 'middle']);
    const putBack = removeConversation(KEY, 'middle');
    shownConversation.set(KEY, 'old');
    putBack();
    expect([ids(), shownConversation.get(KEY)]).toEqual([['new', 'middle', 'old'], 'old']);
  });

  it.each([
    ['  tell me\n about   tides ', 'tell me about tides'],
    ['x'.repeat(80), `${'x'.repeat(59)}…`],
    ['', 'Empty conversation'],
  ])('%j has the title %j', (text, title) => expect(titleOf(talk('one', text))).toBe(title));
});

describe('the request of a chat', () => {
  const options = { model: 'm', system: '', temperature: null, maxTokens: null };

  it('has the system prompt first, and only the options that the person set', () => {
    const bare = JSON.parse(chatBody(options, [question('hi')])) as object;
    expect(bare).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
      stream_options: { include_usage: true },
    });
    const full = chatBody({ model: 'm', system: 'Be brief', temperature: 0, maxTokens: 5 }, [question('hi')]);
    expect(JSON.parse(full)).toMatchObject({
      messages: [{ role: 'system', content: 'Be brief' }, { role: 'user' }],
      temperature: 0,
      max_tokens: 5,
    });
  });

  it('as code is that of the last answer, or of a first message, with the name of any model', () => {
    const code = (of: typeof options, messages: ChatMessage[]) => JSON.parse(chatCode(of, messages)) as object;
    expect(code(options, [question('a'), { role: 'assistant', text: 'b' }])).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'a' }],
      stream: true,
    });
    expect(code({ ...options, model: ' ' }, [])).toMatchObject({
      model: 'MODEL',
      messages: [{ role: 'user', content: 'Hello' }],
    });
  });

  it('leaves out answers that never came', () => {
    const messages: ChatMessage[] = [question('a'), { role: 'assistant', text: '', problem: 'no' }, question('b')];
    expect(JSON.parse(chatBody(options, messages))).toMatchObject({
      messages: [
        { role: 'user', content: 'a' },
        { role: 'user', content: 'b' },
      ],
    });
  });
});

it('a rate counts the tokens after the first one, and none for an answer that came at once', () => {
  expect(tokenRate({ tokens: 11, streamMs: 2000 })).toBe(5);
  expect(tokenRate({ tokens: 2, streamMs: 2000 })).toBeNull();
  expect(tokenRate({ tokens: 11, streamMs: 10 })).toBeNull();
});
