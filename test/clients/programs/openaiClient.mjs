/** An endpoint that speaks OpenAI's API, through `openai`. */
import OpenAI from 'openai';
import { assert, readStream, report, variable } from './report.mjs';

const baseURL = `${variable('ADDRESS')}/v2/${variable('OPENAI')}/openai/v1`;
const client = new OpenAI({ apiKey: variable('KEY'), baseURL, maxRetries: 0 });
const messages = [{ role: 'user', content: 'Hello' }];

await report({
  'models.list': async () => {
    const { data } = await client.models.list();
    assert.deepEqual(
      data.map(({ id }) => id),
      ['tiny'],
    );
  },
  'chat.completions.create': async () => {
    const { choices } = await client.chat.completions.create({ model: 'tiny', messages });
    assert.equal(choices[0].message.content, 'You wrote: Hello');
  },
  'chat.completions.create, streamed': () =>
    readStream(async function* (content) {
      const request = { model: 'tiny', messages: [{ role: 'user', content }], stream: true };
      for await (const { choices } of await client.chat.completions.create(request))
        yield choices[0].delta.content ?? '';
    }),
  'completions.create': async () => {
    const { choices } = await client.completions.create({ model: 'tiny', prompt: 'Hello' });
    assert.equal(choices[0].text, 'You wrote: Hello');
  },
  'embeddings.create': async () => {
    const { data } = await client.embeddings.create({ model: 'tiny', input: 'Hello', encoding_format: 'float' });
    assert.deepEqual(data[0].embedding, [0.5, 0.25]);
  },
  'responses.create': async () => {
    const { output_text: text } = await client.responses.create({ model: 'tiny', input: 'Hello' });
    assert.equal(text, 'You wrote: Hello');
  },
  'NotFoundError for a missing model': async () => {
    const missing = client.chat.completions.create({ model: 'missing', messages });
    await assert.rejects(missing, OpenAI.NotFoundError);
  },
  'AuthenticationError for a wrong key': async () => {
    const other = new OpenAI({ apiKey: 'rpa_wrong', baseURL, maxRetries: 0 });
    await assert.rejects(other.models.list(), OpenAI.AuthenticationError);
  },
});
