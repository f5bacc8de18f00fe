import { useState } from 'react';
import { EditorView } from '@codemirror/view';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ORPCError } from '@orpc/server';
import { describe, expect, it } from 'vitest';
import { entryOf } from '../../../../test/support/page/jobs.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { savedAnswers } from '../../../../test/support/page/saved.ts';
import { Composer } from '../Composer.tsx';

interface DraftProps {
  first: string;
  onRun?: (text: string) => void;
  hasFolder?: boolean;
}

/** The text as the Run page keeps it. */
function Draft({ first, onRun = () => undefined, hasFolder = false }: DraftProps) {
  const [text, setText] = useState(first);
  return (
    <>
      <output aria-label="Draft">{text}</output>
      <Composer
        draftKey="local/form"
        source={{ accountId: 'this-machine', endpointId: 'e', hasFolder }}
        text={text}
        onText={setText}
        sample={null}
        mode="run"
        targetName="this computer"
        spends={false}
        blocked={null}
        isUnstored={false}
        code={null}
        sending={false}
        usual={null}
        cost={null}
        onRun={() => onRun(text)}
      />
    </>
  );
}

/** No job has run yet. */
const noJobs = { jobs: { list: () => ({ entries: [], matching: 0, complete: true, total: 0 }) } };
const draft = () => screen.getByLabelText('Draft');
const tab = (name: string) => screen.getByRole('tab', { name });

const schemaView = async (): Promise<EditorView> => {
  const view = EditorView.findFromDOM(await screen.findByRole('textbox', { name: 'Schema of the input' }));
  if (view === null) throw new Error('There is no editor for the schema.');
  return view;
};
const schemaText = async (): Promise<string> => (await schemaView()).state.doc.toString();
/** Replaces the schema, as typing it would. */
async function writeSchema(text: string): Promise<void> {
  const view = await schemaView();
  act(() => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: 'input.type' }));
}

