/** The container images on a computer: their sizes, what uses them, and the removal of unused ones. */
import { useState } from 'react';
import { Skeleton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import type { ResourcesNow } from '#contract/bridge/resource.ts';
import { api, errorText, orpc } from '../../client/transport/orpc.ts';
import { announce } from '../../ui/primitives/announce.tsx';
import { ConfirmDialog } from '../../ui/primitives/ConfirmDialog.tsx';
import { LoadError } from '../../ui/domain/LoadError.tsx';
import { PlainTable } from '../../ui/primitives/PlainTable.tsx';
import { RowMenu } from '../../ui/primitives/RowMenu.tsx';
import { useNow } from '../../ui/primitives/useNow.ts';
import { formatAgo, formatMemory, formatMoment } from '../../ui/text/format.ts';
import styles from '../../ui/theme/resources.module.css';
import { bytesOf, imageRows, shownName, unusedImages, type ImageRow } from './imageUse.ts';
import { ImageName } from './images/ImageName.tsx';
import { NoImages } from './images/NoImages.tsx';
import { RemoveUnusedDialog } from './RemoveUnusedDialog.tsx';
import { textOfUse, UsedBy } from './UsedBy.tsx';
import { imagesChanged, useImages } from './useImages.ts';
import { ReasonButton } from '../../ui/popover/ReasonButton.tsx';
import { counted, t } from '../../language/text.ts';

const MINUTE_MS = 60_000;

interface ImagesTabProps {
  accountId: string;
  target: string;
  now: ResourcesNow;
}

const containersOf = ({ usedByContainers }: ImageRow): string[] => usedByContainers.map((name) => t`container ${name}`);

const usesOf = ({ usedBy }: ImageRow): string => usedBy.map(textOfUse).join(', ');

/** The engine keeps an image while a container was made from it. Another name of the image can always go. */
function whyNotRemovable(row: ImageRow): string | null {
  const users = [...row.podsOnIt.map(textOfUse), ...containersOf(row)];
  if (!row.isLastName || users.length === 0) return null;
  return t`In use by ${users.join(', ')}. Delete what uses it first.`;
}

export function ImagesTab({ accountId, target, now }: ImagesTabProps) {
  const { now: images, problem, retry } = useImages(accountId);
  const pods = useQuery(orpc.pods.now.queryOptions({ input: { accountId }, retry: false }));
  const [removing, setRemoving] = useState<ImageRow | null>(null);
  const [isPruning, setIsPruning] = useState(false);
  const at = useNow(MINUTE_MS);
  if (images === undefined) {
    if (problem === null) return <Skeleton h={120} m={14} radius={6} w="auto" />;
    return <LoadError capability="local" title={t`The images could not be read`} problem={problem} retry={retry} />;
  }
  if (images.length === 0) {
    return <NoImages accountId={accountId} target={target} />;
  }
  const rows = imageRows(images, now.templates, pods.data?.rows.map(({ pod }) => pod) ?? []);
  const unused = unusedImages(rows);
  return (
    <>
      <div className={styles.scroll}>
        <div className={styles.tools}>
          <p>
            {t`${counted(images.length, '{0} image', '{0} images')}, ${formatMemory(bytesOf(images))}. Layers that images share count for each of them.`}
          </p>
          <ReasonButton
            variant="default"
            leftSection={<Trash2 size={14} aria-hidden />}
            whyNot={
              pods.isPending
                ? t`Hangar reads which images the Pods use.`
                : unused.length === 0
                  ? t`A container, a Pod or a template uses each image.`
                  : null
            }
            onClick={() => setIsPruning(true)}
          >{t`Remove unused…`}</ReasonButton>
        </div>
        <PlainTable
          label={t`Container images`}
          className={styles.table}
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            {
              title: t`Name`,
              isHeader: true,
              cell: (row) => <ImageName accountId={accountId} row={row} others={containersOf(row)} />,
              hint: ({ name }) => name,
            },
            { title: t`Size`, isNumber: true, cell: ({ sizeBytes }) => formatMemory(sizeBytes) },
            {
              title: t`Built`,
              needs: 'wide',
              cell: ({ createdAt }) => formatAgo(Date.parse(createdAt), at),
              hint: ({ createdAt }) => formatMoment(Date.parse(createdAt)),
            },
            {
              title: t`Used by`,
              needs: 'medium',
              cell: (row) => <UsedBy accountId={accountId} usedBy={row.usedBy} others={containersOf(row)} />,
              cellClass: styles.users,
            },
            {
              title: t`Actions`,
              isTitleHidden: true,
              cell: (row) => (
                <RowMenu
                  name={shownName(row)}
                  items={[
                    {
                      label: t`Remove…`,
                      icon: Trash2,
                      whyNot: whyNotRemovable(row),
                      onClick: () => setRemoving(row),
                    },
                  ]}
                />
              ),
            },
          ]}
        />
      </div>
      <RemoveImageDialog accountId={accountId} row={removing} onClose={() => setRemoving(null)} />
      <RemoveUnusedDialog
        accountId={accountId}
        opened={isPruning}
        unused={unused}
        onClose={() => setIsPruning(false)}
      />
    </>
  );
}

interface RemoveImageDialogProps {
  accountId: string;
  /** Null while the dialog is closed. */
  row: ImageRow | null;
  onClose: () => void;
}

function RemoveImageDialog({ accountId, row, onClose }: RemoveImageDialogProps) {
  const remove = useMutation({
    mutationFn: (name: string) => api.machine.removeImage({ accountId, name }),
    onSuccess: (_, name) => {
      announce(t`Removed ${name}`);
      onClose();
      return imagesChanged();
    },
  });
  return (
    <ConfirmDialog
      opened={row !== null}
      onClose={() => {
        remove.reset();
        onClose();
      }}
      title={t`Remove the image ${row === null ? '' : shownName(row)}?`}
      action={t`Remove the image`}
      busy={remove.isPending}
      problem={remove.isError ? errorText(remove.error) : null}
      onConfirm={() => row !== null && remove.mutate(row.name)}
    >
      <p>{t`It is pulled again when something needs it. An image that was built here and never pushed is lost.`}</p>
      {row !== null && row.usedBy.length > 0 && <p>{t`Used by: ${usesOf(row)}. The next start pulls it again.`}</p>}
    </ConfirmDialog>
  );
}
