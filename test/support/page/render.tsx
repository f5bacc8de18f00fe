/**
 * Renders a component as the page does: landmark, theme, queries, notices, and an app that answers by the bridge contract.
 *
 *   const { user, screen } = renderPage(<GpusPage />, { graphql: { ask: () => ({ data: {}, errors: [] }) } });
 *   await user.type(screen.getByLabelText('Find a GPU'), '4090');
 *   expect(await screen.findByText('No type fits these filters')).toBeVisible();
 */
import type { ReactNode } from 'react';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { userEvent, type UserEvent } from '@testing-library/user-event';
import { queryClient } from '../../../renderer/client/transport/orpc.ts';
import { commandsNow } from '../../../renderer/state/commands.ts';
import { theme } from '../../../renderer/ui/theme/theme.ts';
import { setAnswers, type Answers } from './app.ts';

interface RenderedPage {
  user: UserEvent;
  screen: typeof screen;
  /** Shows the component with other properties, in the same place. */
  rerender: (component: ReactNode) => void;
}

/** Shows `component`. `answers` are what the app says to the calls it makes. */
export function renderPage(component: ReactNode, answers: Answers = {}): RenderedPage {
  setAnswers(answers);
  const { rerender } = render(component, {
    // Without Mantine's style sheet: jsdom would go through it for each element that a role is looked for in.
    wrapper: ({ children }) => (
      <MantineProvider theme={theme} env="test" withCssVariables={false} withGlobalClasses={false}>
        <QueryClientProvider client={queryClient}>
          <Notifications />
          <main id="page" tabIndex={-1}>
            {children}
          </main>
        </QueryClientProvider>
      </MantineProvider>
    ),
  });
  return { user: userEvent.setup(), screen, rerender };
}

/** Does what the palette's command with this label does on the page that is shown. Throws where there is none. */
export function runCommand(label: string): void {
  const command = commandsNow().find((one) => one.label === label);
  if (command === undefined) throw new Error(`The page has no command "${label}".`);
  act(() => command.run());
}
