/** The container fields of a template or a Pod, and their names in REST v2. */
import { AppError } from '#contract/core/errors.ts';
import { FILE_IMAGE_PREFIX } from '#contract/api/resources.ts';
import * as z from 'zod';
import { joinWords, splitWords } from '../commandLine.ts';
import { unsupported } from './client.ts';

const texts = z.array(z.string()).catch([]);
/** The fields of an endpoint, a Pod or a template of REST v2. */
export const containerFields = {
  image: z.string().catch(''),
  args: z.string().nullish().catch(null),
  /** Newer answers have these two fields; the description does not mention them. */
  cmd: texts,
  entrypoint: texts,
  disk: z.number().catch(0),
  env: z.record(z.string(), z.string()).catch({}),
  ports: texts,
  registry: z.string().nullish().catch(null),
};
export const mountsSchema = z
  .looseObject({
    persistent: z.looseObject({ size: z.number(), path: z.string() }).optional().catch(undefined),
    network: z.array(z.looseObject({ volumeId: z.string(), path: z.string().catch('') })).catch([]),
  })
  .catch({ network: [] });

type ContainerAnswer = z.infer<z.ZodObject<typeof containerFields>>;

/** The same fields under the names of the description. */
export const containerFrom = ({ image, args, cmd, entrypoint, disk, env, ports, registry }: ContainerAnswer) => ({
  imageName: image,
  dockerStartCmd: cmd.length > 0 ? cmd : splitWords(args ?? ''),
  dockerEntrypoint: entrypoint,
  containerDiskInGb: disk,
  env,
  ports,
  containerRegistryAuthId: registry ?? '',
});

interface ContainerInput {
  imageName?: string | undefined;
  dockerStartCmd?: string[] | undefined;
  dockerEntrypoint?: string[] | undefined;
  containerDiskInGb?: number | null | undefined;
  env?: Record<string, string> | undefined;
  ports?: string[] | undefined;
  containerRegistryAuthId?: string | undefined;
}

/**
 * The container fields of a request body. Refuses fields that REST v2 lacks, and folders, which only an engine serves.
 */
export function containerBody(input: ContainerInput): object {
  if (input.imageName?.startsWith(FILE_IMAGE_PREFIX)) {
    throw new AppError(
      'BAD_REQUEST',
      'Only Hangar engines run folders. Build an image of it, push it to a registry, and enter the image here.',
    );
  }
  if (input.dockerEntrypoint && input.dockerEntrypoint.length > 0) {
    throw unsupported('A replaced entrypoint (dockerEntrypoint)', 'Leave it out, or set it in the image.');
  }
  const { imageName, dockerStartCmd, containerDiskInGb, env, ports, containerRegistryAuthId: registry } = input;
  return {
    ...(imageName !== undefined && { image: imageName }),
    ...(dockerStartCmd && { args: joinWords(dockerStartCmd) }),
    ...(containerDiskInGb && { disk: containerDiskInGb }),
    ...(env && { env }),
    ...(ports && { ports }),
    ...(registry !== undefined && { registry: registry === '' ? null : registry }),
  };
}
