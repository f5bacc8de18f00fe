/** The procedures about the bucket for large inputs. They receive its secret and never return it. */
import type { bucketContract } from '#contract/bridge/bucket/bucket.ts';
import type { ImplementerInternalWithMiddlewares } from '@orpc/server';
import type { Bucket } from '../../bucket/bucket.ts';
import type { Uploads } from '../../services/uploads.ts';

export const bindBucket = (
  procedures: ImplementerInternalWithMiddlewares<typeof bucketContract, object, object>,
  { bucket, uploads }: { bucket: Bucket; uploads: Pick<Uploads, 'begin'> },
) => ({
  state: procedures.state.handler(() => bucket.state()),
  save: procedures.save.handler(({ input: { settings, secret } }) => bucket.save(settings, secret)),
  check: procedures.check.handler(() => bucket.check()),
  forget: procedures.forget.handler(() => bucket.forget()),
  beginUpload: procedures.beginUpload.handler(({ input: { name, sizeBytes, type } }) => {
    const path = bucket.newPath(name, sizeBytes);
    const mediaType = type === '' ? 'application/octet-stream' : type;
    return {
      path,
      uploadId: uploads.begin(sizeBytes, ({ body, lengthBytes, signal }) =>
        bucket.upload({ path, name }, { pieces: body, lengthBytes, type: mediaType, signal }),
      ),
    };
  }),
  link: procedures.link.handler(({ input }) => bucket.objects.link(input.path)),
  uploads: procedures.uploads.handler(() => bucket.uploads()),
  discard: procedures.discard.handler(({ input }) => bucket.discard(input.path)),
});
