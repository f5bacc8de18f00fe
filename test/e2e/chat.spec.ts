// The chat of Run with a real handler that answers OpenAI clients.
import type { Page } from '@playwright/test';
import { expectNoFault, makeEndpoint } from './support/handlers.ts';
import { expect, test } from './support/host.ts';

/**
 * Repeats the last message word by word, and knows two models, of which one goes on until it is stopped. The word
 * "table" gets markdown and hostile HTML.
 */
const handler = `const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const answers = {
  table: '## Tides\\n\\n| Place | Metres |\\n| --- | --- |\\n| Harbour | 2.4 |\\n\\n<img src=x onerror="document.title = 1">',
};
export default async function* ({ input: { openai_route: route, openai_input: input } }) {
  if (route === '/v1/models') {
    yield { object: 'list', data: [{ id: 'echo' }, { id: 'slow' }] };
    return;
  }
  if (!['echo', 'slow'].includes(input.model)) {
    yield { error: { message: 'The model ' + input.model + ' does not exist.', type: 'NotFoundError', code: 404 } };
    return;
  }
  const last = input.messages.at(-1).content;
  const system = input.messages.find(({ role }) => role === 'system')?.content;
  const facts = [system, input.temperature, input.max_tokens, input.messages.length].filter((fact) => fact !== undefined);
  const text = answers[last] ?? 'You wrote: ' + last + ' (' + facts.join(', ') + ')';
  const words = input.model === 'slow' ? Array.from({ length: 100_000 }, (_, at) => 'word' + at + ' ') : text.split(/(?<= )/);
  for (const content of words) {
    yield 'data: ' + JSON.stringify({ choices: [{ index: 0, delta: { content } }] }) + '\\n\\n';
    await pause(input.model === 'slow' ? 50 : 10);
  }
  const usage = { prompt_tokens: 5, completion_tokens: words.length };
  yield 'data: ' + JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) + '\\n\\n';
  yield 'data: ' + JSON.stringify({ choices: [], usage }) + '\\n\\ndata: [DONE]\\n\\n';
}`;

const message = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const answer = (page: Page) => page.getByRole('article', { name: 'Assistant', exact: true });

async function openChat(page: Page): Promise<void> {
  await page.getByRole('radiogroup', { name: 'Mode' }).getByText('Chat').click();
  await page.getByRole('log').getByRole('button', { name: 'Load models' }).click();
  await expect(page.getByRole('combobox', { name: 'Model' })).toHaveValue('echo');
  await expect(message(page)).toBeFocused();
}

async function say(page: Page, text: string): Promise<void> {
  await message(page).fill(text);
  await message(page).press('Enter');
}

/**
 * Loads the page anew once the app has the conversation up to this answer, which another window shows then: a page
 * that is left before loses what it has not saved yet.
 */
async function reloadOnceSaved(page: Page, lastAnswer: string): Promise<void> {
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect(answer(other).last()).toContainText(lastAnswer);
  await other.close();
  await page.reload();
}

