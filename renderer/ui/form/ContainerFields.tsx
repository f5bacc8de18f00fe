/** Fields that endpoints, Pods and templates share, as all of them run containers. */
import { Select, TextInput } from '@mantine/core';
import { t } from '../../language/text.ts';

interface EntrypointFieldProps {
  value: string;
  /** Why it is refused; undefined if it is not. */
  problem: string | undefined;
  onChange: (entrypoint: string) => void;
}

/** The entrypoint of an image, as a line of a shell. */
export function EntrypointField({ value, problem, onChange }: EntrypointFieldProps) {
  return (
    <TextInput
      label={t`Entrypoint`}
      description={t`Leave empty to use the image's own`}
      value={value}
      error={problem}
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface RegistryAuthFieldProps {
  /** Those of the target account. Without any, there is no field. */
  auths: readonly { id: string; name: string }[];
  /** The id of the chosen one; '' for none. */
  value: string;
  onChange: (id: string) => void;
}

/** With which credentials an image is pulled. */
export function RegistryAuthField({ auths, value, onChange }: RegistryAuthFieldProps) {
  if (auths.length === 0) return null;
  return (
    <Select
      label={t`Registry credentials`}
      data={[{ value: '', label: t`None` }, ...auths.map(({ id, name }) => ({ value: id, label: name }))]}
      value={value}
      allowDeselect={false}
      onChange={(id) => onChange(id ?? '')}
    />
  );
}
