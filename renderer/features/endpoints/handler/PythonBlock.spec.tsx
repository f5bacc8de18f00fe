import { waitFor } from '@testing-library/react';
import { ORPCError } from '@orpc/client';
import { describe, expect, it } from 'vitest';
import type { EnvironmentState } from '#contract/local/folder.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import type { Answers } from '../../../../test/support/page/app.ts';
import { endpointDetail, endpointRow, pythonHandler, readinessOf } from '../../../../test/support/page/endpoints.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { PythonBlock } from './PythonBlock.tsx';

const nothingMade: EnvironmentState = { state: 'none', step: null, lines: [], problem: null };
const withRequirements = { ...pythonHandler, environmentSource: 'requirements.txt' as const };

interface Shown {
  handler?: typeof pythonHandler;
  reason?: string | null;
  /** HANGAR_PYTHON of the template. */
  wanted?: string;
  sharedWith?: string[];
  environment?: EnvironmentState;
  folders?: Answers['folders'];
}

function renderBlock({ handler = pythonHandler, reason = null, wanted, sharedWith, environment, folders }: Shown) {
  const row = endpointRow({ ...readinessOf(handler), reason });
  const detail = endpointDetail(wanted === undefined ? {} : { HANGAR_PYTHON: wanted }, sharedWith);
  return renderPage(<PythonBlock accountId={thisComputer.id} row={row} detail={detail} />, {
    accounts: { list: () => [thisComputer] },
    folders: { environment: () => environment ?? nothingMade, ...folders },
  });
}

describe('the Python of a handler', () => {
  it('is shown with its program and with the reason why it is this one', () => {
    const from = '.venv of the folder';
    const { screen } = renderBlock({
      handler: { ...pythonHandler, python: { program: '/f/.venv/bin/python', version: '3.12.1', from } },
    });
    expect(screen.getByText('3.12.1')).toBeVisible();
    expect(screen.getByText('/f/.venv/bin/python')).toBeVisible();
    expect(screen.getByText('It comes from .venv of the folder.')).toBeVisible();
  });

  it('is that of this machine where the folder names none', () => {
    const { screen } = renderBlock({});
    expect(screen.getByText('The default on this machine. The folder does not name another.')).toBeVisible();
  });

  it('is set by a path or a name, and unset by an empty field', async () => {
    const sent: unknown[] = [];
    const folders: Answers['folders'] = {
      setPython(input) {
        sent.push(input);
        return readinessOf(pythonHandler);
      },
    };
    const { screen, user } = renderBlock({ wanted: 'torch', sharedWith: ['other'], folders });
    await user.click(screen.getByRole('button', { name: 'Change…' }));
    const field = screen.getByLabelText('Python to use');
    expect(field).toHaveValue('torch');
    expect(screen.getByText('This also applies to other, which use the same template.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Use it' })).toHaveAccessibleDescription('Nothing has changed.');
    await user.clear(field);
    await user.type(field, ' ./envs/audio {Enter}');
    await waitFor(() => expect(screen.queryByLabelText('Python to use')).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Change…' }));
    await user.clear(screen.getByLabelText('Python to use'));
    await user.click(screen.getByRole('button', { name: 'Let Hangar choose' }));
    await waitFor(() => expect(sent.length).toBe(2));
    const of = { accountId: thisComputer.id, endpointId: 'e' };
    expect(sent).toEqual([
      { ...of, python: './envs/audio' },
      { ...of, python: null },
    ]);
  });

  it('that cannot be run has its reason at the field until another one is typed', async () => {
    const reason = 'HANGAR_PYTHON of the template names ./no/python, which is neither a program nor an environment.';
    const handler = { ...pythonHandler, python: null };
    const { screen, user } = renderBlock({ handler, reason, wanted: './no/python' });
    expect(screen.getByText('None can run it.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Change…' }));
    expect(screen.getByText(reason)).toBeVisible();
    await user.type(screen.getByLabelText('Python to use'), '3');
    expect(screen.queryByText(reason)).toBeNull();
  });

  it('stays as it was where the engine refuses the change, which the field says', async () => {
    const folders: Answers['folders'] = {
      setPython() {
        throw new ORPCError('FORBIDDEN', { message: 'This key may only read.' });
      },
    };
    const { screen, user } = renderBlock({ folders });
    await user.click(screen.getByRole('button', { name: 'Change…' }));
    await user.type(screen.getByLabelText('Python to use'), 'torch{Enter}');
    expect(await screen.findByText('This key may only read.')).toBeVisible();
    expect(screen.getByLabelText('Python to use')).toHaveValue('torch');
  });
});

