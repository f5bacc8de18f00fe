import { useState } from 'react';
import { screen, waitFor } from '@testing-library/react';
import { ORPCError } from '@orpc/server';
import { describe, expect, it } from 'vitest';
import { loseApp } from '../../../test/support/page/app.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { savedAnswers } from '../../../test/support/page/saved.ts';
import { SavedState, Unsaved } from '../../ui/saved/SavedState.tsx';
import { keepDocument, placeAt, saveAgain, useSaved, useSavedFeed } from './savedStore.ts';
import { useTakeOverFeed } from './takeOver.ts';

const place = placeAt('input', 'a/e');

function List({ of = place }: { of?: typeof place }) {
  useSavedFeed(of);
  const { list, ...reading } = useSaved(of);
  return (
    <>
      <SavedState {...reading} />
      <ul>
        {list.map(({ name, text, problem }) => (
          <li key={name}>
            {name}={text} <Unsaved problem={problem} onRetry={() => saveAgain({ ...of, name })} />
          </li>
        ))}
      </ul>
    </>
  );
}
const items = () => screen.queryAllByRole('listitem').map((item) => item.textContent.trim());

describe('what an earlier version kept in the browser', () => {
  function TakeOver({ of = place }: { of?: typeof place }) {
    useTakeOverFeed();
    return <List of={of} />;
  }
  const keys = () => Object.keys(localStorage).toSorted();

  it('goes to the app, and then from the browser; what is for this window only stays', async () => {
    const filter = { state: 'failed' };
    const chat = { id: 'c', updatedAt: 1, messages: [] };
    localStorage.setItem('hangar.saved-inputs.a/e', JSON.stringify([{ name: 'one', body: '{"input": 1}' }]));
    localStorage.setItem('hangar.saved-inputs.a/f', JSON.stringify([{ name: 'two', body: '2' }]));
    localStorage.setItem('hangar.jobFilters', JSON.stringify([{ name: 'bad ones', filter }]));
    localStorage.setItem('hangar.input-schema.a/e', '{"type": "object"}');
    localStorage.setItem('hangar.input-schema.a/f', '');
    localStorage.setItem('hangar.chats.a/e', JSON.stringify([chat]));
    localStorage.setItem('hangar.chat-options.a/e', '{"model": "m"}');
    localStorage.setItem('hangar.chat.a/e', 'c');
    localStorage.setItem('hangar.saved-inputs.a/g', '{"cut');
    localStorage.setItem('hangar.theme', 'dark');
    const adopted: unknown[] = [];
    const saved = savedAnswers();
    renderPage(<TakeOver />, {
      saved: {
        ...saved,
        adopt(input) {
          adopted.push(input);
          saved.adopt(input);
        },
      },
    });
    await waitFor(() => expect(items()).toEqual(['one={"input": 1}']));
    await waitFor(() => expect(keys()).toEqual(['hangar.chat.a/e', 'hangar.saved-inputs.a/g', 'hangar.theme']));
    expect(adopted).toHaveLength(6);
    expect(adopted).toEqual(
      expect.arrayContaining([
        { ...placeAt('input', 'a/f'), documents: [{ name: 'two', text: '2' }] },
        { ...placeAt('filter', ''), documents: [{ name: 'bad ones', text: '{"state":"failed"}' }] },
        { ...placeAt('schema', 'a/e'), documents: [{ name: '', text: '{"type": "object"}' }] },
        { ...placeAt('chat', 'a/e'), documents: [{ name: 'c', text: '{"updatedAt":1,"messages":[]}' }] },
        { ...placeAt('chat-options', 'a/e'), documents: [{ name: '', text: '{"model": "m"}' }] },
      ]),
    );
  });

  it('replaces nothing of the same name in the app', async () => {
    const inputs = [
      { name: 'same', body: '1' },
      { name: 'mine', body: '"of the browser"' },
    ];
    localStorage.setItem('hangar.saved-inputs.a/e', JSON.stringify(inputs));
    const saved = savedAnswers([
      { ...place, name: 'same', text: '1' },
      { ...place, name: 'mine', text: '"of the app"' },
    ]);
    renderPage(<TakeOver />, { saved });
    await waitFor(() => expect(items()).toEqual(['mine="of the app"', 'mine (2)="of the browser"', 'same=1']));
    await waitFor(() => expect(keys()).toEqual([]));
  });

  it('stays in the browser while the app cannot take it, with the reason and another try', async () => {
    localStorage.setItem('hangar.saved-inputs.a/e', JSON.stringify([{ name: 'one', body: '1' }]));
    let isFull = true;
    const saved = savedAnswers();
    const { user } = renderPage(<TakeOver />, {
      saved: {
        ...saved,
        adopt(input) {
          if (isFull) throw new ORPCError('STORAGE_FULL', { status: 507, message: 'The disk is full.' });
          saved.adopt(input);
        },
      },
    });
    expect(await screen.findByRole('alert')).toHaveTextContent(/still in this browser only: The disk is full\./);
    expect(keys()).toEqual(['hangar.saved-inputs.a/e']);
    isFull = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(items()).toEqual(['one=1']));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(keys()).toEqual([]);
  });
});

