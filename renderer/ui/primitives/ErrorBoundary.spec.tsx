import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { lazyPart } from './lazyPart.ts';

const RAW = "Cannot read properties of undefined (reading 'map')";

/** React and jsdom write what a component throws to the console, which is expected here. */
const quiet = (event: Event) => event.preventDefault();
beforeEach(() => {
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  window.addEventListener('error', quiet);
});
afterEach(() => {
  vi.restoreAllMocks();
  window.removeEventListener('error', quiet);
});

/** A part that throws as long as `isBroken`. */
function brokenPart() {
  const part = { isBroken: true };
  const Part = () => {
    if (part.isBroken) throw new TypeError(RAW);
    return <p>All is well</p>;
  };
  return { part, Part };
}

describe('a part of the page that throws', () => {
  it('is replaced by a sentence, not by what was thrown', async () => {
    const { Part } = brokenPart();
    const { screen } = renderPage(<ErrorBoundary what="This page" of="a" children={<Part />} />);
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent(/This page could not be shown.*This is a bug in Hangar/);
    expect(alert).toHaveTextContent('Nothing was lost');
    expect(alert).not.toHaveTextContent('undefined');
    expect(screen.getByRole('button', { name: 'Load the page again' })).toBeVisible();
  });

  it('is shown again when it is tried again, and when something else is shown in its place', async () => {
    const { part, Part } = brokenPart();
    const { user, screen } = renderPage(<ErrorBoundary what="This page" of="a" children={<Part />} />);
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(screen.getByRole('alert')).toBeVisible();
    part.isBroken = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('All is well')).toBeVisible();
  });

  it('gives what was thrown, with its components, to whoever copies the details', async () => {
    const { Part } = brokenPart();
    const { user, screen } = renderPage(<ErrorBoundary what="This page" of="a" children={<Part />} />);
    await user.click(await screen.findByRole('button', { name: 'Copy details' }));
    const copied = await navigator.clipboard.readText();
    expect(copied).toContain('This page could not be shown.');
    expect(copied).toContain(`TypeError: ${RAW}`);
    expect(copied).toMatch(/Components:\s+at Part/);
  });
});

describe('a part of the page whose files cannot be loaded', () => {
  it('is loaded again before anything is said, because a new network of containers breaks off what loads', async () => {
    let attempts = 0;
    const Part = lazyPart<object>(() => {
      attempts += 1;
      if (attempts < 3) return Promise.reject(new TypeError('Failed to fetch dynamically imported module'));
      return Promise.resolve({ default: () => <p>All is well</p> });
    });
    const { screen } = renderPage(<Suspense fallback={null} children={<Part />} />);
    expect(await screen.findByText('All is well')).toBeVisible();
    expect(attempts).toBe(3);
    expect(sessionStorage.getItem('hangar.loadedAnewAt')).toBeNull();
  });

  it('says so, and offers to load the page again alone, since trying again asks for no file', async () => {
    sessionStorage.setItem('hangar.loadedAnewAt', String(Date.now()));
    const Part = lazyPart<object>(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')));
    const { screen } = renderPage(
      <ErrorBoundary what="This page" of="a">
        <Suspense fallback={null}>
          <Part />
        </Suspense>
      </ErrorBoundary>,
    );
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Its files could not be loaded');
    expect(alert).not.toHaveTextContent('dynamically imported');
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });
});
