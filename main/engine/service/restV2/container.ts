/** The fields of a container that templates, Pods and endpoints of REST v2 share, and their words in /v1. */
import * as z from 'zod';
import { podSchema } from '#contract/api/pod.ts';
import { templateCreateSchema, type Template } from '#contract/api/resources.ts';
import { splitCommandLine } from '../../domain/core/shellWords.ts';
import { lineOf } from '../graphql/values.ts';
import { unprocessable } from './protocol/operation.ts';

const { shape } = templateCreateSchema;

/** The fields in requests. */
export const containerFields = {
  image: shape.imageName.optional(),
  args: z
    .string()
    .optional()
    .meta({ description: 'In place of the command of the image, as one line; empty for that of the image.' }),
  cmd: shape.dockerStartCmd.meta({ description: 'Of ours: the same as `args`, as a list.' }),
  entrypoint: shape.dockerEntrypoint.meta({ description: 'Of ours.' }),
  disk: shape.containerDiskInGb.meta({ description: 'GB of the container, wiped with it.' }),
  env: shape.env,
  ports: shape.ports,
  registry: z.string().nullable().optional().meta({ description: 'Id of a registry; null for none.' }),
};
export type ContainerFields = z.output<z.ZodObject<typeof containerFields>>;

/** The fields in answers. */
export const containerAnswer = {
  image: z.string(),
  args: z.string(),
  cmd: z.array(z.string()).meta({ description: 'Of ours: `args` as a list.' }),
  entrypoint: z.array(z.string()).meta({ description: 'Of ours.' }),
  disk: z.int().optional(),
  env: podSchema.shape.env,
  ports: z.array(z.string()),
  registry: z.string().nullable(),
};

export type ContainerWords = Partial<
  Pick<
    Template,
    | 'imageName'
    | 'dockerStartCmd'
    | 'dockerEntrypoint'
    | 'containerDiskInGb'
    | 'env'
    | 'ports'
    | 'containerRegistryAuthId'
  >
>;

/** The fields of a request in the words of /v1, without the missing ones. Throws UNPROCESSABLE for args with cmd. */
export function wordsOf({ image, args, cmd, entrypoint, disk, env, ports, registry }: ContainerFields): ContainerWords {
  if (args !== undefined && cmd !== undefined) throw unprocessable('args and cmd say the same: send one of them');
  const command = cmd ?? (args === undefined ? undefined : splitCommandLine(args));
  return {
    ...(image !== undefined && { imageName: image }),
    ...(command !== undefined && { dockerStartCmd: command }),
    ...(entrypoint !== undefined && { dockerEntrypoint: entrypoint }),
    ...(disk !== undefined && { containerDiskInGb: disk }),
    ...(env !== undefined && { env }),
    ...(ports !== undefined && { ports }),
    ...(registry !== undefined && { containerRegistryAuthId: registry ?? '' }),
  };
}

/** The container of a template, with the given words over it; variables are merged by name. */
export function withTemplate(template: Template, words: ContainerWords): Required<ContainerWords> {
  const { imageName, dockerStartCmd, dockerEntrypoint, containerDiskInGb, env, ports, containerRegistryAuthId } =
    template;
  return {
    imageName,
    dockerStartCmd,
    dockerEntrypoint,
    containerDiskInGb,
    ports,
    containerRegistryAuthId,
    ...words,
    env: { ...env, ...words.env },
  };
}

/** The answer with a container. `args`: the command where it was sent as one line. */
export function containerFrom(
  words: Required<ContainerWords>,
  args = '',
): z.input<z.ZodObject<typeof containerAnswer>> {
  const { imageName, dockerStartCmd, dockerEntrypoint, containerDiskInGb, env, ports, containerRegistryAuthId } = words;
  return {
    image: imageName,
    args: args === '' ? lineOf(dockerStartCmd) : args,
    cmd: args === '' ? dockerStartCmd : splitCommandLine(args),
    entrypoint: dockerEntrypoint,
    ...(containerDiskInGb > 0 && { disk: containerDiskInGb }),
    env,
    ports,
    registry: containerRegistryAuthId === '' ? null : containerRegistryAuthId,
  };
}
