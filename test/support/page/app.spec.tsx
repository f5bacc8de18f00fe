import { expect, it } from 'vitest';
import { api } from '../../../renderer/client/transport/orpc.ts';
import { thisComputer } from './accounts.ts';
import { expectAllAnswered, setAnswers } from './app.ts';

it('a call without an answer fails the test by its name', async () => {
  setAnswers({});
  await expect(api.accounts.list()).rejects.toThrow('The test does not answer accounts.list.');
  await expect(expectAllAnswered()).rejects.toThrow('The page called what the test does not answer: accounts.list');
  await expectAllAnswered();
});

it('an answer that does not fit the contract fails the test by its name, with the field', async () => {
  setAnswers({ accounts: { list: () => [{ ...thisComputer, name: 5 as never }] } });
  await expect(api.accounts.list()).rejects.toThrow('Output validation failed');
  await expect(expectAllAnswered()).rejects.toThrow(/accounts\.list: 0\.name: .*expected string, received number/);
  await expectAllAnswered();
});
