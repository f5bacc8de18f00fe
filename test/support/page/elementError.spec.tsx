import { expect, it } from 'vitest';
import { render, screen } from '@testing-library/react';

const page = (
  <main>
    <h1>Jobs</h1>
    {Array.from({ length: 200 }, (_, n) => (
      <p key={n}>
        <button type="button">{`Cancel job ${n}`}</button>
      </p>
    ))}
  </main>
);

function failureOf(query: () => unknown): string {
  try {
    query();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('The query did not fail.');
}

it.each<[string, RegExp, () => unknown]>([
  [
    'a role',
    /role "link" and name "Endpoints"[^]*Roles: main, heading "Jobs", paragraph, button "Cancel job 0" "Cancel job 1"/,
    () => screen.getByRole('link', { name: 'Endpoints' }),
  ],
  ['a text', /text: Endpoints/, () => screen.getByText('Endpoints')],
  [
    'one of many',
    /multiple elements with the role "button"[^]*button: Cancel job 0\n/,
    () => screen.getByRole('button'),
  ],
])(
  'the failure of a query for %s names what was looked for and the beginning of the page, in a few lines',
  (_, says, query) => {
    render(page);
    const message = failureOf(query);
    expect(message).toMatch(says);
    expect(message).toContain('The page shows: Jobs | Cancel job 0 | Cancel job 1');
    expect(message.split('\n').length, message).toBeLessThan(12);
    expect(message.length).toBeLessThan(2000);
  },
);
