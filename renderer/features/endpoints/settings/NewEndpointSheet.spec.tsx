import { act, waitFor } from '@testing-library/react';
import { ORPCError } from '@orpc/client';
import { afterEach, describe, expect, it } from 'vitest';
import type { FolderCheck, NewEndpoint } from '#contract/app/endpointReadModels.ts';
import type { FolderReading } from '#contract/local/folder.ts';
import { closeNewEndpoint, openNewEndpoint } from '../../../state/overlays.ts';
import { thisComputer } from '../../../../test/support/page/accounts.ts';
import type { Answers } from '../../../../test/support/page/app.ts';
import { endpointRow, folderReading, readinessOf } from '../../../../test/support/page/endpoints.ts';
import { renderPage } from '../../../../test/support/page/render.tsx';
import { NewEndpointSheet } from './NewEndpointSheet.tsx';

const checkOf = (more: Partial<FolderReading>): FolderCheck => {
  const all = { ...folderReading, ...more };
  return {
    imageName: 'file:///f/greeter',
    handler: all.file,
    problem: all.problem,
    isEmpty: false,
    folderOfFile: null,
    readme: null,
    reading: all,
  };
};

const made: (NewEndpoint & { accountId: string })[] = [];
/** The sheet, with the folder that `check` answers for pasted into it. */
async function renderSheet(
  check: (input: { path: string; python?: string | undefined }) => FolderCheck | Promise<FolderCheck>,
  create?: NonNullable<Answers['endpoints']>['create'],
) {
  made.length = 0;
  const page = renderPage(
    <NewEndpointSheet accountId={thisComputer.id} target="this computer" onMade={() => undefined} />,
    {
      accounts: { list: () => [thisComputer] },
      host: {
        listFolder: ({ path }) => ({ path, rest: '', parent: '/', home: '/home/me', entries: [], isCut: false }),
        showFile: () => undefined,
      },
      endpoints: {
        choices: () => ({
          volumes: [],
          registryAuths: [],
          gpuTypes: null,
          folders: true,
          imageProblem: null,
          samples: [],
          names: [],
        }),
        checkFolder: check,
        create:
          create ??
          ((input) => {
            made.push(input);
            return { endpointId: 'e' };
          }),
        now: () => ({ rows: [], pause: null }),
        newHandler: ({ parent, name }) => ({
          endpointId: 'e',
          folder: `${parent}/${name}`,
          file: `${parent}/${name}/handler.py`,
        }),
      },
    },
  );
  act(() => openNewEndpoint('folder'));
  await page.user.click(await page.screen.findByRole('textbox', { name: /^Folder/ }));
  // In one piece: each key would draw the whole sheet.
  await page.user.paste('/f/greeter');
  return page;
}
afterEach(() => act(closeNewEndpoint));

