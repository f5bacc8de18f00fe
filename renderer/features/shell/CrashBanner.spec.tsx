import { ORPCError } from '@orpc/client';
import { afterEach, expect, it } from 'vitest';
import type { CrashNotice } from '#contract/app/crash.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { useCrashes } from '../../client/crashes.ts';
import { CrashBanners } from './CrashBanner.tsx';

const report = '/data/crash-reports/2026-11-23-engine.json';
const crash: CrashNotice = {
  part: 'engine',
  at: Date.UTC(2026, 10, 23),
  count: 1,
  cause: 'The engine ended unexpectedly (exit code 1).',
  report,
};
const show = (...notices: CrashNotice[]): void => useCrashes.setState({ notices });
afterEach(() => show());

it('The notice of a crash says how the part ended and what was kept, and its report says that it is sent nowhere', async () => {
  show(crash);
  const { user, screen } = renderPage(<CrashBanners />, {
    host: { crashes: { report: ({ part }) => ({ text: `report of ${part}` }) } },
  });
  expect(screen.getByText(/exit code 1.*Jobs and results are kept/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show report' }));
  expect(await screen.findByText('report of engine')).toBeVisible();
  expect(screen.getByText(/Hangar does not send it/)).toBeVisible();
  expect(screen.getByText(report)).toBeVisible();
});

it('The notice of a crash is dismissed by the app, and says why if it cannot be', async () => {
  show(crash);
  const dismissed: string[] = [];
  const { user, screen } = renderPage(<CrashBanners />, {
    host: {
      crashes: {
        dismiss({ part }) {
          dismissed.push(part);
          throw new ORPCError('CONFLICT', { message: 'The app is stopping.' });
        },
      },
    },
  });
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(await screen.findByText(/The app is stopping/)).toBeVisible();
  expect(dismissed).toEqual(['engine']);
});

it('Each part has one notice, which counts its crashes; one without a report offers none', () => {
  show({ ...crash, count: 3, report: null }, { ...crash, part: 'gpu', cause: 'The GPU process crashed.' });
  const { screen } = renderPage(<CrashBanners />);
  expect(screen.getAllByRole('status')).toHaveLength(2);
  expect(screen.getByText(/This is crash 3, at .* A report could not be written/)).toBeVisible();
  expect(screen.getAllByRole('button', { name: 'Show report' })).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Settings' })).toBeVisible();
});

it('A report that was removed is said to be gone', async () => {
  show(crash);
  const { user, screen } = renderPage(<CrashBanners />, {
    host: {
      crashes: {
        report() {
          throw new ORPCError('NOT_FOUND', { message: 'It may have been removed.' });
        },
      },
    },
  });
  await user.click(screen.getByRole('button', { name: 'Show report' }));
  expect(await screen.findByText(/It may have been removed/)).toBeVisible();
});

it('A run that was killed says that its jobs run again and leads to them, without a word about a report', async () => {
  show({ ...crash, part: 'last-run', cause: 'It was killed while 2 jobs ran on this computer.', report: null });
  const { user, screen } = renderPage(<CrashBanners />);
  expect(screen.getByText(/while 2 jobs ran.*runs again/)).toBeVisible();
  expect(screen.queryByText(/report/)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show jobs' }));
  expect(location.hash).toBe('#/jobs');
});
