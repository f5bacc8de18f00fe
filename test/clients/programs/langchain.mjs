/** An endpoint that speaks OpenAI's API, through `@langchain/openai`. */
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { assert, readStream, report, variable } from './report.mjs';

const settings = {
  apiKey: variable('KEY'),
  maxRetries: 0,
  configuration: { baseURL: `${variable('ADDRESS')}/v2/${variable('OPENAI')}/openai/v1` },
};
const chat = (model) => new ChatOpenAI({ ...settings, model });

await report({
  'ChatOpenAI.invoke': async () => assert.equal((await chat('tiny').invoke('Hello')).content, 'You wrote: Hello'),
  'ChatOpenAI.stream': () =>
    readStream(async function* (message) {
      for await (const { content } of await chat('tiny').stream(message)) yield content;
    }),
  'OpenAIEmbeddings.embedQuery': async () => {
    const embeddings = new OpenAIEmbeddings({ ...settings, model: 'tiny', encodingFormat: 'float' });
    assert.deepEqual(await embeddings.embedQuery('Hello'), [0.5, 0.25]);
  },
  'error 404 for a missing model': async () => {
    await assert.rejects(chat('missing').invoke('Hello'), { status: 404 });
  },
});
