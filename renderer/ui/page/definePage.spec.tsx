import { Box } from 'lucide-react';
import { describe, expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { definePage, withShortcuts, type Pages, type ShellPage } from './definePage.tsx';
import { PageTitle } from './PageTitle.tsx';

const shellPage = (title: string, key: string | null = null): ShellPage => ({
  route: 'home',
  group: 'Work',
  icon: Box,
  title,
  key,
});

describe('withShortcuts', () => {
  it('numbers the pages without keys of their own, and leaves those beyond the ninth without a shortcut', () => {
    const pages = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'].map((title) => shellPage(title));
    const keys = withShortcuts([shellPage('home', 'Mod+H'), ...pages]).map(({ key }) => key);
    expect(keys[0]).toBe('Mod+H');
    expect(keys.slice(1, 10)).toEqual(Array.from({ length: 9 }, (_, index) => `Mod+${index + 1}`));
    expect(keys.slice(10)).toEqual([null, null]);
  });
});

describe('definePage', () => {
  it('draws the component that was loaded, under the title of the entry, with the parameters of the route', async () => {
    const jobs = definePage({
      route: 'jobs',
      group: 'Work',
      title: 'All jobs',
      icon: Box,
      load: () =>
        Promise.resolve({
          default: ({ entryId }: { readonly entryId: string | null }) => (
            <>
              <PageTitle />
              <p>Job {entryId}</p>
            </>
          ),
        }),
    });
    const { screen } = renderPage(jobs.render({ page: 'jobs', entryId: 'e-1' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'All jobs' })).toBeVisible();
    expect(screen.getByText('Job e-1')).toBeVisible();
  });

  it('refuses a list that lacks the page of a route, at the type check', () => {
    type WithoutJobs = Omit<Pages, 'jobs'>;
    const lacking = {} as WithoutJobs;
    // @ts-expect-error A route has no page.
    const pages: Pages = lacking;
    expect(pages).toBe(lacking);
  });
});