describe('the form', () => {
  it('writes into the JSON, and leaves the rest of it as it was typed', async () => {
    const { user } = renderPage(<Draft first='{"input": {"prompt": "sea",  "n": 9007199254740993}}' />, noJobs);
    await user.click(tab('Form'));
    const prompt = await screen.findByRole('textbox', { name: 'prompt' });
    await user.clear(prompt);
    await user.type(prompt, 'a "quiet" harbour');
    expect(draft()).toHaveTextContent('{"input": {"prompt": "a \\"quiet\\" harbour", "n": 9007199254740993}}');
  });

  it('of a schema has its fields, and those that the input has besides', async () => {
    const { user } = renderPage(<Draft first='{"input": {"other": [1]}}' />, noJobs);
    await user.click(tab('Schema'));
    await writeSchema('{"properties": {"steps": {"type": "integer", "maximum": 50}, "upscale": {"type": "boolean"}}}');
    expect(screen.getByText('2 fields')).toBeVisible();
    await user.click(tab('Form'));
    await user.type(await screen.findByRole('textbox', { name: 'steps' }), '30');
    await user.click(screen.getByRole('checkbox', { name: 'upscale' }));
    expect(draft()).toHaveTextContent('{"input": {"other": [1], "steps": 30, "upscale": true}}');
    await user.click(screen.getByRole('button', { name: 'Leave steps out' }));
    expect(draft()).toHaveTextContent('{"input": {"other": [1], "upscale": true}}');
  });

  it('takes a field that it does not have yet, which the JSON then has, too', async () => {
    const { user } = renderPage(<Draft first='{"input": {"prompt": "sea"}}' />, noJobs);
    await user.click(tab('Form'));
    await user.click(await screen.findByRole('button', { name: 'Add a field' }));
    const name = screen.getByRole('combobox', { name: 'Name' });
    expect(name).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Add' }));
    expect(await screen.findByText('Enter the name of the field.')).toBeVisible();
    await user.type(name, 'prompt');
    expect(await screen.findByText('There is a field of this name.')).toBeVisible();
    await user.clear(name);
    await user.type(name, 'steps');
    await user.click(screen.getByRole('combobox', { name: 'Kind' }));
    await user.click(await screen.findByRole('option', { name: 'Number' }));
    await user.type(screen.getByRole('textbox', { name: 'Value' }), 'many{Enter}');
    expect(await screen.findByText('This is not a number.')).toBeVisible();
    expect(draft()).toHaveTextContent('{"input": {"prompt": "sea"}}');
    await user.clear(screen.getByRole('textbox', { name: 'Value' }));
    await user.type(screen.getByRole('textbox', { name: 'Value' }), '30{Enter}');
    expect(draft()).toHaveTextContent('{"input": {"prompt": "sea", "steps": 30}}');
    expect(screen.getByRole('textbox', { name: 'steps' })).toHaveValue('30');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Add a field' })).toHaveFocus());
  });

  it('does not send while a field holds what is no value', async () => {
    const sent: string[] = [];
    const { user } = renderPage(<Draft first='{"input": {"steps": 3}}' onRun={(text) => sent.push(text)} />, noJobs);
    await user.click(tab('Form'));
    const steps = await screen.findByRole('textbox', { name: 'steps' });
    await user.type(steps, '.');
    expect(await screen.findByText('The field steps: This is not a number.')).toBeVisible();
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(sent).toEqual([]);
    await user.type(steps, '5');
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(sent).toEqual(['{"input": {"steps": 3.5}}']);
  });

  it('does not send while a new field is typed and not added', async () => {
    const sent: string[] = [];
    const { user } = renderPage(<Draft first='{"input": {}}' onRun={(text) => sent.push(text)} />, noJobs);
    await user.click(tab('Form'));
    await user.click(await screen.findByRole('button', { name: 'Add a field' }));
    await user.type(screen.getByRole('textbox', { name: 'Value' }), 'sea');
    expect(await screen.findByText('The field without a name: Add it or cancel it first.')).toBeVisible();
    await user.type(screen.getByRole('combobox', { name: 'Name' }), 'prompt');
    expect(await screen.findByText('The field prompt: Add it or cancel it first.')).toBeVisible();
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(sent).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Add' }));
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(sent).toEqual(['{"input": { "prompt": "sea" }}']);
  });

  it('takes a file as base64', async () => {
    const { user } = renderPage(<Draft first='{"input": {"image_base64": ""}}' />, noJobs);
    await user.click(tab('Form'));
    await screen.findByRole('button', { name: 'Choose a file…' });
    const input = document.querySelector('input[type=file]');
    if (!(input instanceof HTMLInputElement)) throw new Error('There is no field for files.');
    await user.upload(input, new File(['four machines'], 'a.txt'));
    await waitFor(() => expect(draft()).toHaveTextContent('{"input": {"image_base64": "Zm91ciBtYWNoaW5lcw=="}}'));
  });

  it('gives way to JSON that cannot be read, and loses nothing of it', async () => {
    const { user } = renderPage(<Draft first='{"input": {"a": 1,' />, noJobs);
    await user.click(tab('Form'));
    await user.click(await screen.findByRole('button', { name: 'Show the JSON' }));
    expect(tab('JSON')).toHaveAttribute('aria-selected', 'true');
    expect(draft()).toHaveTextContent('{"input": {"a": 1,');
  });
});

