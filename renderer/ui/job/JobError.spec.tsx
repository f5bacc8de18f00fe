/** The way from the error of a job to the code that raised it. */
import { describe, expect, it } from 'vitest';
import { THIS_MACHINE } from '#contract/app/account.ts';
import { endpointRow, pythonHandler, readinessOf } from '../../../test/support/page/endpoints.ts';
import { entryOf } from '../../../test/support/page/jobs.ts';
import { renderPage } from '../../../test/support/page/render.tsx';
import { closeCode, useOverlays } from '../../state/overlays.ts';
import { JobError } from './JobError.tsx';

const traceback = `Traceback (most recent call last):
  File "/opt/hangar/harness.py", line 99, in run
  File "/srv/greet/handler.py", line 12, in handler
  File "/srv/greet/parts/draw.py", line 3, in draw
ValueError: no seven`;
const raised = JSON.stringify({ error_message: 'no seven', error_traceback: traceback });

function show(accountId: string, imageName: string, error = raised) {
  const row = { ...endpointRow(readinessOf(pythonHandler)), imageName };
  const entry = entryOf({ accountId, status: 'FAILED', error });
  return renderPage(<JobError entry={entry} error={error} isUnfolded />, {
    endpoints: { now: () => ({ rows: [row], pause: null }) },
  });
}

describe('the error of a job', () => {
  it('leads to the lines of the handler that it names, wherever the folder is, and to no other file', async () => {
    closeCode();
    const { user, screen } = show(THIS_MACHINE, 'file:///srv/greet');
    await user.click(await screen.findByRole('link', { name: 'File "/srv/greet/handler.py", line 12' }));
    expect(useOverlays.getState().code).toEqual({ endpointId: 'e', path: 'handler.py', line: 12 });
    expect(screen.getAllByRole('link')).toHaveLength(2);
    expect(screen.getByText(/harness\.py/)).toHaveTextContent(traceback.replaceAll(/\s+/g, ' '));
    await user.click(screen.getByRole('button', { name: 'Open the code' }));
    expect(useOverlays.getState().code).toEqual({ endpointId: 'e', path: 'parts/draw.py', line: 3 });
  });

  it('leads from a missing module to the page of the endpoint, which installs packages', async () => {
    const missing = "ModuleNotFoundError: No module named 'torch'";
    const { screen } = show(THIS_MACHINE, 'file:///srv/greet', `${missing}\nTraceback`);
    const link = await screen.findByRole('link', { name: 'the page of the endpoint' });
    expect(link).toHaveAttribute('href', expect.stringMatching(/^#\/endpoints\//));
  });

  it('is text where the code is in an image', async () => {
    const { screen } = show(THIS_MACHINE, 'python:3.12');
    expect(await screen.findByText(/harness\.py/)).toBeVisible();
    expect(screen.queryByRole('link')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Open the code' })).toBeNull();
  });

  it('is text where the code is on another computer, even in a folder of the same name', async () => {
    const { screen } = show('far', 'file:///srv/greet');
    expect(await screen.findByText(/harness\.py/)).toBeVisible();
    expect(screen.queryByRole('link')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Open the code' })).toBeNull();
  });
});
