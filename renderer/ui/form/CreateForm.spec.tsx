import { TextInput } from '@mantine/core';
import { expect, it } from 'vitest';
import { renderPage } from '../../../test/support/page/render.tsx';
import { CreateForm } from './CreateForm.tsx';
import { useSchemaForm, type FormSchema } from './useSchemaForm.ts';

interface Disk {
  name: string;
  size: string;
}

const schema: FormSchema<Disk> = {
  emptyAtFirst: ['name'],
  problemsOf: ({ name, size }) =>
    new Map([
      ...(name === '' ? [['name', 'A name is missing.'] as const] : []),
      ...(size === '0' ? [['size', 'It needs room.'] as const] : []),
    ]),
};

function NewDisk({ onMade }: { onMade: (disk: Disk) => void }) {
  const { values, problems, put, submit } = useSchemaForm(schema, () => ({ name: '', size: '0' }));
  return (
    <CreateForm
      onSubmit={submit(() => onMade(values))}
      onCancel={() => undefined}
      action="Make it"
      isPending={false}
      failure={null}
      note=""
    >
      <TextInput
        label="Name"
        value={values.name}
        error={problems.get('name')}
        onChange={(event) => put({ name: event.currentTarget.value })}
      />
      <TextInput
        label="Size"
        value={values.size}
        error={problems.get('size')}
        onChange={(event) => put({ size: event.currentTarget.value })}
      />
    </CreateForm>
  );
}

it('a new form names at once what is wrong, what is empty after the first try, and is sent once nothing is', async () => {
  const made: Disk[] = [];
  const { screen, user } = renderPage(<NewDisk onMade={(disk) => made.push(disk)} />);
  expect(await screen.findByText('It needs room.')).toBeVisible();
  expect(screen.queryByText('A name is missing.')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Make it' }));
  expect(screen.getByText('A name is missing.')).toBeVisible();
  expect(made).toEqual([]);
  // The first one may be scrolled out of view.
  expect(screen.getByLabelText('Name')).toHaveFocus();
  await user.type(screen.getByLabelText('Name'), 'data');
  await user.type(screen.getByLabelText('Size'), '5');
  await user.click(screen.getByRole('button', { name: 'Make it' }));
  expect(made).toEqual([{ name: 'data', size: '05' }]);
});
