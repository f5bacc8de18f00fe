/** An endpoint that speaks OpenAI's API, through `ai` with `@ai-sdk/openai-compatible`. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, streamText } from 'ai';
import { assert, readStream, report, variable } from './report.mjs';

const provider = createOpenAICompatible({
  name: 'hangar',
  apiKey: variable('KEY'),
  baseURL: `${variable('ADDRESS')}/v2/${variable('OPENAI')}/openai/v1`,
});
const request = (model) => ({ model: provider(model), prompt: 'Hello', maxRetries: 0 });

await report({
  generateText: async () => assert.equal((await generateText(request('tiny'))).text, 'You wrote: Hello'),
  streamText: () => readStream((prompt) => streamText({ ...request('tiny'), prompt }).textStream),
  'APICallError 404 for a missing model': async () => {
    await assert.rejects(generateText(request('missing')), { statusCode: 404 });
  },
});
