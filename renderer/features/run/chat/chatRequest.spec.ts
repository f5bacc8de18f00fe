import { describe, expect, it } from 'vitest';
import { chatBody, chatCode } from './chatRequest.ts';
import type { ChatMessage } from './conversations.ts';

const question = (text: string): ChatMessage => ({ role: 'user', text });

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
