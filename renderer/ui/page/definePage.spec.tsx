import { Box } from 'lucide-react';
import { describe, expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { targetAccount } from '../../state/selection.ts';
import { definePage, type Pages } from './definePage.tsx';
import { PageTitle } from './PageTitle.tsx';

describe('definePage', () => {
  it('draws the component that was loaded, under the title of its page, with the parameters of the route', async () => {
    const jobs = definePage({
      route: 'jobs',
      group: 'work',
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
    const { user, screen } = renderPage(jobs.render({ page: 'jobs', entryId: 'e-1' }));
    expect(await screen.findByText('Job e-1')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'Jobs' })).toBeVisible();
    // A sign of use: without it, a timer waits for one for 10 s.
    await user.keyboard('a');
  });

  it('has its title and says that it loads until its component is there', async () => {
    let arrive = (): void => undefined;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const load = () => arrived.then(() => ({ default: () => null }));
    const pods = definePage({ route: 'pods', group: 'machines', icon: Box, load });
    const { screen } = renderPage(pods.render({ page: 'pods', podId: null, tab: 'logs' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Pods' })).toBeVisible();
    expect(screen.getByRole('group', { name: 'Loading' })).toHaveAttribute('aria-busy', 'true');
    arrive();
    await expect.poll(() => screen.queryByRole('group', { name: 'Loading' })).toBeNull();
  });

  it('of the machine is not called after this computer while another account is the target, also while it loads', async () => {
    targetAccount.set('lab');
    const load = () => new Promise<never>(() => undefined);
    const machine = definePage({ route: 'machine', group: 'machines', icon: Box, load });
    const { screen } = renderPage(machine.render({ page: 'machine' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Machine' })).toBeVisible();
  });

  it('refuses a list that lacks the page of a route, at the type check', () => {
    type WithoutJobs = Omit<Pages, 'jobs'>;
    const lacking = {} as WithoutJobs;
    // @ts-expect-error A route has no page.
    const pages: Pages = lacking;
    expect(pages).toBe(lacking);
  });
});
