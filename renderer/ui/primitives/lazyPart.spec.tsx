import { createElement } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { loadablePart, loadedPart, type LoadablePart } from './lazyPart.ts';

const Text = ({ text }: { text: string }) => <p>{text}</p>;

function Place({ part }: { part: LoadablePart<{ text: string }> }) {
  const Part = part.use();
  return Part === null ? <p>Loading</p> : createElement(Part, { text: 'All is well' });
}

describe('a part of the page that its place can load before it shows it', () => {
  let loads = 0;
  const load = () => {
    loads += 1;
    return Promise.resolve({ default: Text });
  };
  beforeEach(() => {
    loads = 0;
  });

  it('is there at once where it was loaded before, without a moment of its placeholder', async () => {
    const part = loadablePart(load);
    part.load();
    const { screen } = renderPage(<Place part={part} />);
    await screen.findByText('All is well');
    renderPage(<Place part={part} />);
    expect(screen.getAllByText('All is well')).toHaveLength(2);
    expect(loads).toBe(1);
  });

  it('is loaded once, by the first place that shows it', async () => {
    const part = loadablePart(load);
    const { screen } = renderPage(
      <>
        <Place part={part} />
        <Place part={part} />
      </>,
    );
    expect(screen.getAllByText('Loading')).toHaveLength(2);
    expect(await screen.findAllByText('All is well')).toHaveLength(2);
    expect(loads).toBe(1);
  });

  it('is loaded, too, where another part stood before', async () => {
    const other = loadablePart<{ text: string }>(() => Promise.resolve({ default: () => <p>The other one</p> }));
    const { screen, rerender } = renderPage(<Place part={other} />);
    await screen.findByText('The other one');
    rerender(<Place part={loadablePart(load)} />);
    expect(await screen.findByText('All is well')).toBeVisible();
  });

  it('says so where its files cannot be loaded', async () => {
    sessionStorage.setItem('hangar.loadedAnewAt', String(Date.now()));
    vi.spyOn(console, 'error').mockReturnValue(undefined);
    const quiet = (event: Event) => event.preventDefault();
    window.addEventListener('error', quiet);
    const part = loadablePart<{ text: string }>(() => Promise.reject(new TypeError('Failed to fetch')));
    const { screen } = renderPage(<ErrorBoundary what="This page" of="a" children={<Place part={part} />} />);
    expect(await screen.findByRole('alert')).toHaveTextContent('Its files could not be loaded');
    window.removeEventListener('error', quiet);
    vi.restoreAllMocks();
  });

  it('needs no load where the page has it from the start', () => {
    const { screen } = renderPage(<Place part={loadedPart(Text)} />);
    expect(screen.getByText('All is well')).toBeVisible();
  });
});
