/** Everything that a page holds: its heap after a collection, and what it has stored. */
import type { Page } from '@playwright/test';

async function heapOf(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const pieces: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => void pieces.push(chunk));
  await session.send('HeapProfiler.enable');
  // What was let go of by the first collection may be what held something else.
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  return pieces.join('');
}

const storageOf = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases();
    return JSON.stringify([
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      databases,
      location.href,
      document.cookie,
    ]);
  });

/** Where one of the texts is held, in words; empty where none is. */
export async function findInMemory(page: Page, texts: readonly string[]): Promise<string[]> {
  const [heap, storage] = [await heapOf(page), await storageOf(page)];
  return texts.flatMap((text) => [
    ...(heap.includes(text) ? [`${text} is in the heap`] : []),
    ...(storage.includes(text) ? [`${text} is in the storage`] : []),
  ]);
}