test('a conversation streams, is edited, stopped and sent again, survives a reload, and its jobs are in the list', async ({
  host,
  page,
  shell,
  run,
  jobs,
}) => {
  await makeEndpoint(host, 'talker', handler);
  await shell.open('#/run');
  await run.choose('talker');
  await openChat(page);
  const model = page.getByRole('combobox', { name: 'Model' });
  await test.step('a conversation streams, and is edited and sent again', async () => {
    await page.getByRole('textbox', { name: 'System prompt' }).fill('Be brief');
    await page.getByRole('textbox', { name: 'Temperature' }).fill('0.5');
    await page.getByRole('textbox', { name: 'Max tokens' }).fill('64');
    await say(page, 'good morning');
    await expect(answer(page)).toContainText('You wrote: good morning (Be brief, 0.5, 64, 2)');
    // No rate is shown where all of it came at once, as on a busy machine (tokenRate).
    await expect(answer(page)).toContainText(/first token after .* · 9 tokens/);

    await say(page, 'and now?');
    await expect(answer(page)).toHaveCount(2);
    await expect(answer(page).last()).toContainText('(Be brief, 0.5, 64, 4)');

    await page.getByRole('button', { name: 'Edit and send again' }).first().click();
    const edited = page.getByRole('textbox', { name: 'Edited message' });
    await edited.fill('good night');
    await page.getByRole('button', { name: 'Send again', exact: true }).click();
    await expect(answer(page)).toHaveCount(1);
    await expect(answer(page)).toContainText('You wrote: good night (Be brief, 0.5, 64, 2)');
  });
  await test.step('it survives a reload', async () => {
    await reloadOnceSaved(page, 'You wrote: good night');
    await shell.ready();
    await expect(answer(page)).toContainText('You wrote: good night');
    await expect(model).toHaveValue('echo');
    await expect(page.getByRole('list', { name: 'Conversations' }).getByRole('listitem')).toHaveCount(1);
  });
  await test.step('markdown is rendered, and HTML of the model stays text', async () => {
    await say(page, 'table');
    await expect(answer(page).getByRole('heading', { name: 'Tides' })).toBeVisible();
    await expect(answer(page).getByRole('cell', { name: '2.4' })).toBeVisible();
    await expect(answer(page).getByText('<img src=x')).toBeVisible();
    await expectNoFault(page, 'the chat', 'main');
  });
  await test.step('a model that is missing is said with what to do, and the message is sent again', async () => {
    await model.fill('large');
    await say(page, 'hello');
    const problem = answer(page).getByRole('alert');
    await expect(problem).toContainText('The model large does not exist.');
    await expect(problem).toContainText('Choose a model that the endpoint lists.');
    await model.fill('echo');
    await problem.getByRole('button', { name: 'Try again' }).click();
    await expect(answer(page).last()).toContainText('You wrote: hello');
  });
  await test.step('an answer is stopped, which cancels its job, and the page may be left meanwhile', async () => {
    await model.fill('slow');
    await say(page, 'a long story');
    const arriving = page.getByRole('article', { name: 'Assistant, answering' });
    await expect(arriving).toContainText('word3');
    await page.getByRole('link', { name: 'Home' }).click();
    await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
    await page.goBack();
    await expect(arriving).toContainText('word12');
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect(answer(page).last()).toContainText('stopped by you');
  });
  await test.step('its jobs are in the list', async () => {
    await answer(page).first().getByRole('button', { name: 'Show its job' }).click();
    await expect(page).toHaveURL(/#\/jobs\/.+/);
    await expect(page.getByText('good night').first()).toBeVisible();
    await expect(jobs.page.getByRole('heading', { name: 'Jobs' })).toBeVisible();
    await expect(page.getByRole('row').filter({ hasText: 'a long story' })).toContainText('Cancelled');
  });
});

test('a conversation that two windows continue at once is kept twice, and the later window says so', async ({
  host,
  page,
  shell,
  run,
}) => {
  await makeEndpoint(host, 'two-windows', handler, { workersMax: 2, scalerType: 'REQUEST_COUNT', scalerValue: 1 });
  await shell.open('#/run');
  await run.choose('two-windows');
  await openChat(page);
  await say(page, 'good morning');
  await expect(answer(page)).toContainText('You wrote: good morning');
  const notices = await shell.watchNotices();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await expect(answer(other)).toContainText('You wrote: good morning');
  const model = (window: Page) => window.getByRole('combobox', { name: 'Model' });

  await model(page).fill('slow');
  await say(page, 'a long one');
  await expect(page.getByRole('article', { name: 'Assistant, answering' })).toContainText('word3');
  // The second window knows the question of the first one, and goes on from there.
  await expect(other.getByRole('main')).toContainText('a long one');
  await model(other).fill('echo');
  await say(other, 'a short one');
  await expect(answer(other).last()).toContainText('You wrote: a short one');

  await page.getByRole('button', { name: 'Stop' }).click();
  await expect
    .poll(notices)
    .toContainEqual(expect.stringMatching(/The conversation continues twice.*is now a separate conversation/));
  await expect(answer(page).last()).toContainText('word3');
  await expect(page.getByRole('main')).not.toContainText('a short one');
  await expect(answer(other).last()).toContainText('You wrote: a short one');
  await expect(other.getByRole('main')).not.toContainText('word3');
  // Each window has both of them.
  for (const window of [page, other]) {
    await expect(window.getByRole('list', { name: 'Conversations' }).getByRole('listitem')).toHaveCount(2);
  }
  await model(page).fill('echo');
  await say(page, 'and now?');
  await expect(answer(page).last()).toContainText('You wrote: and now?');
  // The other window shows it once it is saved. The newest conversation is the first one.
  const newest = other.getByRole('list', { name: 'Conversations' }).getByRole('listitem').first();
  await newest.getByRole('button').first().click();
  await expect(answer(other).last()).toContainText('You wrote: and now?');
  await page.reload();
  await expect(answer(page).last()).toContainText('You wrote: and now?');
  await expect(page.getByRole('main')).toContainText('word3');
});