describe('the sheet for an endpoint from a folder', () => {
  it('tells what would run with which Python, and what is to be done once it is there', async () => {
    const { screen } = await renderSheet(() => checkOf({ environmentSource: 'uv.lock', tests: 2 }));
    expect(await screen.findByText(/with Python 3\.11\.7 \(this machine\)/)).toBeVisible();
    expect(screen.getByText(/^The packages of uv\.lock are not installed yet/)).toBeVisible();
    expect(screen.getByText(/^It includes 2 tests/)).toBeVisible();
    await waitFor(() => expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveValue('greeter'));
  });

  it('is created with one press of the button, also where that comes before its folder was checked', async () => {
    let answer: (check: FolderCheck) => void = () => undefined;
    const promise = new Promise<FolderCheck>((resolve) => (answer = resolve));
    const { screen, user } = await renderSheet(() => promise);
    await user.click(screen.getByRole('button', { name: /^Create on/ }));
    expect(made).toEqual([]);
    answer(checkOf({}));
    await waitFor(() => expect(made).toMatchObject([{ accountId: thisComputer.id, endpoint: { name: 'greeter' } }]));
  });

  it('suggests the name of each folder that is typed, until a name is entered', async () => {
    const paths: string[] = [];
    const { screen, user } = await renderSheet(({ path }) => {
      paths.push(path);
      return checkOf({});
    });
    const name = screen.getByRole('textbox', { name: /^Name/ });
    const folder = screen.getByRole('textbox', { name: /^Folder/ });
    await waitFor(() => expect(name).toHaveValue('greeter'));
    await user.type(folder, '2');
    await waitFor(() => expect(name).toHaveValue('greeter2'));
    await user.clear(name);
    await user.type(name, 'mine');
    await user.type(folder, '3');
    await waitFor(() => expect(paths).toContain('/f/greeter23'));
    await user.click(screen.getByRole('button', { name: /^Create on/ }));
    await waitFor(() => expect(made).toMatchObject([{ endpoint: { name: 'mine' } }]));
  });

  it('understands the address of a folder, as programs copy it', async () => {
    const { screen, user } = await renderSheet(() => checkOf({}));
    const folder = screen.getByRole('textbox', { name: /^Folder/ });
    await user.clear(folder);
    await user.paste('file:///f/my%20greeter');
    expect(folder).toHaveValue('/f/my greeter');
  });

  it('hands the typed folder on to the form for a new handler, and has it back', async () => {
    const problem = 'There is no handler in /f/greeter. Add a handler.py, or set dockerStartCmd of the template.';
    const { screen, user } = await renderSheet(() => checkOf({ file: null, python: null, problem }));
    expect(await screen.findByText(/or set "Command"\.$/)).toBeVisible();
    await user.click(screen.getByRole('radio', { name: 'New handler' }));
    expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveValue('greeter');
    expect(screen.getByRole('textbox', { name: /^In the folder/ })).toHaveValue('/f');
    await user.click(screen.getByRole('radio', { name: 'Folder' }));
    expect(screen.getByRole('textbox', { name: /^Folder/ })).toHaveValue('/f/greeter');
  });

  it('says that a folder is empty and which file is missing, and leads to a handler that is written into it', async () => {
    const problem = 'There is no handler in /f/greeter.';
    const { screen, user } = await renderSheet(() => ({
      ...checkOf({ file: null, python: null, problem }),
      isEmpty: true,
    }));
    expect(
      await screen.findByText(
        'This folder is empty. It needs one of these files: handler.mjs, handler.js, handler.ts, handler.py.',
      ),
    ).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Write a handler here…' }));
    expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveFocus();
    await waitFor(() => expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveValue('greeter'));
    expect(await screen.findByText('/f/greeter/handler.py')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Create the handler' }));
    expect(await screen.findByText('greeter is ready for jobs')).toBeVisible();
  });

  it('offers the folder of a file that was named', async () => {
    const problem = 'main.py is a file.';
    const { screen, user } = await renderSheet(({ path }) =>
      path === '/f/greeter'
        ? { imageName: null, handler: null, problem, isEmpty: false, folderOfFile: '/f', readme: null, reading: null }
        : checkOf({}),
    );
    expect(await screen.findByText(problem)).toBeVisible();
    await user.click(await screen.findByRole('button', { name: 'Use its folder' }));
    expect(screen.getByRole('textbox', { name: /^Folder/ })).toHaveValue('/f');
    expect(await screen.findByText(/with Python 3\.11\.7/)).toBeVisible();
  });

  it('names what an environment can be made of once, where modules are missing', async () => {
    const notices = ['handler.py imports torch.', 'An environment can be made from its uv.lock.'];
    const { screen } = await renderSheet(() => checkOf({ environmentSource: 'uv.lock', notices }));
    expect(await screen.findByText('An environment can be made from its uv.lock.')).toBeVisible();
    expect(screen.getAllByText(/uv\.lock/)).toHaveLength(1);
  });

  it('sets the Python that is typed among the variables of the template', async () => {
    const other = { program: '/envs/torch/bin/python', version: '3.12.0', from: 'HANGAR_PYTHON of the template' };
    const { screen, user } = await renderSheet(({ python }) => checkOf(python === 'torch' ? { python: other } : {}));
    await user.type(await screen.findByRole('textbox', { name: 'Python' }), 'torch');
    expect(await screen.findByText(/with Python 3\.12\.0/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Create on this computer' }));
    await waitFor(() => expect(made.length).toBe(1));
    expect(made[0]?.template.env).toEqual({ HANGAR_PYTHON: 'torch' });
  });

  it('keeps the field of the Python, and what is typed there, while another folder is checked', async () => {
    let answer: (check: FolderCheck) => void = () => undefined;
    const promise = new Promise<FolderCheck>((resolve) => (answer = resolve));
    let checks = 0;
    const { screen, user } = await renderSheet(({ path }) => {
      if (path !== '/f/greeter2') return checkOf({});
      checks++;
      return promise;
    });
    await user.type(await screen.findByRole('textbox', { name: 'Python' }), 'torch');
    await user.type(screen.getByRole('textbox', { name: /^Folder/ }), '2');
    await waitFor(() => expect(checks).toBeGreaterThan(0));
    expect(screen.getByRole('textbox', { name: 'Python' })).toHaveValue('torch');
    answer(checkOf({ file: 'handler.mjs', python: null }));
    expect(await screen.findByText('handler.mjs')).toBeVisible();
    expect(screen.queryByRole('textbox', { name: 'Python' })).toBeNull();
  });

  it('says at the field why a Python cannot be used', async () => {
    const problem = 'There is no conda environment "nope" on this machine.';
    const { screen, user } = await renderSheet(({ python }) =>
      checkOf(python === undefined ? {} : { python: null, problem }),
    );
    await user.type(await screen.findByRole('textbox', { name: 'Python' }), 'conda:nope');
    expect(await screen.findByText(problem)).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Python' })).toBeInvalid();
  });

  it('asks for no Python where the handler is none in Python', async () => {
    const { screen } = await renderSheet(() => checkOf({ file: 'handler.mjs', python: null }));
    expect(await screen.findByText('handler.mjs')).toBeVisible();
    expect(screen.queryByRole('textbox', { name: 'Python' })).toBeNull();
  });

  it('is filled by the hub file of the folder, and by a preset of its author', async () => {
    const { screen, user } = await renderSheet(() =>
      checkOf({ template: { env: { MODEL: 'small' } }, presets: [{ name: 'Large', env: { MODEL: 'large' } }] }),
    );
    expect(await screen.findByDisplayValue('small')).toBeVisible();
    await user.click(screen.getByRole('combobox', { name: 'Preset' }));
    await user.click(await screen.findByRole('option', { name: 'Large' }));
    expect(await screen.findByDisplayValue('large')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Create on this computer' }));
    await waitFor(() => expect(made.length).toBe(1));
    expect(made[0]?.template.env).toEqual({ MODEL: 'large' });
  });

  it('needs a command for a folder without a handler', async () => {
    const problem = 'There is no handler in /f/greeter.';
    const { screen, user } = await renderSheet(() => checkOf({ file: null, python: null, problem }));
    expect(await screen.findByText(problem)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Create on this computer' }));
    expect(await screen.findByText(/Enter the command that starts its worker/)).toBeVisible();
    expect(made).toEqual([]);
  });

  it('stays open with the reason where the endpoint is refused', async () => {
    const { screen, user } = await renderSheet(
      () => checkOf({}),
      () => {
        throw new ORPCError('INSUFFICIENT_STORAGE', { message: 'The disk is full.' });
      },
    );
    await screen.findByText(/with Python/);
    await user.click(screen.getByRole('button', { name: 'Create on this computer' }));
    expect(await screen.findByText('The disk is full.')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('textbox', { name: /^Name/ })).toHaveValue('greeter'));
  });
});

describe('the sheet for an endpoint from an image', () => {
  function renderImages(imageProblem: string | null) {
    const ready = readinessOf(null);
    const readiness = imageProblem === null ? ready : { ...ready, available: false, reason: imageProblem };
    const page = renderPage(
      <NewEndpointSheet accountId={thisComputer.id} target="this computer" onMade={() => undefined} />,
      {
        accounts: { list: () => [thisComputer] },
        machine: { images: () => [{ name: 'me/worker:1.0', sizeBytes: 60 * 1024 ** 2, createdAt: '' }] },
        endpoints: {
          choices: () => ({
            volumes: [],
            registryAuths: [],
            gpuTypes: null,
            folders: true,
            imageProblem,
            samples: [],
            names: [],
          }),
          create: () => ({ endpointId: 'e' }),
          now: () => ({ rows: [endpointRow(readiness)], pause: null }),
        },
      },
    );
    act(() => openNewEndpoint('image'));
    return page;
  }
  const problem = 'No container engine was found. Install Docker: sudo apt-get install docker.io.';

  it.each([
    ['that it is ready', null, 'It is ready for jobs on this computer.'],
    ['that it cannot run', problem, 'It cannot run yet. Its overview says why.'],
  ])('says %s, where that is so', async (_what, imageProblem, message) => {
    const { screen, user } = renderImages(imageProblem);
    await user.type(await screen.findByRole('combobox', { name: /^Image/ }), 'me/w');
    await user.click(await screen.findByRole('option', { name: /^me\/worker:1\.0/ }));
    expect(screen.getByText('Already on the machine, 60 MB: no pull needed')).toBeVisible();
    await user.type(screen.getByRole('textbox', { name: /^Name/ }), 'worker');
    expect(screen.queryByText('No image can run on this computer yet.') !== null).toBe(imageProblem !== null);
    await user.click(screen.getByRole('button', { name: 'Create on this computer' }));
    expect(await screen.findByText(message)).toBeVisible();
  });

  it('warns before, with the commands that help, and asks for an image', async () => {
    const { screen, user } = renderImages(problem);
    expect(await screen.findByText('No image can run on this computer yet.')).toBeVisible();
    expect(screen.getByText('sudo apt-get install docker.io')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Create on this computer' }));
    expect(await screen.findByText('Enter an image.')).toBeVisible();
  });
});

it('the sheet of a handler that was created has no choice of sources any more, and the next one has', async () => {
  const { screen, user } = await renderSheet(() => checkOf({}));
  const sources = () => screen.queryByRole('radiogroup', { name: 'Start from' });
  act(() => openNewEndpoint('handler'));
  const create = await screen.findByRole('button', { name: 'Create the handler' });
  expect(sources()).toBeVisible();
  await waitFor(() => expect(create).not.toHaveAttribute('aria-disabled'));
  await user.click(create);
  expect(await screen.findByText('greeter is ready for jobs')).toBeVisible();
  expect(sources()).toBeNull();
  act(closeNewEndpoint);
  act(() => openNewEndpoint('handler'));
  await waitFor(() => expect(sources()).toBeVisible());
});