describe('the environment of a folder', () => {
  it('that the handler runs in and that lacks packages has them installed, and is not made anew', async () => {
    const python = { program: '/f/.venv/bin/python', version: '3.12.1', from: '.venv of the folder' };
    const { screen } = renderBlock({ handler: { ...withRequirements, python } });
    expect(await screen.findByRole('button', { name: 'Install them' })).toBeVisible();
    expect(
      screen.getByText('pip installs them into the environment of the folder. New workers have them.'),
    ).toBeVisible();
  });

  it('is offered, is made with its last lines in sight, and is stopped', async () => {
    let now: EnvironmentState = nothingMade;
    const lines = ['Collecting torch', 'Downloading torch'];
    const folders: Answers['folders'] = {
      environment: () => now,
      makeEnvironment: () => (now = { ...nothingMade, state: 'making', step: 'Installing requirements.txt', lines }),
      stopEnvironment: () => (now = { ...now, state: 'stopped' }),
    };
    const { screen, user } = renderBlock({ handler: withRequirements, folders });
    expect(await screen.findByText('The packages of requirements.txt are not installed yet.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Create an environment' }));
    expect(await screen.findByText('Installing requirements.txt…')).toBeVisible();
    expect(screen.getByRole('region', { name: 'Output of the installer' })).toHaveTextContent('Downloading torch');
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    expect(await screen.findByText('Stopped and removed.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Create an environment' })).toBeEnabled();
  });

  it('that could not be made tells why, what to do, and the last lines of the installer', async () => {
    const problem =
      'Installing requirements.txt ended with exit code 1: ERROR: No matching distribution found for nope.';
    const { screen } = renderBlock({
      handler: withRequirements,
      environment: { state: 'failed', step: 'Installing requirements.txt', lines: ['Looking for nope'], problem },
    });
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent(problem);
    expect(alert).toHaveTextContent('Correct requirements.txt or the problem named below, then try again.');
    expect(screen.getByRole('button', { name: 'Try again' })).toBeEnabled();
    expect(screen.getByRole('region', { name: 'Last lines of the installer' })).toHaveTextContent('nope');
  });

  it.each([
    ['is made is said to be used', undefined, '.venv is ready, and new workers use it.'],
    [
      'is made is said to wait where the template names another Python',
      'python3.12',
      '.venv is ready. Hangar uses it if you let Hangar choose the Python above.',
    ],
  ])('that %s', async (_what, wanted, words) => {
    const environment: EnvironmentState = { ...nothingMade, state: 'made', step: 'Installing uv.lock' };
    const { screen } = renderBlock({ environment, ...(wanted !== undefined && { wanted }) });
    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Create an environment' })).toBeNull();
  });

  it('is said to wait for an empty field where the template names another Python', async () => {
    const { screen } = renderBlock({ handler: withRequirements, wanted: 'python3.12' });
    expect(
      await screen.findByText(
        /pip installs them into \.venv of the folder, used if you let Hangar choose the Python above/,
      ),
    ).toBeVisible();
  });

  it('whose state cannot be read says so', async () => {
    const folders: Answers['folders'] = {
      environment() {
        throw new ORPCError('FORBIDDEN', { message: 'This key may only send jobs.' });
      },
    };
    const { screen } = renderBlock({ handler: withRequirements, folders });
    const notice = await screen.findByText('Its environment could not be read.');
    expect(notice.closest('[role=status]')).toHaveTextContent('This key may only send jobs.');
  });

  it('that the engine does not begin to make is told with its reason', async () => {
    const folders: Answers['folders'] = {
      makeEnvironment() {
        throw new ORPCError('CONFLICT', { message: 'The environment of /f is being made already.' });
      },
    };
    const { screen, user } = renderBlock({ handler: withRequirements, folders });
    await user.click(await screen.findByRole('button', { name: 'Create an environment' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('is being made already');
  });
});
