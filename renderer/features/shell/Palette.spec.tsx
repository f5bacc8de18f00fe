import { act } from '@testing-library/react';
import { expect, it } from 'vitest';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { shellPages } from '../../pages.ts';
import { useCommands } from '../../state/commands.ts';
import { palette, useOverlays } from '../../state/overlays.ts';
import Palette from './Palette.tsx';

/** A page whose part for the main action appears after another. */
function RunPart() {
  useCommands([{ label: 'Mode: Chat', run: () => undefined }]);
  useCommands([{ label: 'Run on this computer', keys: 'Mod+Enter', isMain: true, run: () => undefined }]);
  return null;
}

const jobId = '0f8fad5b-d9cb-469f-a165-70867728950e';
const entries = [
  entryOf({ entryId: 'one', jobId, preview: 'four cats playing poker', status: 'COMPLETED' }),
  entryOf({ entryId: 'two', jobId, preview: 'a dog', status: 'FAILED', error: 'no memory' }),
];

function open() {
  const { user, screen } = renderPage(
    <>
      <RunPart />
      <Palette pages={shellPages} />
    </>,
    {
      accounts: { list: () => [] },
      jobs: { list: () => ({ entries, matching: 2, complete: true, total: 2 }) },
      endpoints: { list: () => [] },
      pods: { now: () => ({ rows: [], factsProblem: null, lacks: [], containerProblem: null }) },
    },
  );
  act(palette.open);
  return { user, screen };
}

const textsOf = (part: string) =>
  [...document.querySelectorAll(`.mantine-Spotlight-${part}`)].map(({ textContent }) => textContent);

it('the palette begins with the main action of the page, with its keys, then has its other actions and the pages', async () => {
  const { screen } = open();
  await screen.findByText('Run on this computer');
  expect(textsOf('actionLabel').slice(0, 3)).toEqual(['Run on this computer', 'Mode: Chat', 'Home']);
  expect(textsOf('action')[0]).toMatch(/Enter|↵/);
});

it('the palette shows jobs by their input or error, with endpoint, state and short id, and finds them by the whole id', async () => {
  const { user, screen } = open();
  const job = await screen.findByText('four cats playing poker');
  expect(job.closest('button')).toHaveTextContent(/words · 0f8f…950e · .*Done/);
  expect(screen.getByText('a dog · no memory').closest('button')).toHaveTextContent('Failed');
  expect(screen.queryByText(new RegExp(jobId))).toBeNull();
  await user.type(screen.getByRole('textbox', { name: 'Search or run a command' }), jobId);
  expect(textsOf('actionLabel')).toEqual(['four cats playing poker', 'a dog · no memory']);
});

it('the palette makes an API key from every page, on the page of the keys', async () => {
  const { user, screen } = open();
  const field = await screen.findByRole('textbox', { name: 'Search or run a command' });
  await user.clear(field);
  await user.type(field, 'api key');
  await user.keyboard('{Enter}');
  expect(location.hash).toBe('#/settings/keys');
  expect(useOverlays.getState().newApiKey).toBe(true);
});
