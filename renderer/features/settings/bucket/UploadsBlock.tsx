/** The files that Hangar has uploaded to the bucket: when, how large, a new address for each, and its removal. */
import { useState } from 'react';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy, Trash2 } from 'lucide-react';
import type { BucketUpload } from '#contract/app/bucket.ts';
import { api, errorText, orpc } from '../../../client/transport/orpc.ts';
import { LoadError } from '../../../ui/domain/LoadError.tsx';
import { announce } from '../../../ui/primitives/announce.tsx';
import { copyWhenRead } from '../../../ui/clipboard/copyText.ts';
import { ConfirmDialog } from '../../../ui/primitives/ConfirmDialog.tsx';
import { PlainTable } from '../../../ui/primitives/PlainTable.tsx';
import { RowMenu } from '../../../ui/primitives/RowMenu.tsx';
import { formatBytes, formatCount, formatMoment, formatWhen } from '../../../ui/text/format.ts';
import styles from '../settings.module.css';
import { counted, rich, t } from '../../../language/text.ts';

async function copyAddress({ path }: BucketUpload): Promise<void> {
  try {
    await copyWhenRead(
      api.bucket.link({ path }).then(({ url, expiresAt }) => ({
        text: url,
        done: t`Copied a link that is valid until ${formatWhen(expiresAt)}`,
      })),
    );
  } catch (error) {
    notifications.show({ title: t`Not copied`, message: errorText(error), 'data-tone': 'bad' });
  }
}

export function UploadsBlock() {
  const options = orpc.bucket.uploads.queryOptions({ retry: false });
  const { data, isError, error, refetch } = useQuery(options);
  const [uploadToRemove, setUploadToRemove] = useState<BucketUpload | null>(null);
  if (!data && isError) {
    return (
      <LoadError
        source="app"
        title={t`The list of uploaded files could not be read`}
        problem={errorText(error)}
        retry={() => void refetch()}
      />
    );
  }
  return (
    <section className={styles.block} aria-labelledby="uploads">
      <h2 id="uploads">{t`Uploaded files`}</h2>
      <p>{summaryOf(data)}</p>
      {data?.length !== 0 && (
        <div className={styles.tableScroll}>
          <PlainTable
            label={t`Uploaded files`}
            className={styles.table}
            rows={data}
            keyOf={({ path }) => path}
            columns={[
              {
                title: t`File`,
                isHeader: true,
                cell: ({ name, path }) => (
                  <>
                    {name}
                    <span>{path}</span>
                  </>
                ),
              },
              { title: t`Uploaded`, cell: ({ uploadedAt }) => formatMoment(uploadedAt) },
              { title: t`Size`, isNumber: true, cell: ({ sizeBytes }) => formatBytes(sizeBytes) },
              {
                title: t`Actions`,
                isTitleHidden: true,
                cell: (upload) => (
                  <RowMenu
                    name={upload.name}
                    inPalette={false}
                    items={[
                      { label: t`Copy a new link`, icon: Copy, onClick: () => void copyAddress(upload) },
                      { label: t`Remove from the bucket…`, icon: Trash2, onClick: () => setUploadToRemove(upload) },
                    ]}
                  />
                ),
              },
            ]}
          />
        </div>
      )}
      <RemoveDialog upload={uploadToRemove} onClose={() => setUploadToRemove(null)} />
    </section>
  );
}

function summaryOf(uploads: readonly BucketUpload[] | undefined): string {
  if (uploads === undefined) return t`Files that Hangar uploaded to this bucket.`;
  if (uploads.length === 0) return t`Files that Hangar uploads to this bucket are listed here until you remove them.`;
  const bytes = uploads.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return t`${counted(uploads.length, '{0} file', '{0} files', formatCount(uploads.length))}, ${formatBytes(bytes)}. They stay in the bucket until you or a rule of the bucket remove them.`;
}

/** `upload`: null closes it. */
function RemoveDialog({ upload, onClose }: { upload: BucketUpload | null; onClose: () => void }) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: ({ path }: BucketUpload) => api.bucket.discard({ path }),
    onSuccess(_, { path, name }) {
      queries.setQueryData(orpc.bucket.uploads.queryKey(), (before) => before?.filter((one) => one.path !== path));
      announce(t`Removed ${name} from the bucket`);
      onClose();
    },
  });
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      opened={upload !== null}
      onClose={close}
      title={t`Remove the file from the bucket?`}
      action={t`Remove it`}
      busy={remove.isPending}
      problem={remove.isError ? errorText(remove.error) : null}
      onConfirm={() => upload && remove.mutate(upload)}
    >
      {rich`${<b>{upload?.name ?? ''}</b>} is removed from the bucket. Its links stop working, including those in jobs that have not read it yet.`}
    </ConfirmDialog>
  );
}
