import { useState } from 'react';
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { Composer } from './Composer.tsx';

/** The text as the Run page keeps it. */
function Draft({ first, onRun = () => undefined }: { first: string; onRun?: (text: string) => void }) {
  const [text, setText] = useState(first);
  return (
    <>
      <output aria-label="Draft">{text}</output>
      <button onClick={() => setText('{"input": {"typed": 1}}')}>Type</button>
      <Composer
        draftKey="local/one"
        text={text}
        onText={setText}
        sample={null}
        mode="run"
        targetName="this computer"
        spends={false}
        blocked={null}
        unkept={false}
        code={null}
        sending={false}
        onRun={() => onRun(text)}
      />
    </>
  );
}

/** Clicks as a browser does. `act` would run the deferred renders as well, and so hide what a person sees before them. */
async function clickWithoutAct(...elements: HTMLElement[]): Promise<void> {
  const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
  environment.IS_REACT_ACT_ENVIRONMENT = false;
  try {
    for (const element of elements) {
      element.click();
      // React renders what a click changed in a microtask, before the next click can come.
      await Promise.resolve();
    }
  } finally {
    environment.IS_REACT_ACT_ENVIRONMENT = true;
  }
}

const draft = () => screen.getByLabelText('Draft');
const lowPriority = () => screen.getByRole('checkbox', { name: 'Low priority' });

describe('the policy row', () => {
  it('keeps a click on its checkbox from the moment of the click', async () => {
    renderPage(<Draft first='{"input": {}}' />);
    await clickWithoutAct(lowPriority());
    expect(lowPriority()).toBeChecked();
    expect(draft()).toHaveTextContent('{"input": {}, "policy": { "lowPriority": true }}');
    await clickWithoutAct(lowPriority());
    expect(lowPriority()).not.toBeChecked();
    expect(draft()).toHaveTextContent('{"input": {}}');
  });

  it('writes into the text as it is now, and loses nothing that was typed just before', async () => {
    renderPage(<Draft first='{"input": {}}' />);
    await clickWithoutAct(screen.getByRole('button', { name: 'Type' }), lowPriority());
    expect(draft()).toHaveTextContent('{"input": {"typed": 1}, "policy": { "lowPriority": true }}');
  });

  it('follows what is typed into the editor', async () => {
    const { user } = renderPage(<Draft first='{"input": {}}' />);
    await user.click(lowPriority());
    await user.click(screen.getByRole('button', { name: 'Type' }));
    expect(lowPriority()).not.toBeChecked();
  });
});
