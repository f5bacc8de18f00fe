import { act, waitFor, within } from '@testing-library/react';
import { ORPCError } from '@orpc/client';
import { describe, expect, it } from 'vitest';
import { lenientPodSchema, lenientRegistryAuthSchema } from '#contract/api/lenient.ts';
import type { ResourcesNow } from '#contract/bridge/resource.ts';
import { loseApp } from '../../../test/support/page/app.ts';
import { thisComputer } from '../../../test/support/page/accounts.ts';
import { machineOf } from '../../../test/support/page/machine.ts';
import { renderPage, runCommand } from '../../../test/support/page/render.tsx';
import ResourcesPage from './ResourcesPage.tsx';
import { commandsNow } from '../../state/commands.ts';

const none: ResourcesNow = { templates: [], volumes: [], registryAuths: [], podsProblem: null, hasFiles: true };

const renderResources = (tab: 'templates' | 'volumes' | 'registries') =>
  renderPage(<ResourcesPage tab={tab} volumeId={null} path="" />, {
    accounts: { list: () => [thisComputer] },
    resources: { now: () => none },
  });

describe('the resources page', () => {
  it.each([
    ['templates', /^No templates on this computer yet/, 'New template on this computer'],
    ['volumes', /^No volumes on this computer yet/, 'New volume on this computer'],
    ['registries', /^No registry credentials on this computer yet/, 'New credentials on this computer'],
  ] as const)('says that there are no %s, and has a command that makes one', async (tab, words, command) => {
    const { screen } = renderResources(tab);
    expect(await screen.findByText(words)).toBeVisible();
    expect(commandsNow().map(({ label }) => label)).toContain(command);
  });

  it('suggests images of the machine for a template, and for one of workers also has a dialog for its folder', async () => {
    const sent: unknown[] = [];
    const image = { name: 'me/model:2', sizeBytes: 60 * 1024 ** 2, createdAt: '2026-01-01T00:00:00.000Z' };
    const folder = { handler: null, isEmpty: false, folderOfFile: null, readme: null, reading: null };
    let picked = '/srv/empty';
    const { screen, user } = renderPage(<ResourcesPage tab="templates" volumeId={null} path="" />, {
      accounts: { list: () => [thisComputer] },
      resources: {
        now: () => none,
        createTemplate: ({ template }) => {
          sent.push(template.imageName);
          return { id: 't' };
        },
      },
      machine: { images: () => [image, { ...image, name: 'ubuntu:24.04' }] },
      host: { pickFolder: () => picked },
      endpoints: {
        checkFolder: ({ path }) =>
          path === '/srv/empty'
            ? { ...folder, imageName: null, problem: 'The folder cannot be read.' }
            : { ...folder, imageName: `file://${encodeURI(path)}`, problem: null },
      },
    });
    await user.click((await screen.findAllByRole('button', { name: 'New template' }))[0]!);
    const field = await screen.findByRole('combobox', { name: /^Image, or a folder/ });
    expect(screen.queryByRole('button', { name: 'Choose a folder…' })).toBeNull();
    await user.type(field, 'model');
    await user.click(await screen.findByRole('option', { name: /^me\/model:2/ }));
    expect(screen.queryByRole('option', { name: /ubuntu/ })).toBeNull();
    expect(field).toHaveValue('me/model:2');
    expect(screen.getByText('Already on the machine, 60 MB: no pull needed')).toBeVisible();
    await user.click(screen.getByRole('radio', { name: 'For workers of endpoints' }));
    await user.click(screen.getByRole('button', { name: 'Choose a folder…' }));
    expect(await screen.findByText('The folder cannot be read.')).toBeVisible();
    expect(field).toHaveValue('me/model:2');
    picked = '/srv/my model';
    await user.click(screen.getByRole('button', { name: 'Choose a folder…' }));
    await waitFor(() => expect(field).toHaveValue('file:///srv/my%20model'));
    await user.type(screen.getByRole('textbox', { name: /^Name/ }), 'of a folder');
    await user.click(screen.getByRole('button', { name: 'Create the template' }));
    await waitFor(() => expect(sent).toEqual(['file:///srv/my%20model']));
  });

  it('shows images with what uses them, and removes those that nothing uses, each with its result', async () => {
    const removed: string[] = [];
    const image = (name: string, sizeBytes: number, containers: string[]) => ({
      name,
      sizeBytes,
      createdAt: '2026-01-01T00:00:00.000Z',
      containers,
    });
    const pod = lenientPodSchema.parse({ id: '4f2c', name: 'trainer', desiredStatus: 'RUNNING' });
    const { screen, user } = renderPage(<ResourcesPage tab="images" volumeId={null} path="" />, {
      accounts: { list: () => [thisComputer] },
      resources: { now: () => none },
      pods: { now: () => ({ rows: [{ pod, facts: null }], factsProblem: null, lacks: [], containerProblem: null }) },
      machine: {
        // Without a container engine nothing can be pulled.
        get: () => machineOf(),
        images: () => [
          image('me/used:1', 3e9, ['hangar-pod-4f2c-930a01', 'postgres']),
          image('me/old:1', 2e9, []),
          image('me/busy:1', 1e9, []),
        ],
        removeImage: ({ name }) => {
          if (name === 'me/busy:1') throw new ORPCError('CONFLICT', { message: 'A container was made from it.' });
          removed.push(name);
        },
      },
    });
    const [link] = await screen.findAllByRole('link', { name: 'Pod trainer' });
    expect(link).toHaveAttribute('href', '#/pods/4f2c/overview');
    expect(link?.parentElement).toHaveTextContent(/^Pod trainer, container postgres$/);
    // The engine would refuse it: a container was made from it.
    await user.click(screen.getByRole('button', { name: 'More for me/used:1' }));
    const why = 'In use by Pod trainer, container postgres. Delete what uses it first.';
    expect(await screen.findByRole('menuitem', { name: 'Remove…' })).toHaveAccessibleDescription(why);
    await user.click(screen.getByRole('menuitem', { name: 'Remove…' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Remove unused…' }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog).not.toHaveTextContent('me/used:1');
    await user.click(screen.getByRole('button', { name: 'Remove 2 images' }));
    expect(await screen.findByText('1 of 2 were removed.')).toBeVisible();
    expect(dialog).toHaveTextContent('me/busy:1 · 954 MB · A container was made from it.');
    expect(removed).toEqual(['me/old:1']);
  });

  it('sends new credentials once, and keeps no password', async () => {
    const sent: unknown[] = [];
    const { screen, user } = renderPage(<ResourcesPage tab="registries" volumeId={null} path="" />, {
      accounts: { list: () => [thisComputer] },
      resources: {
        now: () => none,
        createRegistryAuth: ({ credentials }) => {
          sent.push(credentials);
          return { id: 'r' };
        },
      },
    });
    await user.click(await screen.findByRole('button', { name: 'New credentials' }));
    const save = await screen.findByRole('button', { name: 'Save' });
    expect(save).toHaveAccessibleDescription('Fill in all three fields first.');
    for (const [label, text] of [
      [/^Name/, 'my registry'],
      [/^User name at the registry/, 'me'],
      [/^Password or access token/, 'not-for-eyes'],
    ] as const) {
      await user.click(screen.getByLabelText(label, { selector: 'input' }));
      await user.paste(text);
    }
    await user.click(save);
    expect(await screen.findByText('Saved my registry')).toBeVisible();
    expect(sent).toEqual([{ name: 'my registry', username: 'me', password: 'not-for-eyes' }]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const values = [...document.querySelectorAll('input')].map(({ value }) => value);
    expect([document.body.innerHTML, ...values].join()).not.toContain('not-for-eyes');
  });

  it('deletes credentials after a question, and none that a template names', async () => {
    const removed: string[] = [];
    const auth = (id: string, name: string) => lenientRegistryAuthSchema.parse({ id, name });
    const template = { kind: 'template' as const, id: 't', name: 'private' };
    const registryAuths = [
      { ...auth('1', 'named'), usedBy: [template] },
      { ...auth('2', 'unnamed'), usedBy: [] },
    ];
    const { screen, user } = renderPage(<ResourcesPage tab="registries" volumeId={null} path="" />, {
      accounts: { list: () => [thisComputer] },
      resources: {
        now: () => ({ ...none, registryAuths }),
        removeRegistryAuth: ({ id }) => void removed.push(id),
      },
    });
    expect(await screen.findByRole('row', { name: /^named/ })).toHaveTextContent('template private');
    expect(commandsNow().map(({ label }) => label)).toEqual(
      expect.arrayContaining(['named: Delete…', 'unnamed: Delete…']),
    );
    await user.click(screen.getByRole('button', { name: 'More for named' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Delete…' }));
    const refusal = await screen.findByRole('dialog', { name: 'Delete the credentials named?' });
    expect(refusal).toHaveTextContent('template private');
    expect(within(refusal).queryByRole('button', { name: 'Delete the credentials' })).toBeNull();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    runCommand('unnamed: Delete…');
    await user.click(await screen.findByRole('button', { name: 'Delete the credentials' }));
    await waitFor(() => expect(removed).toEqual(['2']));
  });

  it('keeps the last list while Hangar is away, and says how old it is', async () => {
    const { screen } = renderResources('templates');
    await screen.findByText(/^No template/);
    await act(loseApp);
    expect(screen.getByRole('status')).toHaveTextContent(/^Last known, .* · offline$/);
    expect(screen.getByText(/^No template/)).toBeVisible();
  });
});
