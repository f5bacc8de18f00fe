/**
 * The bytes of one picture, sound, film or file, and an address that shows them. What lies elsewhere waits for a click.
 */
import { useEffect, useState } from 'react';
import { api, errorText } from '../../client/transport/orpc.ts';
import { blobOf, type Media } from './media.ts';
import { SNIFFED_BYTES } from '#contract/core/media/signatures.ts';
import { isAnyBytes, sniff, typeOfMime, type MediaType } from './mediaType.ts';
import { t } from '../../language/text.ts';

export interface MediaBytes {
  bytes: Blob;
  /** An address of this page for `bytes`; it holds while the component is shown. */
  address: string;
  /** What the bytes are: of a remote file this is known only once it is here. */
  type: MediaType;
}

export interface MediaState {
  loaded: MediaBytes | null;
  problem: string | null;
}

const notYet: MediaState = { loaded: null, problem: null };

async function load({ type, source }: Media, bytes: Blob | null, signal: AbortSignal): Promise<[Blob, MediaType]> {
  if (bytes) return [bytes, type];
  if (source.kind !== 'remote') throw new TypeError('There are no bytes.');
  const answer = await api.media.load({ url: source.url }, { signal });
  const head = new Uint8Array(await answer.bytes.slice(0, SNIFFED_BYTES).arrayBuffer());
  // A host may declare a wrong type. So the first bytes decide, and its declared type counts only if they are unknown.
  const actual = sniff(head) ?? (isAnyBytes(answer.type) && type.kind === 'file' ? type : typeOfMime(answer.type));
  return [new Blob([answer.bytes], { type: actual.mime }), actual];
}

/** `allowed`: whether another host may be asked. */
export function useMediaBytes(media: Media, allowed: boolean): MediaState {
  const [state, setState] = useState(notYet);
  const isRemote = media.source.kind === 'remote';

  useEffect(() => {
    if (isRemote && !allowed) return undefined;
    const stop = new AbortController();
    let address: string | null = null;
    const show = async () => {
      try {
        const [bytes, type] = await load(media, blobOf(media), stop.signal);
        if (stop.signal.aborted) return;
        address = URL.createObjectURL(bytes);
        setState({ loaded: { bytes, address, type }, problem: null });
      } catch (error) {
        if (stop.signal.aborted) return;
        const problem = isRemote ? errorText(error) : t`Its base64 is damaged or incomplete.`;
        setState({ loaded: null, problem });
      }
    };
    void show();
    return () => {
      stop.abort();
      if (address !== null) URL.revokeObjectURL(address);
    };
  }, [media, isRemote, allowed]);

  return state;
}
