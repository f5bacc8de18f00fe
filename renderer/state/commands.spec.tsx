import { useState } from 'react';
import { Modal } from '@mantine/core';
import { describe, expect, it } from 'vitest';
import { renderPage } from '../../test/support/page/render.tsx';
import { commandsNow, useCommands } from './commands.ts';

const done: string[] = [];

function Part({ isRunning, opened = false }: { isRunning: boolean; opened?: boolean }) {
  useCommands([
    { label: 'Run', keys: 'Mod+Enter', run: () => done.push('run') },
    { label: 'New', keys: 'N', run: () => done.push('new') },
    isRunning && { label: 'Stop', run: () => done.push('stop') },
  ]);
  return (
    <>
      <input aria-label="Name" />
      <button onKeyDown={() => done.push('button')}>Control</button>
      <Modal opened={opened} onClose={() => undefined} title="Above" />
    </>
  );
}

const labels = () => commandsNow().map(({ label }) => label);

describe('the commands of a page', () => {
  it('are those that are possible now, as long as it is shown', async () => {
    function Page() {
      const [step, setStep] = useState(0);
      return (
        <>
          <button onClick={() => setStep(step + 1)}>Next</button>
          {step < 2 && <Part isRunning={step === 1} />}
        </>
      );
    }
    const { user, screen } = renderPage(<Page />);
    expect(labels()).toEqual(['Run', 'New']);
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(labels()).toEqual(['Run', 'New', 'Stop']);
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(labels()).toEqual([]);
  });

  it('run by their keys: a letter not while a person types, one with Mod always', async () => {
    done.length = 0;
    const { user, screen } = renderPage(<Part isRunning={false} />);
    await user.keyboard('n');
    await user.click(screen.getByRole('textbox', { name: 'Name' }));
    await user.keyboard('n{Control>}{Enter}{/Control}');
    expect(done).toEqual(['new', 'run']);
  });

  it('with Mod come before what has the focus, also while its list of choices is open', async () => {
    done.length = 0;
    const { user, screen } = renderPage(
      <>
        <Part isRunning={false} />
        <div role="listbox" />
      </>,
    );
    screen.getByRole('button', { name: 'Control' }).focus();
    await user.keyboard('{Control>}{Enter}{/Control}n');
    // The button hears Control and N. The list of choices takes letters.
    expect(done).toEqual(['button', 'run', 'button']);
  });

  it('leave a key to a control that handles it itself', async () => {
    done.length = 0;
    const { user, screen } = renderPage(
      <>
        <Part isRunning={false} />
        <textarea aria-label="Edited" data-own-keys="Mod+Enter Mod+S" />
      </>,
    );
    screen.getByRole('textbox', { name: 'Edited' }).focus();
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(done).toEqual([]);
    screen.getByRole('textbox', { name: 'Name' }).focus();
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(done).toEqual(['run']);
  });

  it('leave their keys to a dialog above the page', async () => {
    done.length = 0;
    const { user, screen } = renderPage(<Part isRunning={false} opened />);
    await screen.findByRole('dialog');
    await user.keyboard('n{Control>}{Enter}{/Control}');
    expect(done).toEqual([]);
  });
});
