/** Opens `requirements.txt` with a line for each package that a handler imports and its Python does not have. */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { FilePlus } from 'lucide-react';
import type { EndpointRow } from '#contract/app/endpointReadModels.ts';
import { isGone, readBeginning, writeText } from '../../../client/files/content.ts';
import type { Place } from '../../../client/files/transfers.ts';
import { errorText, orpc, queryClient } from '../../../client/transport/orpc.ts';
import { openCode } from '../../../state/overlays.ts';
import { codeFolderOf } from '../../../ui/endpoint/handlerCode.ts';
import { readText, type FileText } from '../../../ui/files/preview/readText.ts';
import { keyOf, textDrafts } from '../../../ui/files/preview/textDrafts.ts';
import { packageOf } from './packageNames.ts';
import { t } from '../../../language/text.ts';

const FILE = 'requirements.txt';

/** The file as it is; made where the folder has none. */
async function readRequirements(place: Place): Promise<FileText> {
  try {
    // A list of packages fits into one piece.
    return readText(new Uint8Array(await (await readBeginning(place, 0)).arrayBuffer()), false);
  } catch (error) {
    if (!isGone(error)) throw error;
    await writeText(place, '');
    await queryClient.invalidateQueries({ queryKey: orpc.files.list.key() });
    return readText(new Uint8Array(), false);
  }
}

/** Nothing on another computer, for an image, where uv installs the packages, and where none is missing. */
export function AddPackages({ accountId, row }: { accountId: string; row: EndpointRow }) {
  const { environmentSource, missingModules = [] } = row.readiness?.handler ?? {};
  const place: Place = { accountId, holder: { in: 'handler', id: row.id }, path: FILE };
  const open = useMutation({
    mutationFn: () => readRequirements(place),
    onSuccess(saved) {
      const key = keyOf(place);
      const typed = textDrafts.get(key)?.values.text ?? saved.text;
      const text = withLines(typed, missingModules.map(packageOf));
      if (saved.whyFixed === null && text !== saved.text) textDrafts.set(key, { saved, values: { ...saved, text } });
      openCode({ endpointId: row.id, path: FILE, line: text.trimEnd().split('\n').length });
    },
    onError: (error) => notifications.show({ title: t`Not opened`, message: errorText(error), 'data-tone': 'bad' }),
  });
  if (missingModules.length === 0 || environmentSource === 'uv.lock' || codeFolderOf(accountId, row.imageName) === null)
    return null;
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<FilePlus size={13} aria-hidden />}
      loading={open.isPending}
      title={t`Opens the file with a line for each missing package. Check the names and save; then install them below.`}
      onClick={() => open.mutate()}
    >{t`Add to requirements.txt`}</Button>
  );
}

/** The text with these lines at its end, as far as it does not have them. */
function withLines(text: string, lines: readonly string[]): string {
  const present = new Set(text.split('\n').map((line) => line.trim().toLowerCase()));
  const missing = lines.filter((line) => !present.has(line.toLowerCase()));
  const begin = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return begin + missing.map((line) => `${line}\n`).join('');
}