describe('the schema', () => {
  const rules = '{"prompt": {"type": "str", "required": true}, "steps": {"type": ["int", "float"]}}';
  const declaredInput = () => ({ schema: { text: rules, file: 'handler.py', line: 3 }, test: null, notices: [] });

  it('is read from the handler of the folder, and makes the form', async () => {
    const { user } = renderPage(<Draft first='{"input": {}}' hasFolder />, { folders: { declaredInput } });
    await user.click(tab('Form'));
    expect(await screen.findByRole('textbox', { name: /^prompt/ })).toBeRequired();
    await user.type(screen.getByRole('textbox', { name: 'steps' }), '1.5');
    expect(draft()).toHaveTextContent('{"input": { "steps": 1.5 }}');
    await user.click(tab('Schema'));
    expect(await schemaText()).toBe(rules);
    expect(screen.getByText('handler.py, line 3')).toBeVisible();
  });

  it('of the person replaces the one of the folder, until it is removed', async () => {
    const { user } = renderPage(<Draft first='{"input": {}}' hasFolder />, { folders: { declaredInput } });
    await user.click(tab('Schema'));
    await waitFor(async () => expect(await schemaText()).toBe(rules));
    await writeSchema('{"properties": {"mine": {"type": "string"}}}');
    expect(await schemaText()).toBe('{"properties": {"mine": {"type": "string"}}}');
    expect(screen.getByText('Your own schema. It replaces the one from handler.py, line 3.')).toBeVisible();
    await user.click(tab('Form'));
    expect(await screen.findByRole('textbox', { name: 'mine' })).toBeVisible();
    expect(screen.queryByRole('textbox', { name: /^prompt/ })).toBeNull();
    await user.click(tab('Schema'));
    await user.click(await screen.findByRole('button', { name: 'Remove mine' }));
    expect(await schemaText()).toBe(rules);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await schemaText()).toBe('{"properties": {"mine": {"type": "string"}}}');
  });

  it('of the folder can be emptied to write another one, and is used until then', async () => {
    const { user } = renderPage(<Draft first='{"input": {}}' hasFolder />, { folders: { declaredInput } });
    await user.click(tab('Schema'));
    await waitFor(async () => expect(await schemaText()).toBe(rules));
    await writeSchema('');
    expect(await schemaText()).toBe('');
    expect(screen.getByText(/Until then, the one from handler\.py, line 3 is used\./)).toBeVisible();
    expect(screen.getByText('2 fields')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show the one in use' }));
    expect(await schemaText()).toBe(rules);
  });

  it('says its first problem with the line, and how many fields it has once it can be read', async () => {
    const { user } = renderPage(<Draft first='{"input": {}}' />, noJobs);
    await user.click(tab('Schema'));
    await writeSchema('{\n  "properties": {\n    "n": {"minimum": "3"}\n  }\n}');
    const wrong = 'Line 3: "properties.n.minimum" must be a number. The form ignores this schema.';
    expect(await screen.findByText(wrong)).toBeVisible();
    await writeSchema('{"properties": {"n": {"minimum": 3}}}');
    expect(await screen.findByText('1 field')).toBeVisible();
  });

  it('is held against the input, which is sent all the same', async () => {
    const sent: string[] = [];
    const own = JSON.stringify({
      properties: { text: { type: 'string' }, delay: { type: 'number', minimum: 0, maximum: 2, default: 1 } },
      required: ['text'],
    });
    const declares = () => ({ schema: { text: own, file: 'schema.json', line: null }, test: null, notices: [] });
    const { user } = renderPage(<Draft first='{"input": {"delay": 9}}' hasFolder onRun={(text) => sent.push(text)} />, {
      folders: { declaredInput: declares },
    });
    await user.click(tab('JSON'));
    expect(await screen.findByText('text is required.')).toBeVisible();
    expect(screen.getByText('delay: at most 2.')).toBeVisible();
    const run = screen.getByRole('button', { name: /^Run on/ });
    await user.click(run);
    expect(await screen.findByText(/^Not sent\. text: required and empty\./)).toBeVisible();
    await user.click(run);
    await waitFor(() => expect(sent).toEqual(['{"input": {"delay": 9}}']));
    await user.click(tab('Form'));
    const delay = await screen.findByRole('textbox', { name: 'delay' });
    expect(delay).toHaveAccessibleDescription('From 0 to 2.');
    expect(delay).toHaveAttribute('placeholder', 'Default: 1');
    await user.clear(delay);
    await user.type(delay, '7');
    expect(draft()).toHaveTextContent('{"input": {"delay": 7}}');
    expect(await screen.findByText('delay: at most 2.')).toBeVisible();
    await user.type(screen.getByRole('textbox', { name: /^text/ }), 'hello');
    await waitFor(() => expect(screen.queryByText('text is required.')).toBeNull());
    await user.clear(delay);
    await user.type(delay, '2');
    await waitFor(() => expect(screen.queryByText('delay: at most 2.')).toBeNull());
  });

  it('of the person is held against the JSON, too', async () => {
    const { user } = renderPage(<Draft first='{"input": {"n": 9}}' />, noJobs);
    await user.click(tab('Schema'));
    await writeSchema('{"properties": {"n": {"maximum": 3}}}');
    await user.click(tab('JSON'));
    expect(await screen.findByText('n: at most 3.')).toBeVisible();
  });

  it('says why the declaration of the folder cannot be read', async () => {
    const notices = ['schema.json cannot be read: Unexpected end of JSON input'];
    const { user } = renderPage(<Draft first='{"input": {}}' hasFolder />, {
      ...noJobs,
      folders: { declaredInput: () => ({ schema: null, test: null, notices }) },
    });
    await user.click(tab('Schema'));
    expect(await screen.findByText(notices[0] ?? '')).toBeVisible();
  });

  it('comes from the inputs of past jobs where nothing is declared', async () => {
    const entries = [entryOf({ entryId: 'x' }), entryOf({ entryId: 'y' })];
    const { user } = renderPage(<Draft first='{"input": {}}' />, {
      jobs: {
        list: () => ({ entries, matching: 2, complete: true, total: 2 }),
        get: ({ entryId }) => ({ entry: entryOf({ entryId }), body: `{"input": {"${entryId}": 1}}`, output: null }),
      },
    });
    await user.click(tab('Form'));
    expect(await screen.findByRole('textbox', { name: 'x' })).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'y' })).toBeVisible();
    await user.click(tab('Schema'));
    expect(await screen.findByText('the inputs of the last 2 jobs')).toBeVisible();
  });

  it('takes no field of a failed job where others succeeded', async () => {
    const entries = [
      entryOf({ entryId: 'wrong', status: 'FAILED', finishedAt: 2 }),
      entryOf({ entryId: 'right', status: 'COMPLETED', finishedAt: 2 }),
    ];
    const { user } = renderPage(<Draft first='{"input": {}}' />, {
      jobs: {
        list: () => ({ entries, matching: 2, complete: true, total: 2 }),
        get: ({ entryId }) => ({ entry: entryOf({ entryId }), body: `{"input": {"${entryId}": 1}}`, output: null }),
      },
    });
    await user.click(tab('Form'));
    expect(await screen.findByRole('textbox', { name: 'right' })).toBeVisible();
    expect(screen.queryByRole('textbox', { name: 'wrong' })).toBeNull();
    await user.click(tab('Schema'));
    expect(await screen.findByText('the input of the last job that succeeded')).toBeVisible();
  });
});