describe('a document that is kept while it is typed', () => {
  it('is saved in its last form, and shows what another page saves', async () => {
    const saved = savedAnswers();
    const texts: string[] = [];
    let answer = (): void => undefined;
    renderPage(<List />, {
      saved: {
        ...saved,
        async save(document) {
          texts.push(document.text);
          if (texts.length === 1) await new Promise<void>((resolve) => (answer = resolve));
          return saved.save(document);
        },
      },
    });
    for (const text of ['a', 'ab', 'abc']) keepDocument({ ...place, name: 'n' }, text);
    await waitFor(() => expect(texts).toEqual(['a']));
    await waitFor(() => expect(items()).toEqual(['n=abc']));
    answer();
    await waitFor(() => expect(texts).toEqual(['a', 'abc']));
    await waitFor(() => expect(saved.read({ ...place, name: 'n' }).text).toBe('abc'));

    saved.save({ ...place, name: 'n', text: 'of another page' });
    saved.save({ ...place, name: 'm', text: 'new' });
    await waitFor(() => expect(items()).toEqual(['m=new', 'n=of another page']));
    saved.remove({ documents: [{ ...place, name: 'n' }] });
    await waitFor(() => expect(items()).toEqual(['m=new']));
  });

  it('stays with the reason when it cannot be saved, and is saved again on a click', async () => {
    const saved = savedAnswers();
    let isFull = true;
    const { user } = renderPage(<List />, {
      saved: {
        ...saved,
        save(document) {
          if (isFull) throw new ORPCError('STORAGE_FULL', { status: 507, message: 'The disk is full.' });
          return saved.save(document);
        },
      },
    });
    keepDocument({ ...place, name: 'n' }, 'typed');
    expect(await screen.findByText(/Not saved: The disk is full\./)).toBeVisible();
    expect(screen.getByRole('listitem')).toHaveTextContent('n=typed');
    isFull = false;
    await user.click(screen.getByRole('button', { name: 'Save again' }));
    await waitFor(() => expect(items()).toEqual(['n=typed']));
    expect(saved.read({ ...place, name: 'n' }).text).toBe('typed');
  });

  it('that is changed while the app is away is saved when it is back; what was removed meanwhile is gone', async () => {
    const saved = savedAnswers([
      { ...place, name: 'n', text: 'before' },
      { ...place, name: 'old', text: '' },
    ]);
    renderPage(<List />, { saved });
    await waitFor(() => expect(items()).toEqual(['n=before', 'old=']));
    const back = await loseApp();
    keepDocument({ ...place, name: 'n' }, 'typed');
    expect(await screen.findByText('Not saved yet. It is saved when Hangar is back.')).toBeVisible();
    saved.remove({ documents: [{ ...place, name: 'old' }] });
    await back();
    await waitFor(() => expect(items()).toEqual(['n=typed']));
    await waitFor(() => expect(saved.read({ ...place, name: 'n' }).text).toBe('typed'));
  });
});

it('What cannot be read is said, and read again by itself', async () => {
  const saved = savedAnswers([{ ...place, name: 'one', text: '1' }]);
  let isBroken = true;
  renderPage(<List />, {
    saved: {
      ...saved,
      watch(input, signal) {
        if (isBroken) throw new ORPCError('INTERNAL', { message: 'The log has the details.' });
        return saved.watch(input, signal);
      },
    },
  });
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'could not be read: The log has the details. Hangar keeps',
  );
  isBroken = false;
  await waitFor(() => expect(items()).toEqual(['one=1']));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('A place that is shown later is read then', async () => {
  function Later() {
    const [isOpen, setOpen] = useState(false);
    useSavedFeed(isOpen ? place : null);
    const { list } = useSaved(place);
    return <button onClick={() => setOpen(true)}>{list.map(({ name }) => name).join() || 'open'}</button>;
  }
  const { user } = renderPage(<Later />, { saved: savedAnswers([{ ...place, name: 'one', text: '' }]) });
  await user.click(screen.getByRole('button', { name: 'open' }));
  expect(await screen.findByRole('button', { name: 'one' })).toBeVisible();
});
