/** The values that a program of the gallery gives to the form of a new Pod. */
import { envRows, type EnvRow } from '../../../../ui/form/envRows.ts';
import { newPodValues, type PodValues } from '../podForm.ts';
import { programOf, type PodProgram } from './programs.ts';

const SECRET_BYTES = 16;

/** A random password of 32 characters. */
const randomSecret = (): string =>
  [...crypto.getRandomValues(new Uint8Array(SECRET_BYTES))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const namesIn = ({ env, secretVariables }: PodProgram): string[] => [...Object.keys(env), ...secretVariables];

/** The rows that a person has written: without those of the program that was chosen before. */
export function ownRows({ env, imageName }: Pick<PodValues, 'env' | 'imageName'>): EnvRow[] {
  const before = programOf(imageName);
  const programNames = before ? namesIn(before) : [];
  return env.filter(({ name }) => !programNames.includes(name));
}

/** The change for a program; null: an image of the person's own, with the values of an empty form. */
export function fillProgram(
  program: PodProgram | null,
  values: Pick<PodValues, 'env' | 'imageName'>,
): Partial<PodValues> {
  const own = ownRows(values);
  const { imageName, command, ports, containerDiskInGb, volumeInGb, volumeMountPath } = program ?? newPodValues;
  const programRows = program
    ? envRows({ ...program.env, ...Object.fromEntries(program.secretVariables.map((name) => [name, randomSecret()])) })
    : [];
  return {
    templateId: '',
    imageName,
    command,
    entrypoint: '',
    env: [...own.filter(({ name }) => !programRows.some((row) => row.name === name)), ...programRows],
    ports: [...ports],
    containerRegistryAuthId: '',
    containerDiskInGb,
    volumeInGb,
    volumeMountPath,
  };
}