describe('a file in the JSON', () => {
  const editor = () => screen.findByRole('textbox', { name: 'Request body, JSON' });
  const pick = async (files: File[]): Promise<void> => {
    const input = document.querySelector('input[type=file]');
    if (!(input instanceof HTMLInputElement)) throw new Error('There is no field for files.');
    await userEvent.upload(input, files);
  };

  it('is written as base64 in place of the string at the cursor', async () => {
    renderPage(<Draft first='{"input": {"image": "", "n": 1}}' />);
    const view = EditorView.findFromDOM(await editor());
    view?.dispatch({ selection: { anchor: 21 } });
    await pick([new File(['four machines'], 'a.txt')]);
    await waitFor(() => expect(draft()).toHaveTextContent('{"input": {"image": "Zm91ciBtYWNoaW5lcw==", "n": 1}}'));
  });

  it('that is too large needs a bucket, and the way to one is shown', async () => {
    renderPage(<Draft first='{"input": {"image": ""}}' />, {
      bucket: { state: () => ({ settings: null, keptIn: null }) },
    });
    await editor();
    await pick([new File([new Uint8Array(9 * 1024 * 1024)], 'large.bin')]);
    const files = await screen.findByRole('list', { name: 'Files of the input' });
    expect(await within(files).findByText(/No bucket is set up yet/)).toBeVisible();
    expect(within(files).getByRole('link', { name: 'Set up the bucket' })).toHaveAttribute('href', '#/settings/bucket');
    expect(draft()).toHaveTextContent('{"input": {"image": ""}}');
  });
});

it('A schema is kept by the app, comes from another page at once, and a failed save is said beside it', async () => {
  const saved = savedAnswers();
  const ref = { kind: 'schema', accountId: 'local', endpointId: 'form', name: '' } as const;
  let isFull = true;
  const { user } = renderPage(<Draft first='{"input": {}}' />, {
    ...noJobs,
    saved: {
      ...saved,
      save(document) {
        if (isFull) throw new ORPCError('STORAGE_FULL', { status: 507, message: 'The disk is full.' });
        return saved.save(document);
      },
    },
  });
  await user.click(tab('Schema'));
  await writeSchema('{"type": "object", "properties": {"steps": {"type": "integer"}}}');
  expect(await screen.findByText(/Not saved: The disk is full\./)).toBeVisible();
  expect(await schemaText()).toBe('{"type": "object", "properties": {"steps": {"type": "integer"}}}');
  isFull = false;
  await user.click(screen.getByRole('button', { name: 'Save again' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save again' })).toBeNull());
  expect(saved.read(ref).text).toContain('"steps"');

  saved.save({ ...ref, text: '{"type": "object", "properties": {"width": {"type": "integer"}}}' });
  await waitFor(async () => expect(await schemaText()).toBe(saved.read(ref).text));
  await user.click(tab('Form'));
  expect(await screen.findByRole('textbox', { name: /width/ })).toBeVisible();
});
