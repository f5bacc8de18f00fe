/** A template as a form holds it, what is wrong with it, and what it is sent as. */
import { explainIssues } from '#contract/core/zodMessages.ts';
import {
  FILE_IMAGE_PREFIX,
  templateCreateSchema,
  templateDefaults,
  type Template,
  type TemplateCreate,
  type TemplateUpdate,
} from '#contract/api/resources.ts';
import type { ChangeText } from '../../ui/form/Changes.tsx';
import { joinCommand, splitCommand } from '../../ui/form/commandText.ts';
import type { EnvRow } from '../../ui/form/EnvFields.tsx';
import { envChange } from '../../ui/form/envChange.ts';

interface Difference {
  field: string;
  before: unknown;
  after: unknown;
}

/** A number as a field holds it: text while a person types what is none. */
type Entry = number | string;

export interface TemplateValues {
  name: string;
  imageName: string;
  isServerless: boolean;
  category: Template['category'];
  command: string;
  entrypoint: string;
  env: EnvRow[];
  containerRegistryAuthId: string;
  containerDiskInGb: Entry;
  volumeInGb: Entry;
  volumeMountPath: string;
  ports: string[];
  readme: string;
}

type TemplateFields = Pick<
  Template,
  | 'name'
  | 'imageName'
  | 'dockerStartCmd'
  | 'dockerEntrypoint'
  | 'env'
  | 'containerRegistryAuthId'
  | 'containerDiskInGb'
  | 'volumeInGb'
  | 'volumeMountPath'
  | 'ports'
  | 'readme'
>;

export function valuesOf(template: Omit<Template, 'id' | 'isPublic'>): TemplateValues {
  const { name, imageName, isServerless, category, containerRegistryAuthId, readme, ports } = template;
  const { containerDiskInGb, volumeInGb, volumeMountPath } = template;
  return {
    name,
    imageName,
    isServerless,
    category,
    containerRegistryAuthId,
    readme,
    ports,
    containerDiskInGb,
    volumeInGb,
    volumeMountPath,
    command: joinCommand(template.dockerStartCmd),
    entrypoint: joinCommand(template.dockerEntrypoint),
    env: Object.entries(template.env).map(([variable, value]) => ({ name: variable, value })),
  };
}

export const newTemplate: TemplateValues = valuesOf({ ...templateDefaults, name: '', imageName: '' });

/** A half-typed number stays text, so that the check names it. */
const asNumber = (value: Entry): number => value as number;

function fieldsOf(values: TemplateValues): TemplateFields {
  return {
    name: values.name.trim(),
    imageName: values.imageName.trim(),
    dockerStartCmd: splitCommand(values.command),
    dockerEntrypoint: splitCommand(values.entrypoint),
    env: Object.fromEntries(values.env.filter(({ name }) => name !== '').map(({ name, value }) => [name, value])),
    containerRegistryAuthId: values.containerRegistryAuthId,
    containerDiskInGb: asNumber(values.containerDiskInGb),
    volumeInGb: asNumber(values.volumeInGb),
    volumeMountPath: values.volumeMountPath.trim(),
    ports: values.ports,
    readme: values.readme,
  };
}

export const toNewTemplate = (values: TemplateValues): TemplateCreate => ({
  ...fieldsOf(values),
  isServerless: values.isServerless,
  category: values.category,
});

/** What is wrong, by field of the request, in the words in which the service would refuse it. */
export function problemsOf(values: TemplateValues): Map<string, string> {
  const given = toNewTemplate(values);
  const problems = new Map<string, string>();
  const { error } = templateCreateSchema.safeParse(given, { reportInput: true });
  for (const issue of error?.issues ?? []) {
    const field = String(issue.path[0] ?? '');
    const words = { issues: [issue] } as unknown as typeof error & object;
    if (!problems.has(field)) problems.set(field, explainIssues(words, field));
  }
  if (given.name === '') problems.set('name', 'Give it a name.');
  if (given.imageName === '') problems.set('imageName', 'Say which image, or with file:// which folder.');
  const names = values.env.map(({ name }) => name).filter((name) => name !== '');
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) problems.set('env', `env has ${twice} twice; each variable has one value.`);
  return problems;
}

/** What saving would change: as it is sent, and field by field with what was before. */
export function changesOf(
  before: TemplateValues,
  after: TemplateValues,
): { change: TemplateUpdate; list: Difference[] } {
  const old: Record<string, unknown> = fieldsOf(before);
  const list = Object.entries(fieldsOf(after))
    .filter(([field, value]) => JSON.stringify(old[field]) !== JSON.stringify(value))
    .map(([field, value]) => ({ field, before: old[field], after: value }));
  return { change: Object.fromEntries(list.map(({ field, after: value }) => [field, value])), list };
}

const fieldWords: Record<string, string> = {
  name: 'Name',
  imageName: 'Folder or image',
  dockerStartCmd: 'Command',
  dockerEntrypoint: 'Entrypoint',
  env: 'Variables',
  containerRegistryAuthId: 'Registry credentials',
  containerDiskInGb: 'Container disk',
  volumeInGb: 'Volume disk',
  volumeMountPath: 'Volume at',
  ports: 'Ports',
  readme: 'Readme',
};

function valueText(field: string, value: unknown): string {
  if (field === 'dockerStartCmd' || field === 'dockerEntrypoint')
    return joinCommand(value as string[]) || 'as built in';
  if (Array.isArray(value)) return value.join(', ') || 'none';
  if (field.endsWith('InGb')) return `${String(value)} GB`;
  if (field === 'readme') return value === '' ? 'none' : `${String(value).length} characters`;
  return value === '' ? 'none' : String(value);
}

/** One change as old and new; of variables only the names, for what they hold may be a secret. */
export function changeText({ field, before, after }: Difference): ChangeText {
  const [old, next] =
    field === 'env'
      ? envChange(before as Record<string, string>, after as Record<string, string>)
      : [valueText(field, before), valueText(field, after)];
  return { setting: fieldWords[field] ?? field, before: old, after: next };
}

/** The folder or image without what is the same for many. */
export const sourceOf = ({ imageName }: Pick<Template, 'imageName'>): string =>
  imageName.startsWith(FILE_IMAGE_PREFIX) ? decodeURIComponent(imageName.slice(FILE_IMAGE_PREFIX.length)) : imageName;
